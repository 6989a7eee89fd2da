import { LonghandError } from "../../errors.ts";
import { isFields } from "../../text/fields.ts";
import { parseJson5 } from "../../text/parse-json.ts";
import { createSlices, sliceMs } from "../../timing.ts";
import { type FormatName, parseLine, type ReadTurns } from "./format.ts";
import { recogniseLine, recogniseValue } from "./formats.ts";
import type { OpenFile } from "./open-transcript.ts";

/** A file that is one value is held in memory as a whole. */
const maxValueBytes = 64 * 1024 * 1024;

export interface FoundTurns extends ReadTurns {
  readonly format: FormatName;
}

/** The turns of a file that is one value of a known format; null when it has to be read line by line. */
export async function readValue(file: OpenFile, shown: string): Promise<FoundTurns | null> {
  const size = Number(file.stats().size);
  const start = file.read(0, Math.min(size, startBytes)).toString("utf8").trimStart();
  if (!/^[[{/]/.test(start)) return null;
  const lineEnd = start.indexOf("\n");
  const first = lineEnd === -1 ? undefined : parseLine(start.slice(0, lineEnd));
  // A first line that is an object but no export means a file of lines.
  if (isFields(first) && recogniseValue(first) === null) return null;
  if (lineEnd !== -1 && /^\{"/.test(start) && recogniseSecondLine(start.slice(lineEnd + 1))) return null;
  if (size > maxValueBytes) {
    // A first line this long may or may not be followed by others.
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
  // Freed at once: collecting memory outside the heap may take seconds.
  if (all.buffer.byteLength === all.length && all.buffer instanceof ArrayBuffer) all.buffer.transfer(0);
  const format = value === undefined ? null : recogniseValue(value);
  return format === null ? null : { ...format.read(value), format: format.name };
}

const byteOrderMark = Buffer.from("\ufeff");

const startBytes = 64 * 1024;

/** Whether a first line longer than the sample is an object by itself. */
async function beginsWithLine(bytes: Buffer): Promise<boolean> {
  const end = bytes.indexOf("\n");
  const first = end === -1 || end === bytes.length - 1 ? undefined : await parseJson(bytes.subarray(0, end));
  return isFields(first) && recogniseValue(first) === null;
}

/** Decides when the first line is broken. */
function recogniseSecondLine(rest: string): boolean {
  const second = parseLine(rest.slice(0, rest.indexOf("\n") + 1 || undefined));
  return isFields(second) && recogniseLine(second) !== null;
}

/** JSON5 is slow to parse, and files written by hand are small. */
const maxJson5Bytes = 8 * 1024 * 1024;

async function parseValue(bytes: Buffer): Promise<unknown> {
  const value = await parseJson(bytes);
  if (value !== undefined || bytes.length > maxJson5Bytes) return value;
  try {
    return await parseJson5(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Undefined for invalid JSON. */
async function parseJson(bytes: Buffer): Promise<unknown> {
  try {
    return await parseLargeJson(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Bytes parsed in one step, which copies them to a string. */
const defaultPieceBytes = 256 * 1024;
/** Values nested deeper are parsed in one step. */
const maxDepth = 32;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * `JSON.parse` for many megabytes of UTF-8, in pieces and with pauses, so that the whole is never a string and the event
 * loop is not blocked. Throws a SyntaxError where `JSON.parse` would.
 */
export async function parseLargeJson(bytes: Buffer, pieceBytes = defaultPieceBytes): Promise<unknown> {
  let at = 0;
  const slices = createSlices(sliceMs);
  const value = await readValue(0);
  skipSpace();
  if (at < bytes.length) throw refuse();
  return value;

  async function readValue(depth: number): Promise<unknown> {
    skipSpace();
    const isContainer = bytes[at] === openList || bytes[at] === openObject;
    const end = findEnd(depth < maxDepth ? at + pieceBytes : bytes.length);
    if (end !== null) {
      const piece = bytes.toString("utf8", at, end);
      at = end;
      if (slices.isOver()) await slices.next();
      return JSON.parse(piece);
    }
    if (!isContainer) throw refuse();
    return bytes[at] === openList ? await readList(depth + 1) : await readObject(depth + 1);
  }

  async function readList(depth: number): Promise<unknown[]> {
    const list: unknown[] = [];
    at++;
    if (isNext(closeList)) return list;
    do list.push(await readValue(depth));
    while (isNext(comma));
    if (!isNext(closeList)) throw refuse();
    return list;
  }

  async function readObject(depth: number): Promise<object> {
    const fields: [string, unknown][] = [];
    at++;
    if (isNext(closeObject)) return {};
    do {
      skipSpace();
      if (bytes[at] !== quote) throw refuse();
      const name = (await readValue(depth)) as string;
      if (!isNext(colon)) throw refuse();
      fields.push([name, await readValue(depth)]);
    } while (isNext(comma));
    if (!isNext(closeObject)) throw refuse();
    // Assignment would treat `__proto__` specially.
    return Object.fromEntries(fields);
  }

  /** The end of the value that begins here; null for a list or object that extends beyond the limit. */
  function findEnd(limit: number): number | null {
    let depth = 0;
    for (let position = at; position < bytes.length; position++) {
      const byte = bytes[position]!;
      if (byte === quote) position = findQuote(position + 1);
      else if (byte === openList || byte === openObject) depth++;
      else if (byte === closeList || byte === closeObject) depth--;
      else if (depth > 0) continue;
      else {
        // A number or a word: it ends where something else begins.
        const start = position;
        while (position < bytes.length && !isDelimiter(bytes[position]!)) position++;
        return position > start ? position : null;
      }
      if (depth <= 0) return depth < 0 ? null : position + 1;
      if (position >= limit) return null;
    }
    return null;
  }

  function findQuote(from: number): number {
    for (let end = bytes.indexOf(quote, from); end !== -1; end = bytes.indexOf(quote, end + 1)) {
      let before = end - 1;
      while (bytes[before] === backslash) before--;
      if ((end - before) % 2 === 1) return end;
    }
    throw refuse();
  }

  function isNext(wanted: number): boolean {
    skipSpace();
    if (bytes[at] !== wanted) return false;
    at++;
    return true;
  }

  function skipSpace(): void {
    while (isSpace(bytes[at])) at++;
  }

  function refuse(): SyntaxError {
    return new SyntaxError(`No JSON at byte ${at}`);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return isSpace(byte) || byte === comma || byte === closeList || byte === closeObject || byte === colon;
}
