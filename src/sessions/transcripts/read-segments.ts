import { LonghandError } from "../../errors.ts";
import { isFields } from "../../text/fields.ts";
import { type LineFormat, parseLine, type Turn, timed } from "./format.ts";
import { recogniseLine, recogniseValue } from "./formats.ts";
import { type OpenFile, openFile, readLines } from "./open-transcript.ts";

/** The turns between two compactions, or since the last one. Positions are bytes, or messages in a file of one value. */
export interface Segment {
  readonly turns: readonly Turn[];
  readonly start: number;
  /** After the last whole line. */
  readonly end: number;
}

interface SegmentRange {
  /** Where the previous read ended. */
  readonly from?: number | undefined;
  /** Text after this position is ignored. */
  readonly to?: number | undefined;
  /** Only the last bytes of a longer part are read. */
  readonly maxBytes?: number | undefined;
}

/** Can be read quickly, and the turns that will be compacted next are at the end. */
const maxRecentBytes = 8 * 1024 * 1024;

/** The current size of a transcript; null when it does not exist. */
export function transcriptSize(path: string): number | null {
  using file = openFile(path, { shown: path });
  return file === null ? null : Number(file.stats().size);
}

/**
 * A transcript in order, split where it was compacted; the last segment is not compacted yet. Each turn has its line in
 * the file. Null when the file does not exist.
 */
export function readSegments(path: string, range: SegmentRange = {}): readonly Segment[] | null {
  using file = openFile(path, { shown: path });
  if (file === null) return null;
  const { maxBytes = maxRecentBytes } = range;
  const size = Number(file.stats().size);
  const to = Math.min(size, range.to ?? size);
  // A file that is shorter than before has been replaced.
  const from = range.from !== undefined && range.from <= size ? range.from : 0;
  return readValue(file, size, { from, maxBytes }) ?? readGrowing(file, { from, to, maxBytes });
}

function readGrowing(
  file: OpenFile,
  { from, to, maxBytes }: { from: number; to: number; maxBytes: number },
): Segment[] {
  const { start, line: linesBefore } = findStart(file, Math.max(from, to - maxBytes), to);
  const segments: Segment[] = [];
  const byId = new Map<string, number>();
  let turns: Turn[] = [];
  let format: LineFormat | null = null;
  let line = linesBefore;
  let segmentStart = start;
  let position = start;
  for (const { bytes, end } of readLines(file, start, to)) {
    const lineStart = position;
    position = end;
    line++;
    const value = bytes === null ? null : parseLine(bytes.toString("utf8"));
    // A truncated or damaged line is skipped.
    if (!isFields(value)) continue;
    format ??= recogniseLine(value);
    const outcome = format?.read(value);
    if (outcome?.kind !== "turn") continue;
    const { role, text, at, id, isTitle = false } = outcome;
    if (role !== "summary") {
      const turn = { role, text, line, ...timed(at) };
      // A message that is written again replaces the earlier one.
      const known = id === undefined ? undefined : byId.get(id);
      if (known !== undefined) turns[known] = turn;
      else {
        if (id !== undefined) byId.set(id, turns.length);
        turns.push(turn);
      }
    } else if (!isTitle) {
      segments.push({ turns, start: segmentStart, end: lineStart });
      byId.clear();
      turns = [];
      segmentStart = end;
    }
  }
  return [...segments, { turns, start: segmentStart, end: position }];
}

/** A file of one JSON value is rewritten each time, so its positions are messages. */
function readValue(
  file: OpenFile,
  size: number,
  { from, maxBytes }: { from: number; maxBytes: number },
): Segment[] | null {
  if (size > maxBytes || !/^\s*\{/.test(file.read(0, 64).toString("utf8"))) return null;
  const value = parseLine(file.read(0, size).toString("utf8"));
  const { turns } = recogniseValue(value)?.read(value) ?? {};
  if (turns === undefined) return null;
  const end = turns.at(-1)?.line ?? 0;
  const start = Math.max(from <= end ? from : 0, turns.findLast(({ role }) => role === "summary")?.line ?? 0);
  const recent = turns.filter(({ role, line }) => role !== "summary" && line > start);
  return [{ turns: recent, start, end }];
}

/** The first line that begins at or after a position, and the number of lines before it. */
function findStart(file: OpenFile, limit: number, size: number): { start: number; line: number } {
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

function refuseShrinking(): LonghandError {
  return new LonghandError("note-unreadable", "The transcript became shorter while it was read.", {
    hint: "Try again.",
    retryable: true,
  });
}
