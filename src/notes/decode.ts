import { LonghandError } from "../errors.ts";

/**
 * The text of a note. Bytes that are not UTF-8 become U+FFFD and a byte-order mark is dropped; this never fails on
 * text. A file with a NUL near its start is taken for binary data; a stray NUL further on becomes U+FFFD too.
 */
export function decodeNote(bytes: Buffer, path: string): string {
  refuseBinary(bytes, path);
  return replaceNul(new TextDecoder().decode(bytes));
}

/** As `decodeNote`, for a run of whole lines out of a note that has been checked. */
export function decodeLines(bytes: Uint8Array, { isStart }: { isStart: boolean }): string {
  return replaceNul(new TextDecoder("utf-8", { ignoreBOM: !isStart }).decode(bytes));
}

export function refuseBinary(bytes: Buffer, path: string): void {
  if (!bytes.subarray(0, sampleBytes).includes(0)) return;
  const isUtf16 = bytes.length > 1 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0));
  const content = isUtf16 ? "UTF-16" : "binary data";
  throw new LonghandError("note-binary", `${path} cannot be read as text: it holds ${content}.`, {
    hint: isUtf16 ? "Save it as UTF-8." : "Rename it so that it does not end in .md, or exclude it.",
  });
}

const sampleBytes = 8 * 1024;

function replaceNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text;
}
