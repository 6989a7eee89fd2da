import type { MissingText, NarrowTexts } from "../store-vectors.ts";
import { vectorCodings } from "../vectors/vector-codes.ts";
import { createVectorScan } from "../vectors/vector-scan.ts";
import { cacheUntilChange, createHeldRows } from "./held-rows.ts";
import type { LanceTable } from "./lance-package.ts";
import type { Session } from "./session.ts";
import { findRows, findRowsWith, isChunk } from "./sql.ts";
import { findSet, type SetRecord, setTableName } from "./vector-records.ts";

/** The texts of a vector set in memory, with their codes if the set has any. */
export interface SetTexts {
  has(hash: string): boolean;
  readonly sizeBytes: number;
  /** For each position the similarity of the best vector, −Infinity if there is none. Valid until the next call. */
  score(query: Float32Array): Float32Array;
  indexOf(hash: string): number | undefined;
  hashAt(location: number): string | undefined;
}

/** A row in the table of a set. */
export type SetRow = {
  readonly hash: string;
  readonly codes: Uint8Array | null;
};

export interface HeldSetTexts {
  /** Reads the table if it has changed. */
  refresh(table: LanceTable): Promise<SetTexts>;
  /** Adds what our own commit wrote, so that it need not be read again. */
  note(rows: readonly SetRow[], version: number): void;
}

/** `dims` is 0 for a set without codes. */
function createSetTexts(dims: number): HeldSetTexts {
  let scan = createVectorScan("bits", Math.max(dims, 1));
  let places = new Map<string, number>();
  let hashes: (string | undefined)[] = [];
  let sizeBytes = 0;
  const width = vectorCodings.bits.widthOf(dims);

  const clear = (): void => {
    scan = createVectorScan("bits", Math.max(dims, 1));
    places = new Map();
    hashes = [];
    sizeBytes = 0;
  };

  const add = ({ hash, codes }: SetRow): void => {
    if (places.has(hash) || (codes !== null && !isWhole(codes, width))) return;
    if (codes !== null) {
      scan.append(codes, 1);
      sizeBytes += codes.length;
    }
    places.set(hash, hashes.length);
    hashes.push(hash);
  };

  const rows = createHeldRows<Uint8Array>({
    key: "hash",
    value: dims === 0 ? null : "codes",
    has: (hash) => places.has(hash),
    add: (hash, codes) => add({ hash, codes }),
    retain: (present) => {
      for (const [hash, location] of places) {
        if (present.has(hash)) continue;
        places.delete(hash);
        hashes[location] = undefined;
      }
      // The codes of removed texts stay in the scan, so at some point all are read again.
      if (places.size * 2 < hashes.length) clear();
    },
  });

  const texts: SetTexts = {
    has: (hash) => places.has(hash),
    get sizeBytes() {
      return sizeBytes;
    },
    score: (query) => {
      const scores = scan.score(query);
      for (const [location, hash] of hashes.entries()) {
        if (hash === undefined) scores[location] = Number.NEGATIVE_INFINITY;
      }
      return scores;
    },
    indexOf: (hash) => places.get(hash),
    hashAt: (location) => hashes[location],
  };

  return {
    refresh: async (table) => {
      await rows.refresh(table);
      return texts;
    },
    note: (added, committed) => {
      if (!rows.note(committed)) return;
      for (const row of added) add(row);
    },
  };
}

/** A truncated row would be read beyond its end. */
function isWhole(text: Uint8Array, width: number): boolean {
  if (text.length < 4) return false;
  const count = new DataView(text.buffer, text.byteOffset).getUint32(0, true);
  return text.length === 4 + count * width;
}

/** A text of at least one chunk. */
interface ChunkText {
  readonly hash: string;
  readonly sizeBytes: number;
  /** How many chunks contain it. */
  chunks: number;
}

/** The texts of all chunks by hash, in the order of the notes. What lacks vectors is the difference to a set. */
export type ChunkTexts = ReadonlyMap<string, ChunkText>;

async function readChunkTexts(chunks: LanceTable): Promise<ChunkTexts> {
  const rows = await findRows(chunks, isChunk, ["doc", "position", "hash", "text_bytes"]);
  rows.sort((a, b) => (a.doc < b.doc ? -1 : a.doc > b.doc ? 1 : a.position! - b.position!));
  const texts = new Map<string, ChunkText>();
  for (const { hash, text_bytes } of rows) {
    const known = texts.get(hash);
    if (known === undefined) texts.set(hash, { hash, sizeBytes: text_bytes!, chunks: 1 });
    else known.chunks++;
  }
  return texts;
}

/** Which texts exist, and which of them have vectors: in memory, and read again when a table has changed. */
export interface VectorTexts {
  /** The texts of all chunks. */
  ofChunks(session: Session): Promise<ChunkTexts>;
  /** The texts that have vectors; null if nothing was ever put into the set. */
  ofSet(session: Session, record: SetRecord): Promise<SetTexts | null>;
  /** The cached set, to add the rows of our own commits. */
  heldOf(session: Session, record: SetRecord): HeldSetTexts;
  /** Hashes of texts that have no vectors in the set; all texts if there is no set. */
  missing(session: Session, record: SetRecord | null): Promise<string[]>;
  /** Drops the cached sets, because vectors may have changed. */
  forgetSets(session: Session): void;
}

export function createVectorTexts(): VectorTexts {
  const chunkTexts = cacheUntilChange(readChunkTexts);
  const setTexts = new WeakMap<Session, Map<string, HeldSetTexts>>();

  const heldOf = (session: Session, record: SetRecord): HeldSetTexts => {
    const dims = record.vectorsPerText === "several" ? record.dims : 0;
    const key = `${setTableName(record.name)} ${dims}`;
    const all = setTexts.get(session) ?? new Map<string, HeldSetTexts>();
    setTexts.set(session, all);
    const held = all.get(key) ?? createSetTexts(dims);
    all.set(key, held);
    return held;
  };

  const texts: VectorTexts = {
    ofChunks: ({ chunks }) => chunkTexts(chunks),
    ofSet: async (session, record) => {
      const table = await session.find(setTableName(record.name));
      return table === null ? null : await heldOf(session, record).refresh(table);
    },
    heldOf,
    missing: async (session, record) => {
      const all = await texts.ofChunks(session);
      const done = record && (await texts.ofSet(session, record));
      return [...all.keys()].filter((hash) => !done?.has(hash));
    },
    forgetSets: (session) => void setTexts.delete(session),
  };
  return texts;
}

/** Texts without vectors, in the order of the notes. */
export async function readMissing(
  { missing: missingOf }: VectorTexts,
  session: Session,
  embedderId: string,
  limit: number,
  { except, only }: NarrowTexts,
): Promise<MissingText[]> {
  if (!(limit > 0)) return [];
  const record = await findSet(session.meta, embedderId);
  const missing = await missingOf(session, record);
  const isMissing = new Set(missing);
  const wanted = (only === undefined ? missing : [...new Set(only)].filter((hash) => isMissing.has(hash)))
    .filter((hash) => !except?.has(hash))
    .slice(0, Math.min(limit, missing.length));
  const rows = await findRowsWith(session.chunks, ["hash", wanted], ["hash", "text"], isChunk);
  const texts = new Map(rows.map(({ hash, text }) => [hash, text]));
  return wanted.flatMap((hash) => {
    const text = texts.get(hash);
    return text == null ? [] : [{ hash, text }];
  });
}
