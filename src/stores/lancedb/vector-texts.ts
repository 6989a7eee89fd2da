import type { MissingText, NarrowTexts } from "../store.ts";
import { type ChunkTexts, createChunkTexts } from "./chunk-texts.ts";
import type { Session } from "./session.ts";
import { createSetTexts, type HeldSetTexts, type SetTexts } from "./set-texts.ts";
import { inParts, isOneOf } from "./sql.ts";
import { findSet, type SetRecord, setTableName } from "./vector-records.ts";

/** Which texts there are, and which of them have vectors: in memory, and read again when a table has changed. */
export interface VectorTexts {
  /** Those of all chunks. */
  ofChunks(session: Session): Promise<ChunkTexts>;
  /** Those that have vectors; null when nothing was ever put into the set. */
  ofSet(session: Session, record: SetRecord): Promise<SetTexts | null>;
  /** The set as it is held, to be told of commits. */
  heldOf(session: Session, record: SetRecord): HeldSetTexts;
  /** Hashes of texts that have no vectors in the set; of all texts where there is no set. */
  missing(session: Session, record: SetRecord | null): Promise<string[]>;
  /** When the vectors of texts may have become others. */
  forgetSets(session: Session): void;
}

export function createVectorTexts(): VectorTexts {
  const chunkTexts = new WeakMap<Session, ReturnType<typeof createChunkTexts>>();
  const setTexts = new WeakMap<Session, Map<string, HeldSetTexts>>();

  const textsOfChunks = (session: Session): Promise<ChunkTexts> => {
    const held = chunkTexts.get(session) ?? createChunkTexts();
    chunkTexts.set(session, held);
    return held.read(session.chunks);
  };

  const heldOf = (session: Session, record: SetRecord): HeldSetTexts => {
    const dims = record.vectorsPerText === "several" ? record.dims : 0;
    const key = `${setTableName(record.name)} ${dims}`;
    const all = setTexts.get(session) ?? new Map<string, HeldSetTexts>();
    setTexts.set(session, all);
    const held = all.get(key) ?? createSetTexts(dims);
    all.set(key, held);
    return held;
  };

  const textsOfSet = async (session: Session, record: SetRecord): Promise<SetTexts | null> => {
    const table = await session.find(setTableName(record.name));
    return table === null ? null : await heldOf(session, record).refresh(table);
  };

  const missingOf = async (session: Session, record: SetRecord | null): Promise<string[]> => {
    const all = await textsOfChunks(session);
    const done = record && (await textsOfSet(session, record));
    return [...all.keys()].filter((hash) => !done?.has(hash));
  };

  const forgetSets = (session: Session): void => void setTexts.delete(session);

  return { ofChunks: textsOfChunks, ofSet: textsOfSet, heldOf, missing: missingOf, forgetSets };
}

/** Texts that have no vectors yet, with what they say, in the order of the notes. */
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
  const texts = new Map<string, string>();
  for (const part of inParts(wanted)) {
    const condition = `id IS NOT NULL AND ${isOneOf("hash", part)}`;
    const rows = await session.chunks.query().where(condition).select(["hash", "text"]).toArray();
    for (const { hash, text } of rows) texts.set(hash, text);
  }
  return wanted.flatMap((hash) => {
    const text = texts.get(hash);
    return text === undefined ? [] : [{ hash, text }];
  });
}
