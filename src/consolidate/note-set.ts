import { LonghandError } from "../errors.ts";
import type { ExactNote } from "../notes/exchange-bytes.ts";
import { byteOrderMark, hasByteOrderMark } from "../notes/note.ts";
import { entriesPath } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import type { Change, Plan, PlannedNote, Step } from "./consolidation.ts";

export type NotesAccess = Pick<Notes, "scan" | "readExact" | "exchange" | "removeEmptyFolders" | "daily">;

/** The notes a plan is made from, with the bytes it saw. */
export interface NoteSet {
  readonly notes: readonly PlannedNote[];
  readonly exact: ReadonlyMap<string, ExactNote>;
  readonly skipped: Plan["skipped"];
}

/** Larger notes are skipped: examining each line would take minutes. */
const maxPlannedBytes = 1024 * 1024;

export async function readNotes(
  { scan, readExact, daily }: NotesAccess,
  signal?: AbortSignal,
): Promise<NoteSet> {
  const { entries } = await scan({ signal });
  const notes: PlannedNote[] = [];
  const exact = new Map<string, ExactNote>();
  const skipped: { path: string; reason: string }[] = [];
  for (const { path } of entries) {
    // The entries plugin keeps its own order, and other folders are read-only.
    if (path === entriesPath || path.startsWith("extra/")) continue;
    const read = await readOne(readExact, path);
    if (read === null) continue;
    if (typeof read === "string") {
      skipped.push({ path, reason: read });
      continue;
    }
    exact.set(path, read.note);
    notes.push({ path, text: read.text, date: daily.dateOf(path) });
  }
  notes.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { notes, exact, skipped };
}

async function readOne(
  readExact: NotesAccess["readExact"],
  path: string,
): Promise<{ note: ExactNote; text: string } | string | null> {
  try {
    const note = await readExact(path);
    if (note === null) return null;
    if (note.bytes.length > maxPlannedBytes) return "it is larger than 1 MB";
    if ((note.mode & 0o222) === 0) return "the file is read-only";
    const text = decode(note.bytes);
    return text === null ? "it is not valid UTF-8 text" : { note, text };
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return error.code === "path-outside-memory" ? null : error.message;
  }
}

/**
 * Null for text that cannot be written back byte for byte. The byte-order mark belongs to the file, not to its first
 * line.
 */
function decode(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** A note before and after an edit; null means that there is no note. */
export interface NoteEdit {
  readonly path: string;
  readonly before: ExactNote | null;
  readonly after: Buffer | null;
  /** The file mode of a new note: the strictest of the notes whose lines it gets. */
  readonly mode: number;
}

/** The edits that some steps result in, in the order in which they are written: lines arrive before they leave. */
export function composeEdits(steps: readonly Step[], { exact, notes }: NoteSet): NoteEdit[] {
  const texts = new Map(notes.map(({ path, text }) => [path, text]));
  const changes = Map.groupBy(
    steps.flatMap((step) => step.changes),
    ({ path }) => path,
  );
  const edits: NoteEdit[] = [];
  for (const [path, own] of changes) {
    const before = exact.get(path) ?? null;
    const moved = own.find(({ movesTo }) => movesTo !== undefined);
    if (moved !== undefined && before !== null) {
      edits.push({ path: moved.movesTo!, before: null, after: before.bytes, mode: before.mode });
      edits.push({ path, before, after: null, mode: before.mode });
      continue;
    }
    const text = Buffer.from(composeNote(texts.get(path) ?? null, own, path));
    const after =
      before !== null && hasByteOrderMark(before.bytes) ? Buffer.concat([byteOrderMark, text]) : text;
    const mode = steps
      .filter((step) => step.changes.some((change) => change.path === path))
      .flatMap((step) => step.sources.map((source) => exact.get(source.path)?.mode ?? 0o644))
      .reduce((common, each) => common & each, 0o644);
    edits.push({ path, before, after, mode: mode | 0o600 });
  }
  const losesLines = ({ path, after }: NoteEdit): boolean =>
    after === null || (changes.get(path)?.some((change) => change.before.length > 0) ?? false);
  const days = new Set(notes.filter(({ date }) => date !== null).map(({ path }) => path));
  // Lines move from daily notes to curated ones, and from those to the archive.
  const rank = (edit: NoteEdit): number => (!losesLines(edit) ? 0 : days.has(edit.path) ? 2 : 1);
  return edits.toSorted((left, right) => rank(left) - rank(right));
}

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
