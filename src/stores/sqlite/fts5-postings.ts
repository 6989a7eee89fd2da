import type { DatabaseSync } from "node:sqlite";

/*
 * Reads postings of chunks_fts directly from FTS5's shadow tables. FTS5's own interface returns rows, at about a
 * microsecond each, and common tokens match thousands. The format is documented at the top of SQLite's fts5_index.c and
 * has a version, which is checked. Anything unexpected gives null, and the caller queries FTS5.
 *
 * chunks_fts_data
 *   id 1: the number of rows, and of tokens per column. id 10: the segments. All others are pages of segments.
 *   A segment holds terms in order, each with its doclist: for each row its key (a delta, but absolute at the beginning
 *   of a page), the length of its position list, and that list. Deleted keys of a segment are in hash tables.
 * chunks_fts_idx
 *   The page of a segment on which a term would be.
 */

/** The chunks that contain a token, with its frequency in both columns: parallel arrays, in order of keys. */
export interface Postings {
  readonly keys: Float64Array;
  readonly body: Uint16Array;
  readonly head: Uint16Array;
}

interface Segment {
  readonly id: number;
  readonly firstPage: number;
  readonly lastPage: number;
  readonly deleted: ReadonlySet<number>;
}

const knownVersion = 4;
const totalsId = 1;
const structureId = 10;
/** After a four-byte cookie, this marks a structure with deleted rows per segment. */
const secondStructure = [0xff, 0, 0, 1];
const pageIdsOfSegment = 2 ** 37;
const tombstoneSegments = 2 ** 16;
const pageHeaderBytes = 4;
/** FTS5 writes it before each term of the main index, as opposed to a prefix index. */
const mainTerm = "0";
/** Where a position list continues with another column. */
const columnMark = 1;
const maxCount = 0xffff;

export interface Fts5Reader {
  /** FTS5's row and token counts, for BM25. */
  totals(): { readonly chunks: number; readonly tokens: number } | null;
  postings(word: string): Postings | null;
}

/** Valid for one state of the index: to be created again when that changes. */
export function createFts5Reader(statements: Fts5Statements): Fts5Reader | null {
  if (statements.version() !== knownVersion) return null;
  const structure = statements.block(structureId);
  const segments = structure && readSegments(structure, statements);
  if (!segments) return null;
  return {
    totals: () => {
      const page = statements.block(totalsId);
      if (page === null) return null;
      const cursor = { page, at: 0 };
      const [chunks, body, head] = [readNumber(cursor), readNumber(cursor), readNumber(cursor)];
      return cursor.at <= page.length ? { chunks, tokens: body + head } : null;
    },
    postings: (word) => {
      const term = Buffer.from(mainTerm + word);
      const found = createGathering();
      for (const segment of segments) if (!readDoclist(statements, segment, term, found.add)) return null;
      return found.postings();
    },
  };
}

export interface Fts5Statements {
  version(): number;
  block(id: number | bigint): Uint8Array | null;
  pageOf(segment: number, term: Uint8Array): number | null;
}

export function prepareFts5Statements(db: DatabaseSync): Fts5Statements {
  const version = db.prepare("SELECT v FROM chunks_fts_config WHERE k = 'version'");
  const block = db.prepare("SELECT block FROM chunks_fts_data WHERE id = ?");
  const page = db.prepare(
    "SELECT pgno FROM chunks_fts_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1",
  );
  for (const statement of [version, block, page]) statement.setReturnArrays(true);
  return {
    version: () => (version.get() as unknown as [number] | undefined)?.[0] ?? 0,
    block: (id) => {
      const value = (block.get(id) as unknown as [unknown] | undefined)?.[0];
      return value instanceof Uint8Array ? value : null;
    },
    // The lowest bit is a flag.
    pageOf: (segment, term) => {
      const value = (page.get(segment, term) as unknown as [number] | undefined)?.[0];
      return value === undefined ? null : Math.floor(value / 2);
    },
  };
}

function readSegments(page: Uint8Array, statements: Fts5Statements): Segment[] | null {
  const cursor = { page, at: 4 };
  if (!secondStructure.every((byte) => page[cursor.at++] === byte)) return null;
  const levels = readNumber(cursor);
  readNumber(cursor); // segments in all
  readNumber(cursor); // how much was written
  const byLevel: Segment[][] = [];
  for (let level = 0; level < levels && cursor.at <= page.length; level++) {
    const segments: Segment[] = [];
    byLevel.push(segments);
    readNumber(cursor); // segments that are being merged
    const count = readNumber(cursor);
    for (let nth = 0; nth < count && cursor.at <= page.length; nth++) {
      const [id, firstPage, lastPage] = [readNumber(cursor), readNumber(cursor), readNumber(cursor)];
      readNumber(cursor); // the first and the last origin of its rows
      readNumber(cursor);
      const tombstonePages = readNumber(cursor);
      readNumber(cursor); // deleted rows, and all
      readNumber(cursor);
      const deleted = readTombstones(id, tombstonePages, statements);
      if (deleted === null) return null;
      // A merge in progress may have consumed all of it already.
      if (firstPage > 0) segments.push({ id, firstPage, lastPage, deleted });
    }
  }
  // The oldest first, so that keys ascend.
  return cursor.at === page.length ? byLevel.reverse().flat() : null;
}

/** The keys in the hash tables of a segment. A slot with 0 is free; key 0 does not occur. */
function readTombstones(id: number, pages: number, statements: Fts5Statements): Set<number> | null {
  const deleted = new Set<number>();
  for (let page = 0; page < pages; page++) {
    const block = statements.block(BigInt(id + tombstoneSegments) * BigInt(pageIdsOfSegment) + BigInt(page));
    if (block === null) return null;
    const table = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    const slotBytes = table[0] === 4 ? 4 : 8;
    for (let at = 8; at + slotBytes <= table.length; at += slotBytes) {
      const key = slotBytes === 4 ? table.readUInt32BE(at) : Number(table.readBigUInt64BE(at));
      if (key !== 0) deleted.add(key);
    }
  }
  return deleted;
}

/** Adds the postings of a term in one segment; false if the format is not as expected. */
function readDoclist(
  statements: Fts5Statements,
  { id, firstPage, lastPage, deleted }: Segment,
  term: Uint8Array,
  add: Gathering["add"],
): boolean {
  let pageNumber = Math.max(statements.pageOf(id, term) ?? firstPage, firstPage);
  const first = statements.block(id * pageIdsOfSegment + pageNumber);
  if (first === null || first.length < pageHeaderBytes) return false;
  const place = findTerm(first, term);
  if (place === null) return true;
  const cursor = { page: first, at: place.start };
  let leafEnd = leafEndOf(first);
  let doclistEnd = place.end;
  const turnPage = (): boolean => {
    const page = pageNumber === lastPage ? null : statements.block(id * pageIdsOfSegment + ++pageNumber);
    if (page === null || page.length < pageHeaderBytes) return false;
    cursor.page = page;
    cursor.at = pageHeaderBytes;
    leafEnd = leafEndOf(page);
    // The doclist ends where the first term of the page begins.
    doclistEnd = page.length > leafEnd ? readNumber({ page, at: leafEnd }) : Number.POSITIVE_INFINITY;
    return true;
  };
  let key = 0;
  for (let isFirst = true; ; isFirst = false) {
    if (cursor.at >= leafEnd) {
      if (!isFirst && pageNumber === lastPage) return cursor.at === leafEnd;
      if (!turnPage()) return false;
    }
    if (!isFirst && cursor.at >= doclistEnd) return cursor.at === doclistEnd;
    const isWhole = isFirst || cursor.at === firstKeyOf(cursor.page);
    const number = readNumber(cursor);
    key = isWhole ? number : key + number;
    const size = readNumber(cursor);
    // The lowest bit marks a deleted row in tables of another kind.
    if (size % 2 === 1 || key <= 0 || !Number.isSafeInteger(key)) return false;
    let left = size / 2;
    let [body, head] = [0, 0];
    let column = 0;
    let isMarked = false;
    while (left > 0) {
      // A page may end after any number.
      if (cursor.at >= leafEnd && !turnPage()) return false;
      const from = cursor.at;
      const value = readNumber(cursor);
      if (isMarked) column = value;
      else if (value !== columnMark && column === 0) body++;
      else if (value !== columnMark) head++;
      isMarked = !isMarked && value === columnMark;
      left -= cursor.at - from;
    }
    if (left !== 0) return false;
    if (!deleted.has(key)) add(key, body, head);
  }
}

type Gathering = ReturnType<typeof createGathering>;

/** Growing typed arrays: an object for each chunk would take most of the time. */
function createGathering() {
  let keys = new Float64Array(64);
  let body = new Uint16Array(64);
  let head = new Uint16Array(64);
  let count = 0;
  let isInOrder = true;
  const grow = (): void => {
    const [moreKeys, moreBody, moreHead] = [
      new Float64Array(4 * count),
      new Uint16Array(4 * count),
      new Uint16Array(4 * count),
    ];
    moreKeys.set(keys);
    moreBody.set(body);
    moreHead.set(head);
    [keys, body, head] = [moreKeys, moreBody, moreHead];
  };
  return {
    add: (key: number, inBody: number, inHead: number): void => {
      if (count === keys.length) grow();
      if (count > 0 && keys[count - 1]! >= key) isInOrder = false;
      keys[count] = key;
      body[count] = Math.min(inBody, maxCount);
      head[count] = Math.min(inHead, maxCount);
      count++;
    },
    postings: (): Postings => {
      const all = { keys: keys.slice(0, count), body: body.slice(0, count), head: head.slice(0, count) };
      if (isInOrder) return all;
      // Tokens of earlier chunks are in a later segment if they were rewritten.
      const order = [...all.keys.keys()].sort((left, right) => all.keys[left]! - all.keys[right]!);
      return {
        keys: all.keys.map((_, at) => all.keys[order[at]!]!),
        body: all.body.map((_, at) => all.body[order[at]!]!),
        head: all.head.map((_, at) => all.head[order[at]!]!),
      };
    },
  };
}

function firstKeyOf(page: Uint8Array): number {
  return (page[0]! << 8) | page[1]!;
}

function leafEndOf(page: Uint8Array): number {
  return (page[2]! << 8) | page[3]!;
}

/** The offset of a term's doclist on its page, and that of the next term; null if the term is missing. */
function findTerm(page: Uint8Array, term: Uint8Array): { start: number; end: number } | null {
  const index = { page, at: leafEndOf(page) };
  const cursor = { page, at: 0 };
  let termAt = 0;
  let matched = 0;
  for (let isFirst = true; index.at < page.length; isFirst = false) {
    termAt += readNumber(index);
    cursor.at = termAt;
    // The length of the prefix shared with the previous term.
    const kept = isFirst ? 0 : readNumber(cursor);
    const added = readNumber(cursor);
    if (kept < matched) return null;
    if (kept > matched) continue;
    const { at } = cursor;
    let same = 0;
    while (same < added && matched + same < term.length && page[at + same] === term[matched + same]) same++;
    matched += same;
    if (matched === term.length) {
      if (same < added) return null;
      const end = index.at < page.length ? termAt + readNumber(index) : Number.POSITIVE_INFINITY;
      return { start: at + added, end };
    }
    if (same < added && page[at + same]! > term[matched]!) return null;
  }
  return null;
}

interface Cursor {
  page: Uint8Array;
  at: number;
}

/**
 * SQLite's varint: seven bits per byte, most significant first; the high bit says that more follow. A ninth byte, which
 * has eight bits, would begin at 2^56: keys and lengths are far below.
 */
function readNumber(cursor: Cursor): number {
  const { page } = cursor;
  let byte = page[cursor.at++]!;
  let number = byte & 127;
  while (byte >= 128) {
    byte = page[cursor.at++]!;
    number = number * 128 + (byte & 127);
  }
  return number;
}
