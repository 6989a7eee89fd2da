import { LonghandError } from "../errors.ts";
import type { Change } from "./plan.ts";

/**
 * The text of a note after some changes; `text` is null for a note that is not there yet. Lines that no change names
 * stay as they are to the last byte, and new ones get the line ends of the note.
 */
export function composeNote(text: string | null, changes: readonly Change[], path: string): string {
  const lines = splitLines(text ?? "");
  const end = lines[0]?.end || "\n";
  if (text === null) {
    const title = changes.find((change) => change.title !== undefined)?.title;
    if (title !== undefined) lines.push({ text: title, end }, { text: "", end });
  }
  const total = lines.length;
  // From the last line upwards, so that numbers stay true; of several at one place the first ends up in front.
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
  /** Empty for a last line that nothing ends. */
  readonly end: string;
}

/** Lines as `\n` and `\r\n` end them. */
function splitLines(text: string): Line[] {
  return Array.from(text.matchAll(/([^\n]*?)(\r?\n)|[^\n]+$/g), (match) =>
    match[2] === undefined ? { text: match[0], end: "" } : { text: match[1]!, end: match[2] },
  );
}

/** The lines of a note without their ends. */
export function linesOf(text: string): string[] {
  return splitLines(text).map((line) => line.text);
}

function refuseOther(path: string, { startLine }: Change): LonghandError {
  const why = `line ${startLine} is not as the plan saw it`;
  return new LonghandError("note-changed", `${path} was left as it is: ${why}.`, {
    hint: "Run `longhand consolidate` again for a plan of the notes as they are now.",
  });
}
