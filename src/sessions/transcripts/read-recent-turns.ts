import { LonghandError } from "../../errors.ts";
import { isFields, type LineFormat, type Turn, timed } from "./format.ts";
import { recogniseLine } from "./formats.ts";
import { type OpenFile, openFile } from "./open-file.ts";
import { readLines } from "./read-lines.ts";

/** As much of a transcript as is read in a moment; what is compacted away is at its end. */
const maxRecentBytes = 8 * 1024 * 1024;

/**
 * What was said in a growing transcript since it was compacted last, each with its line in the file. Reads the end of a
 * long file only. Empty when nothing is there, or when the format is none that grows.
 */
export function readRecentTurns(path: string, maxBytes = maxRecentBytes): Turn[] {
  using file = openFile(path, { shown: path });
  if (file === null) return [];
  const size = Number(file.stats().size);
  const { start, line: linesBefore } = findStart(file, size, maxBytes);
  const turns: Turn[] = [];
  let format: LineFormat | null = null;
  let line = linesBefore;
  for (const { bytes } of readLines(file, start, size)) {
    line++;
    const value = bytes === null ? null : parse(bytes);
    if (!isFields(value)) continue;
    format ??= recogniseLine(value);
    const outcome = format?.read(value);
    if (outcome?.kind !== "turn") continue;
    // A summary of a compaction stands for everything before it, which was flushed at its time.
    const { role, text, at, isTitle = false } = outcome;
    if (role !== "summary") turns.push({ role, text, line, ...timed(at) });
    else if (!isTitle) turns.length = 0;
  }
  return turns;
}

/** The first line that begins within the last bytes, and how many lines are before it. */
function findStart(file: OpenFile, size: number, maxBytes: number): { start: number; line: number } {
  const limit = Math.max(0, size - maxBytes);
  let line = 0;
  let start = 0;
  for (let position = 0; start < limit && position < size; ) {
    const block = file.read(position, Math.min(1024 * 1024, size - position));
    if (block.length === 0) throw refuseShrinking();
    for (let at = block.indexOf(10); at !== -1 && start < limit; at = block.indexOf(10, at + 1)) {
      line++;
      start = position + at + 1;
    }
    position += block.length;
  }
  return { start: start < limit ? size : start, line };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // A line that is cut or damaged says nothing; the lines around it do.
    return null;
  }
}

function refuseShrinking(): LonghandError {
  return new LonghandError("note-unreadable", "The transcript became shorter while it was read.", {
    hint: "Try again.",
    retryable: true,
  });
}
