import { setImmediate } from "node:timers/promises";

/** What is parsed in one step, which holds a copy of it as text. */
const usualPieceBytes = 256 * 1024;
/** Large values that are deeper inside each other are parsed in one step. */
const maxDepth = 32;
const sliceMs = 8;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * `JSON.parse` for many megabytes of UTF-8, in pieces and with pauses: never is all of it a string, which would take
 * twice as many bytes, and other work is not kept waiting. Throws a SyntaxError where `JSON.parse` would.
 */
export async function parseLargeJson(bytes: Buffer, pieceBytes = usualPieceBytes): Promise<unknown> {
  let at = 0;
  let sliceEndsAt = performance.now() + sliceMs;
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
      if (performance.now() > sliceEndsAt) {
        await setImmediate();
        sliceEndsAt = performance.now() + sliceMs;
      }
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
    // Not by assignment, for which `__proto__` is no name like others.
    return Object.fromEntries(fields);
  }

  /** Where the value that begins here ends; null for a list or an object that goes on beyond the limit. */
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
