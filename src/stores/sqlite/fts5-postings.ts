import type { Corpus } from "../candidates.ts";
import {
  collectPostings,
  type Fts5Statements,
  type PostingsCollection,
  type PostingsReader,
} from "./postings.ts";
import { countMarkByte, readCounts } from "./terms.ts";

/*
 * Reads postings of chunks_fts directly from FTS5's shadow tables. FTS5's own interface returns rows, at about a
 * microsecond each, and common tokens match thousands. The format is documented at the top of SQLite's fts5_index.c and
 * has a version, which is checked. Anything unexpected gives null, and the caller asks `fts5vocab`.
 *
 * chunks_fts_data
 *   id 1: the number of rows, and of tokens. id 10: the segments. All others are pages of segments.
 *   A segment holds terms in order, each with its doclist: the keys of its rows, as deltas, but absolute at the
 *   beginning of a page. Deleted keys of a segment are in hash tables.
 * chunks_fts_idx
 *   The page of a segment on which a term would be.
 */

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
const mainTerm = Buffer.from("0");

/** Valid for one state of the index: to be created again when that changes. */
export function createFts5Reader(statements: Fts5Statements): PostingsReader | null {
  if (statements.version() !== knownVersion) return null;
  const structure = statements.block(structureId);
  const segments = structure && readSegments(structure, statements);
  if (!segments) return null;
  return {
    postings: (token) => {
      const bytes = Buffer.from(token);
      const found = collectPostings();
      return segments.every((segment) => readTerms(statements, segment, bytes, found))
        ? found.postings()
        : null;
    },
  };
}

/**
 * FTS5's row and token counts, for BM25. Those of deleted rows stay in them. Null if nothing was ever written.
 */
export function readTotals(statements: Fts5Statements): Corpus | null {
  const page = statements.block(totalsId);
  if (page === null) return null;
  const cursor = { page, at: 0 };
  const [chunks, tokens] = [readNumber(cursor), readNumber(cursor)];
  return cursor.at <= page.length ? { chunks, tokens } : null;
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

/** A page of terms and doclists, and where its next term begins: `noTerm` if there is none. */
interface Leaf {
  readonly page: Uint8Array;
  readonly number: number;
  readonly end: number;
  /** In the offsets of all terms, which follow the leaf. */
  readonly offsets: Cursor;
  nextTerm: number;
  isFirstTerm: boolean;
}

/** Beyond every page, and a small integer for V8: with infinity, each position would be a float on the heap. */
const noTerm = 2 ** 30 - 1;

function openLeaf(statements: Fts5Statements, segment: Segment, number: number): Leaf | null {
  const page = statements.block(segment.id * pageIdsOfSegment + number);
  if (page === null) return null;
  const end = (page[2]! << 8) | page[3]!;
  if (end < pageHeaderBytes || end > page.length) return null;
  const offsets = { page, at: end };
  const nextTerm = end < page.length ? readNumber(offsets) : noTerm;
  return { page, number, end, offsets, nextTerm, isFirstTerm: true };
}

/** Sets the next term to the one after it. */
function passTerm(leaf: Leaf): void {
  const { offsets, page } = leaf;
  leaf.nextTerm = offsets.at < page.length ? leaf.nextTerm + readNumber(offsets) : noTerm;
  leaf.isFirstTerm = false;
}

/**
 * Passes terms before the wanted one, but not the last one: those that share more than `matched` bytes with the term
 * before them, or as many and go on with a lower one. They are hundreds for each token of a question, mostly before this
 * is compiled: hence no calls, and only numbers of one byte.
 */
function passLower(leaf: Leaf, token: Uint8Array, matched: number): void {
  const { offsets, page, end } = leaf;
  const wanted = token[matched]!;
  let { at } = offsets;
  let term = leaf.nextTerm;
  for (;;) {
    const kept = page[term]!;
    if (kept < matched || kept >= 128) break;
    if (kept === matched && (page[term + 1]! >= 128 || page[term + 2]! >= wanted)) break;
    const length = at < page.length ? page[at]! : end;
    if (length >= 128 || term + length >= end) break;
    term += length;
    at++;
  }
  offsets.at = at;
  leaf.nextTerm = term;
}

/** Adds the postings of a token in one segment; false if the format is not as expected. */
function readTerms(
  statements: Fts5Statements,
  segment: Segment,
  token: Uint8Array,
  found: PostingsCollection,
): boolean {
  const bytes = Buffer.concat([mainTerm, token]);
  const { firstPage, lastPage, deleted } = segment;
  let leaf = openLeaf(
    statements,
    segment,
    Math.max(statements.pageOf(segment.id, bytes) ?? firstPage, firstPage),
  );
  if (leaf === null) return false;
  let term = findTerm(leaf, bytes);
  while (term !== null) {
    const counts = readCounts(term.suffix);
    if (counts === null) return false;
    const group = found.group(counts);
    let { page, end } = leaf;
    let at = term.doclist;
    let key = 0;
    for (;;) {
      if (at >= end || at >= leaf.nextTerm) {
        if (at === leaf.nextTerm) break;
        if (at !== end) return false;
        if (leaf.number === lastPage) return true;
        leaf = openLeaf(statements, segment, leaf.number + 1);
        if (leaf === null) return false;
        ({ page, end } = leaf);
        at = pageHeaderBytes;
        // Keys are absolute again.
        key = 0;
        continue;
      }
      let byte = page[at++]!;
      let delta = byte & 127;
      while (byte >= 128) {
        byte = page[at++]!;
        delta = delta * 128 + (byte & 127);
      }
      key += delta;
      // Zero marks a deleted row in tables of another kind.
      if (delta === 0 || key > Number.MAX_SAFE_INTEGER) return false;
      if (deleted.size === 0 || !deleted.has(key)) group.add(key);
    }
    term = readVariant(leaf, bytes, term.suffix);
  }
  return true;
}

interface FoundTerm {
  /** What follows the token in it. */
  readonly suffix: string;
  readonly doclist: number;
}

/** The first term of a token on the page where it would be; null if there is none. */
function findTerm(leaf: Leaf, token: Uint8Array): FoundTerm | null {
  const { page } = leaf;
  const cursor = { page, at: 0 };
  let matched = 0;
  for (; leaf.nextTerm < leaf.end; passTerm(leaf)) {
    if (!leaf.isFirstTerm) passLower(leaf, token, matched);
    cursor.at = leaf.nextTerm;
    // The length of the prefix shared with the previous term.
    const kept = leaf.isFirstTerm ? 0 : readNumber(cursor);
    const added = readNumber(cursor);
    if (kept < matched) return null;
    if (kept > matched) continue;
    const { at } = cursor;
    let same = 0;
    while (same < added && matched + same < token.length && page[at + same] === token[matched + same]) same++;
    matched += same;
    if (matched === token.length) {
      // Its own terms precede those of longer tokens.
      if (same < added && page[at + same] !== countMarkByte) return null;
      passTerm(leaf);
      return { suffix: readText(page, at + same, at + added), doclist: at + added };
    }
    if (same < added && page[at + same]! > token[matched]!) return null;
  }
  return null;
}

/** The next term if it is one of the same token. */
function readVariant(leaf: Leaf, token: Uint8Array, before: string): FoundTerm | null {
  const { page } = leaf;
  const cursor = { page, at: leaf.nextTerm };
  const kept = leaf.isFirstTerm ? 0 : readNumber(cursor);
  const added = readNumber(cursor);
  const { at } = cursor;
  const end = at + added;
  let suffix: string;
  if (leaf.isFirstTerm) {
    if (added < token.length || token.some((byte, index) => page[at + index] !== byte)) return null;
    suffix = readText(page, at + token.length, end);
  } else {
    if (kept < token.length) return null;
    suffix = before.slice(0, kept - token.length) + readText(page, at, end);
  }
  if (suffix.charCodeAt(0) !== countMarkByte) return null;
  passTerm(leaf);
  return { suffix, doclist: end };
}

function readText(page: Uint8Array, start: number, end: number): string {
  return Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString("latin1", start, end);
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
