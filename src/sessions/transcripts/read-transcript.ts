import { setImmediate } from "node:timers/promises";
import { LonghandError } from "../../errors.ts";
import { sha256, sha256Of } from "../../text/hash.ts";
import { type Fields, type FormatName, isFields, type LineFormat, type ReadTurns } from "./format.ts";
import { lineFormatOf, recogniseLine, recogniseValue } from "./formats.ts";
import type { OpenFile } from "./open-file.ts";
import type { OpenTranscript } from "./open-transcript.ts";
import { parseLargeJson } from "./parse-large-json.ts";
import { renderTurn } from "./render.ts";
import type { TranscriptState } from "./transcript-state.ts";

export interface ReadOptions {
  /** Keys of the configuration, masked wherever they stand. */
  readonly literals: readonly string[];
  /** For errors. */
  readonly shown: string;
  /** A part is closed when it has so many characters: it is then never cut again, whatever is appended. */
  readonly partChars?: number | undefined;
}

/** Lines that were read since an earlier state, rendered, and the state after them. */
export interface TranscriptPart {
  readonly state: TranscriptState;
  /** The number of the first rendered line. */
  readonly firstLine: number;
  /** One line for each line of the file (or message); blank where nothing was said. */
  readonly lines: readonly string[];
  readonly isLast: boolean;
}

/** Small enough to be cut again for every message that is appended, large enough to be worth a transaction. */
const usualPartChars = 128 * 1024;
/** A file that is one value is held in memory as a whole. */
const maxValueBytes = 64 * 1024 * 1024;
const sliceMs = 8;

/** Reads on from a state: to the end of the file, or to the end of the part. */
export async function readTranscript(
  transcript: OpenTranscript,
  state: TranscriptState,
  options: ReadOptions,
): Promise<TranscriptPart> {
  if (state.offset === 0 && transcript.file !== null) {
    const found = await readValue(transcript.file, options);
    if (found !== null) return await renderValue(transcript, state, found, options);
  }
  return await renderLines(transcript, state, options);
}

async function renderLines(
  transcript: OpenTranscript,
  before: TranscriptState,
  { literals, shown, partChars = usualPartChars }: ReadOptions,
): Promise<TranscriptPart> {
  const size = transcript.end();
  const lines: string[] = [];
  let { offset, line, openLine, openChars, turns, malformed, hash, sizeBytes, startedAt } = before;
  let { isMuted, isExcluded } = before;
  let format = lineFormatOf(before.format);
  let recent = before.recent ?? [];
  let isClosed = false;
  let sliceEndsAt = performance.now() + sliceMs;

  for (const { bytes, end } of transcript.lines(offset, size)) {
    offset = end;
    line++;
    const rendered = (await take(bytes)) ?? "";
    if (rendered !== "") {
      turns++;
      hash = sha256(`${hash}${line}:${rendered}`);
      sizeBytes += Buffer.byteLength(rendered);
    }
    lines.push(rendered);
    openChars += rendered.length + 1;
    if (openChars >= partChars) {
      isClosed = true;
      break;
    }
    if (performance.now() > sliceEndsAt) {
      await setImmediate();
      sliceEndsAt = performance.now() + sliceMs;
    }
  }
  if (isClosed) {
    openLine = line + 1;
    openChars = 0;
  }
  // A file of which no line is known is no transcript yet: it is looked at from its beginning when it has changed.
  const isKnown = format !== null;
  const read = { offset, line, openLine, openChars, turns, malformed, hash, sizeBytes, startedAt };
  const state = isKnown
    ? {
        ...before,
        ...read,
        isMuted,
        isExcluded,
        ...hashEnds(transcript, before, offset),
        format: format!.name,
        ...(recent.length > 0 && { recent }),
      }
    : before;
  refuseShorter(transcript, offset, shown);
  return {
    state,
    firstLine: before.line + 1,
    lines: isKnown ? lines : [],
    isLast: !isKnown || !isClosed,
  };

  /** The rendered turn of a line, or null when it has none. */
  async function take(bytes: Buffer | null): Promise<string | null> {
    const parsed = bytes === null ? undefined : parseLine(bytes);
    if (parsed === null) return null;
    if (!isFields(parsed)) {
      malformed++;
      return null;
    }
    format ??= recogniseLine(parsed);
    return format === null ? null : await takeFields(parsed, format);
  }

  async function takeFields(fields: Fields, { read: readLine }: LineFormat): Promise<string | null> {
    const outcome = readLine(fields);
    if (outcome.kind === "malformed") malformed++;
    if (outcome.kind === "automatic") isMuted = true;
    if (outcome.kind === "excluded") isExcluded = true;
    if (outcome.kind === "turn" || outcome.kind === "other") startedAt ??= outcome.at ?? null;
    if (outcome.kind !== "turn" || isExcluded) return null;
    if (outcome.role === "user" && outcome.text.trim() !== "") isMuted = false;
    if (isMuted && outcome.role === "assistant") return null;
    if (outcome.id !== undefined) {
      const key = `${outcome.id}:${sha256(outcome.text).slice(0, 8)}`;
      if (recent.includes(key)) return null;
      recent = [...recent, key].slice(-maxRecent);
    }
    return await renderTurn(outcome.role, outcome.text, literals);
  }
}

/** A message is written again while its tools run, and then no more. */
const maxRecent = 8;

function parseLine(bytes: Buffer): unknown {
  return parseText(bytes.toString("utf8").replace(/^\ufeff/, ""));
}

/** Null for a blank line, undefined for one that is no JSON. */
function parseText(line: string): unknown {
  const text = line.trim();
  if (text === "") return null;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

interface FoundTurns extends ReadTurns {
  readonly format: FormatName;
}

/** What was said in a file that is one value of a known format; null when it is to be read line by line. */
async function readValue(file: OpenFile, { shown }: ReadOptions): Promise<FoundTurns | null> {
  const size = Number(file.stats().size);
  const start = file
    .read(0, Math.min(size, startBytes))
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (!/^[[{/]/.test(start)) return null;
  const lineEnd = start.indexOf("\n");
  const first = lineEnd === -1 ? undefined : parseText(start.slice(0, lineEnd));
  // A line that is an object by itself, and no export, begins a file of lines.
  if (isFields(first) && recogniseValue(first) === null) return null;
  if (lineEnd !== -1 && /^\{"/.test(start) && recogniseSecondLine(start.slice(lineEnd + 1))) return null;
  if (size > maxValueBytes) {
    // A first line of many kilobytes does not tell whether there are others.
    if (start.startsWith("{")) return null;
    throw new LonghandError(
      "note-too-large",
      `${shown} is left out: as one JSON value of ${size} bytes it is over the ${maxValueBytes} that are read at once.`,
      { hint: "Split the export into files with fewer conversations." },
    );
  }
  const all = file.read(0, size);
  const bytes = all.subarray(0, 3).equals(byteOrderMark) ? all.subarray(3) : all;
  if (lineEnd === -1 && (await beginsWithLine(bytes))) return null;
  const value = await parseValue(bytes);
  // Given back at once: it may take seconds until memory outside the heap is collected.
  if (all.buffer.byteLength === all.length && all.buffer instanceof ArrayBuffer) all.buffer.transfer(0);
  const format = value === undefined ? null : recogniseValue(value);
  return format === null ? null : { ...format.read(value), format: format.name };
}

const byteOrderMark = Buffer.from("\ufeff");

const startBytes = 64 * 1024;

/** Whether a first line that is longer than what was looked at is an object by itself. */
async function beginsWithLine(bytes: Buffer): Promise<boolean> {
  const end = bytes.indexOf("\n");
  const first = end === -1 || end === bytes.length - 1 ? undefined : await parseJson(bytes.subarray(0, end));
  return isFields(first) && recogniseValue(first) === null;
}

/** The first line may be broken; what the next says decides. */
function recogniseSecondLine(rest: string): boolean {
  const second = parseText(rest.slice(0, rest.indexOf("\n") + 1 || undefined));
  return isFields(second) && recogniseLine(second) !== null;
}

/** JSON5 may be written by hand, so no such file is large; reading it takes a hundred times as long as JSON. */
const maxJson5Bytes = 8 * 1024 * 1024;

async function parseValue(bytes: Buffer): Promise<unknown> {
  const value = await parseJson(bytes);
  if (value !== undefined || bytes.length > maxJson5Bytes) return value;
  const { default: json5 } = await import("json5");
  try {
    return json5.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Undefined for what is no JSON. */
async function parseJson(bytes: Buffer): Promise<unknown> {
  try {
    return await parseLargeJson(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Messages by their number. Two of one number share its line. Empties the list of turns, so that a turn is not held any
 * longer once it is rendered.
 */
async function renderValue(
  transcript: OpenTranscript,
  before: TranscriptState,
  { turns, malformed, format }: FoundTurns,
  { literals, shown }: ReadOptions,
): Promise<TranscriptPart> {
  const lastLine = turns.at(-1)?.line ?? 0;
  const startedAt = turns.find(({ at }) => at !== undefined)?.at ?? null;
  const lines: string[] = [];
  let count = 0;
  let sliceEndsAt = performance.now() + sliceMs;
  turns.reverse();
  for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
    const { role, text, line } = turn;
    const rendered = await renderTurn(role, text, literals);
    if (rendered === null) continue;
    while (lines.length < line) lines.push("");
    const last = Math.max(line, lines.length) - 1;
    lines[last] = lines[last] ? `${lines[last]} ${rendered}` : rendered;
    count++;
    if (performance.now() > sliceEndsAt) {
      await setImmediate();
      sliceEndsAt = performance.now() + sliceMs;
    }
  }
  const offset = transcript.end();
  const state: TranscriptState = {
    ...before,
    ...hashEnds(transcript, before, offset),
    format,
    offset,
    line: Math.max(lines.length, lastLine),
    turns: count,
    malformed,
    // Of the joined lines, which are not joined for it: that would be one more copy of all of them.
    hash: sha256Of(lines.map((each, index) => (index === 0 ? each : `\n${each}`))),
    sizeBytes: lines.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, lines.length === 0 ? 0 : -1),
    startedAt,
  };
  refuseShorter(transcript, offset, shown);
  return { state, firstLine: 1, lines, isLast: true };
}

function hashEnds(transcript: OpenTranscript, before: TranscriptState, offset: number) {
  if (offset === before.offset) return { head: before.head, tail: before.tail };
  const head = transcript.hasWholeHead(before.offset) ? before.head : transcript.head(offset);
  return { head, tail: transcript.tail(offset) };
}

/** A file that was cut while it was read may have been read half from before and half from after. */
function refuseShorter(transcript: OpenTranscript, offset: number, shown: string): void {
  if (transcript.end() >= offset) return;
  throw new LonghandError("note-unreadable", `${shown} cannot be read: it became shorter meanwhile.`, {
    hint: "Try again.",
    retryable: true,
  });
}
