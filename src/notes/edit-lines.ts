import { LonghandError } from "../errors.ts";
import { countOf } from "../text/count-of.ts";
import { dropOrigins } from "../text/entry-line.ts";
import { sha256 } from "../text/hash.ts";
import { linesOf } from "../text/lines-of.ts";
import { showHidden } from "../text/visible.ts";
import { byteOrderMark, decodeNote, hasByteOrderMark } from "./note.ts";
import { sliceLines } from "./read-lines.ts";
import { refuseChanged } from "./seen-note.ts";

/** Lines of a note as the caller saw them. */
export interface SeenLines {
  readonly startLine: number;
  /** Inclusive. */
  readonly endLine: number;
  /** The lines, joined by line ends. They must be unchanged. */
  readonly text: string;
}

/** A whole note as the caller saw it. */
export type ExpectedNote = { readonly hash: string } | { readonly text: string };

/**
 * The bytes of a note without some lines. All other bytes stay as they are: a byte-order mark, Windows line ends, and
 * invalid UTF-8.
 */
export function cutLines(bytes: Buffer, passages: readonly SeenLines[], path: string): Buffer {
  const starts = findLineStarts(bytes);
  const total = starts.length - 1;
  const kept: Buffer[] = [];
  let end = 0;
  for (const { startLine, endLine, text } of [...passages].sort((a, b) => a.startLine - b.startLine)) {
    refuseRange(startLine, endLine, path);
    if (endLine > total)
      throw refuseChanged(path, `it has ${countOf(total, "line")}, and no line ${endLine}`);
    const lines = sliceLines(bytes, {
      from: startLine,
      lines: endLine - startLine + 1,
      maxChars: bytes.length,
    });
    if (!isSameText(lines.text, text)) {
      const rest = startLine === endLine ? "is not as it was seen" : "are not as they were seen";
      throw refuseChanged(path, `${linesOf({ startLine, endLine })} ${rest}`);
    }
    const from = starts[startLine - 1]!;
    if (from < end) throw refuseChanged(path, `line ${startLine} is named twice`);
    kept.push(bytes.subarray(end, from));
    end = starts[endLine]!;
  }
  return Buffer.concat([...markOf(bytes, kept[0]), ...kept, bytes.subarray(end)]);
}

/** The bytes of a note with new text. Keeps its byte-order mark and its kind of line end. */
export function exchangeText(bytes: Buffer, expected: ExpectedNote, text: string, path: string): Buffer {
  refuseUnseen(bytes, expected, path);
  const old = decodeExactly(bytes, path);
  if (!text.isWellFormed() || text.includes("\0")) {
    throw new LonghandError("entry-invalid", `The new text of ${path} is not valid Unicode text.`, {
      hint: "Remove lone surrogates and NUL characters from it.",
    });
  }
  const isCrlf = old[old.indexOf("\n") - 1] === "\r";
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const next = Buffer.from(isCrlf ? plain.replaceAll("\n", "\r\n") : plain);
  return hasByteOrderMark(bytes) ? Buffer.concat([byteOrderMark, next]) : next;
}

export function refuseUnseen(bytes: Buffer, expected: ExpectedNote, path: string): void {
  const isSame =
    "hash" in expected ? sha256(bytes) === expected.hash : isSameText(decodeNote(bytes, path), expected.text);
  if (!isSame) throw refuseChanged(path, "it is not as it was seen");
}

/** The mark belongs to the file, not to its first line. */
function markOf(bytes: Buffer, first: Buffer | undefined): Buffer[] {
  return first?.length === 0 && hasByteOrderMark(bytes) ? [byteOrderMark] : [];
}

/** The offset of each line, and the end of the last one. */
function findLineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== bytes.length) starts.push(bytes.length);
  return starts;
}

/**
 * Text that people and tools pass back may lack its last line end, have `\n` for CRLF, show hidden characters by their
 * code points, and omit the comments that name origins, as search results do.
 */
function isSameText(actual: string, seen: string): boolean {
  const [left, right] = [actual, seen].map((text) => showHidden(dropOrigins(text.replace(/^\ufeff/, ""))));
  return left === right || `${left}\n` === right || left === `${right}\n`;
}

function decodeExactly(bytes: Buffer, path: string): string {
  decodeNote(bytes, path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new LonghandError("note-unwritable", `${path} cannot be edited as text: it is not valid UTF-8.`, {
      hint: "Editing would change bytes that cannot be shown. Use an editor that supports its encoding.",
      cause,
    });
  }
}

function refuseRange(startLine: number, endLine: number, path: string): void {
  if (
    Number.isSafeInteger(startLine) &&
    Number.isSafeInteger(endLine) &&
    startLine >= 1 &&
    endLine >= startLine
  )
    return;
  throw new LonghandError("usage", `${path} has no lines ${startLine}-${endLine}.`, {
    hint: "Line numbers are whole numbers that start at 1; the range includes both ends.",
  });
}
