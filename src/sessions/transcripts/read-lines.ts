import type { OpenFile } from "./open-file.ts";

/** A whole line of a file, without its end. Null in place of bytes that are too many to hold. */
export interface FileLine {
  readonly bytes: Buffer | null;
  /** Where the next line begins. */
  readonly end: number;
}

/** A line with more bytes is passed over: no message that anybody wrote is so long. */
const maxLineBytes = 32 * 1024 * 1024;
const blockBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The whole lines from `start` on, up to `limit`. What follows the last line end is still being written and is not a
 * line yet. Lines are told apart as bytes, so that a character cut by a block's end does no harm.
 */
export function* readLines(file: OpenFile, start: number, limit: number): Generator<FileLine> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for (let position = start; position < limit; ) {
    const block = file.read(position, Math.min(blockBytes, limit - position));
    // Shorter than it was: whoever looks at the file again afterwards finds out.
    if (block.length === 0) return;
    let from = 0;
    for (let at = block.indexOf(newline); at !== -1; at = block.indexOf(newline, from)) {
      const rest = block.subarray(from, at);
      const isTooLong = begunBytes + rest.length > maxLineBytes;
      yield { bytes: isTooLong ? null : Buffer.concat([...begun, rest]), end: position + at + 1 };
      begun = [];
      begunBytes = 0;
      from = at + 1;
    }
    const rest = block.subarray(from);
    begunBytes += rest.length;
    if (begunBytes <= maxLineBytes) begun.push(rest);
    else begun = [];
    position += block.length;
  }
}
