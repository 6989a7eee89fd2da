import { LonghandError } from "../../errors.ts";
import { type Fields, isFields } from "../../text/fields.ts";
import { sha256, sha256Of } from "../../text/hash.ts";
import { redactInSlices } from "../../text/redact.ts";
import { createSlices, sliceMs } from "../../timing.ts";
import { type LineFormat, parseLine, type Role } from "./format.ts";
import { lineFormatOf, recogniseLine } from "./formats.ts";
import type { OpenTranscript } from "./open-transcript.ts";
import { type FoundTurns, readValue } from "./read-value.ts";
import type { TranscriptState } from "./transcript-state.ts";

export interface ReadOptions {
  /** Keys of the configuration, which are always masked. */
  readonly literals: readonly string[];
  /** For errors. */
  readonly shown: string;
  /** A part of this size is closed: it is never cut again, whatever is appended. */
  readonly partChars?: number | undefined;
  /** For people: the index needs one line for a turn. */
  readonly keepsLineBreaks?: boolean;
}

/** Lines that were read since an earlier state, rendered, and the state after them. */
export interface TranscriptPart {
  readonly state: TranscriptState;
  /** The number of the first rendered line. */
  readonly firstLine: number;
  /** One line for each line of the file (or message); blank where there is no turn. */
  readonly lines: readonly string[];
  readonly isLast: boolean;
}

/** Small enough to be cut again for every appended message, large enough to be worth a transaction. */
const defaultPartChars = 128 * 1024;

/** Reads on from a state: to the end of the file, or to the end of the part. */
export async function readTranscript(
  transcript: OpenTranscript,
  state: TranscriptState,
  options: ReadOptions,
): Promise<TranscriptPart> {
  if (state.offset === 0 && transcript.file !== null) {
    const found = await readValue(transcript.file, options.shown);
    if (found !== null) return await renderValue(transcript, state, found, options);
  }
  return await renderLines(transcript, state, options);
}

async function renderLines(
  transcript: OpenTranscript,
  before: TranscriptState,
  options: ReadOptions,
): Promise<TranscriptPart> {
  const { shown, partChars = defaultPartChars } = options;
  const size = transcript.end();
  const lines: string[] = [];
  let { offset, line, openLine, openChars, turns, malformed, hash, sizeBytes, startedAt } = before;
  let { isMuted, isExcluded } = before;
  let format = lineFormatOf(before.format);
  let recent = before.recent ?? [];
  let isClosed = false;
  const slices = createSlices(sliceMs);

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
    if (slices.isOver()) await slices.next();
  }
  if (isClosed) {
    openLine = line + 1;
    openChars = 0;
  }
  // A file without a recognised line is no transcript yet: it is read from the start again when it has changed.
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
    const parsed = bytes === null ? undefined : parseLine(bytes.toString("utf8"));
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
    return await renderTurn(outcome.role, outcome.text, options);
  }
}

/** A message is written again only while its tools run. */
const maxRecent = 8;

/**
 * Messages by their number; two with one number share its line. Empties the list of turns, to free each one once it is
 * rendered.
 */
async function renderValue(
  transcript: OpenTranscript,
  before: TranscriptState,
  { turns, malformed, format }: FoundTurns,
  options: ReadOptions,
): Promise<TranscriptPart> {
  const lastLine = turns.at(-1)?.line ?? 0;
  const startedAt = turns.find(({ at }) => at !== undefined)?.at ?? null;
  const lines: string[] = [];
  let count = 0;
  const slices = createSlices(sliceMs);
  turns.reverse();
  for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
    const { role, text, line } = turn;
    const rendered = await renderTurn(role, text, options);
    if (rendered === null) continue;
    while (lines.length < line) lines.push("");
    const last = Math.max(line, lines.length) - 1;
    lines[last] = lines[last] ? `${lines[last]} ${rendered}` : rendered;
    count++;
    if (slices.isOver()) await slices.next();
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
    // The hash of the joined lines, without joining them, which would copy all of them.
    hash: sha256Of(lines.map((each, index) => (index === 0 ? each : `\n${each}`))),
    sizeBytes: lines.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, lines.length === 0 ? 0 : -1),
    startedAt,
  };
  refuseShorter(transcript, offset, options.shown);
  return { state, firstLine: 1, lines, isLast: true };
}

function hashEnds(transcript: OpenTranscript, before: TranscriptState, offset: number) {
  if (offset === before.offset) return { head: before.head, tail: before.tail };
  const head = transcript.hasWholeHead(before.offset) ? before.head : transcript.head(offset);
  return { head, tail: transcript.tail(offset) };
}

/** A file that was truncated during the read may mix old and new content. */
function refuseShorter(transcript: OpenTranscript, offset: number, shown: string): void {
  if (transcript.end() >= offset) return;
  throw new LonghandError("note-unreadable", `${shown} cannot be read: it became shorter meanwhile.`, {
    hint: "Try again.",
    retryable: true,
  });
}

const speakers: Readonly<Record<Role, string>> = { user: "User", assistant: "Assistant", summary: "Summary" };

/** Longer turns are cut: the rest is mostly pasted text. */
const maxTurnChars = 65_536;

/**
 * One line for a turn: `User: …`, with every secret masked and white space collapsed. Null for an empty turn. Masking
 * comes first, so that no later step sees a secret.
 */
async function renderTurn(
  role: Role,
  text: string,
  { literals, keepsLineBreaks = false }: ReadOptions,
): Promise<string | null> {
  const { text: masked } = await redactInSlices(cutBeforeMasking(text), { literals });
  const said = keepsLineBreaks
    ? tidyLines(masked)
    : masked.replaceAll(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
  if (said === "") return null;
  return cutText(`${speakers[role]}: ${said}`.toWellFormed(), maxTurnChars);
}

/** Keeps lines and their indentation, with at most one blank line between them. */
function tidyLines(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, " ")
    .replaceAll(/[^\S\n]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Drops pasted megabytes before masking. Cuts after a line or word, so that no half of a secret is left, and leaves room
 * for the white space that collapses.
 */
function cutBeforeMasking(text: string): string {
  const maxChars = 8 * maxTurnChars;
  if (text.length <= maxChars) return text;
  const end = text.slice(maxTurnChars, maxChars).search(/\s\S*$/);
  return text.slice(0, end === -1 ? maxTurnChars : maxTurnChars + end);
}

function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = maxChars - 1;
  const isInsidePair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  // A copy: a slice would keep the whole original in memory.
  return Buffer.from(`${text.slice(0, isInsidePair ? end - 1 : end)}…`).toString();
}
