import { LonghandError } from "../errors.ts";
import type { Change } from "./plan.ts";

/**
 * The text of a note after some changes; `text` is null for a new note. All other lines keep every byte, and new lines
 * use the note's line endings.
 */
export function composeNote(text: string | null, changes: readonly Change[], path: string): string {
  const lines = splitLines(text ?? "");
  const end = lines[0]?.end || "\n";
  if (text === null) {
    const title = changes.find((change) => change.title !== undefined)?.title;
    if (title !== undefined) lines.push({ text: title, end }, { text: "", end });
  }
  const total = lines.length;
  // From the last line upwards, so that line numbers stay valid; of several changes at one place, the first ends up on
  // top.
  const ordered = changes
    .map((change, order) => ({ change, order }))
    .sort((a, b) => b.change.startLine - a.change.startLine || b.order - a.order);
  for (const { change } of ordered) {
    const { before, after } = change;
    const at = text === null ? total : Math.min(change.startLine - 1, total);
    if (before.some((line, offset) => lines[at + offset]?.text !== line)) throw refuseOther(path, change);
    const added = after.map((line, offset) => ({
      text: line,
      end: before.length === after.length ? lines[at + offset]!.end : end,
    }));
    lines.splice(at, before.length, ...added);
  }
  return lines.map((line, at) => line.text + (line.end || (at < lines.length - 1 ? end : ""))).join("");
}

interface Line {
  readonly text: string;
  /** Empty if the last line has no line break. */
  readonly end: string;
}

/** Splits at `\n` and `\r\n`. */
function splitLines(text: string): Line[] {
  return Array.from(text.matchAll(/([^\n]*?)(\r?\n)|[^\n]+$/g), (match) =>
    match[2] === undefined ? { text: match[0], end: "" } : { text: match[1]!, end: match[2] },
  );
}

/** The lines of a note without their line breaks. */
export function linesOf(text: string): string[] {
  return splitLines(text).map((line) => line.text);
}

function refuseOther(path: string, { startLine }: Change): LonghandError {
  const why = `line ${startLine} is not as the plan saw it`;
  return new LonghandError("note-changed", `${path} was left as it is: ${why}.`, {
    hint: "Run `longhand consolidate` again for a plan of the notes as they are now.",
  });
}
