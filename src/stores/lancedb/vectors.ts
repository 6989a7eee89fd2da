import { randomUUID } from "node:crypto";
import type { EmbedderIdentity, MissingText, NarrowTexts, Store, VectorEntry } from "../store.ts";
import { encodeText, toUnit } from "../vector-codes.ts";
import { refuseFaultyVectors } from "../vector-refusal.ts";
import { chooseRetired, retireRule, usedWithinMs } from "../vector-set.ts";
import { type ChunkTexts, createChunkTexts } from "./chunk-texts.ts";
import type { GoneTexts } from "./documents.ts";
import type { LanceIndex } from "./lance-index.ts";
import type { ArrowTable, LanceTable } from "./lance-package.ts";
import { deleteMeta, listMeta, writeMeta } from "./meta.ts";
import { cacheSchema, setSchema } from "./schema.ts";
import type { Session } from "./session.ts";
import { createSetTexts, type HeldSetTexts, type SetRow, type SetTexts } from "./set-texts.ts";
import { inParts, isOneOf } from "./sql.ts";
import { indexVectors, tendTable } from "./tend.ts";
import {
  addUsage,
  blankKey,
  cacheTableName,
  findSet,
  listSets,
  newSet,
  ownerOf,
  parseCacheName,
  readUsage,
  type SetRecord,
  saveSet,
  setKey,
  setTableName,
} from "./vector-records.ts";
import { vectorRows } from "./vector-rows.ts";
import {
  compareExactly,
  createFindOrdinary,
  readVectors,
  searchCodes,
  searchVectors,
} from "./vector-search.ts";

export type VectorPart = Pick<
  Store,
  | "reuseVectors"
  | "missingVectors"
  | "putVectors"
  | "exportVectors"
  | "byVector"
  | "similarities"
  | "vectorStatistics"
  | "vectorSets"
  | "tidyVectors"
  | "addUsage"
> & {
  /** Within a write: takes texts out of the sets that no chunk holds any more. */
  forgetTexts(session: Session, gone: GoneTexts): Promise<void>;
  /** Within a write: drops all vectors that can be made again, and those that no chunk uses. */
  dropSets(session: Session): Promise<void>;
  /** Within a write: deletes exact vectors that no chunk uses; gives their number. */
  deleteUnused(session: Session): Promise<number>;
};

export interface VectorPartOptions {
  readonly maxCachedVectors: number;
  readonly now: () => number;
  /** Within a write: tells people how the vectors in use were made. */
  readonly describe: (session: Session, embedder: EmbedderIdentity, dims: number) => Promise<void>;
}

/** UTF-8: Latin text has about four bytes a token, Chinese three. */
const bytesPerToken = 3;

/** The part of the store that is about vectors. */
export function createVectorPart(
  index: LanceIndex,
  { maxCachedVectors, now, describe }: VectorPartOptions,
): VectorPart {
  const chunkTexts = new WeakMap<Session, ReturnType<typeof createChunkTexts>>();
  const setTexts = new WeakMap<Session, Map<string, HeldSetTexts>>();
  const asked = new Map<string, number>();
  const findOrdinary = createFindOrdinary();

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

  /** Null when nothing was ever put into the set. */
  const textsOfSet = async (session: Session, record: SetRecord): Promise<SetTexts | null> => {
    const table = await session.find(setTableName(record.name));
    return table === null ? null : await heldOf(session, record).refresh(table);
  };

  const missingOf = async (session: Session, record: SetRecord | null): Promise<string[]> => {
    const all = await textsOfChunks(session);
    const done = record && (await textsOfSet(session, record));
    return [...all.keys()].filter((hash) => !done?.has(hash));
  };

  const missingTexts = async (
    session: Session,
    embedderId: string,
    limit: number,
    { except, only }: NarrowTexts,
  ): Promise<MissingText[]> => {
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
  };

  /** Rows that are there already stay. A merge looks through the whole table for them, which a lock makes needless. */
  const insertNew = async (
    table: LanceTable,
    rows: ReadonlyMap<string, SetRow> | ReadonlyMap<string, Float32Array>,
    toData: (hashes: readonly string[]) => ArrowTable | Record<string, unknown>[],
  ): Promise<number> => {
    const hashes = [...rows.keys()];
    if (!index.isExclusive) {
      return (await table.mergeInsert("hash").whenNotMatchedInsertAll().execute(toData(hashes))).version;
    }
    const known = new Set<string>();
    for (const part of inParts(hashes)) {
      const found = await table.query().where(isOneOf("hash", part)).select(["hash"]).toArray();
      for (const { hash } of found) known.add(hash);
    }
    const fresh = hashes.filter((hash) => !known.has(hash));
    return fresh.length === 0 ? await table.version() : (await table.add(toData(fresh))).version;
  };

  const addToSet = async (session: Session, record: SetRecord, rows: readonly SetRow[]): Promise<void> => {
    if (rows.length === 0) return;
    const table = await session.ensure(setTableName(record.name), setSchema(session.arrow));
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    const version = await insertNew(table, byHash, (hashes) =>
      hashes.map((hash) => ({ ...byHash.get(hash)! })),
    );
    heldOf(session, record).note(rows, version);
    await tendTable(table, Date.now());
  };

  const cachesOf = async (
    session: Session,
    owner?: string,
  ): Promise<{ dims: number; table: LanceTable }[]> => {
    const caches: { dims: number; table: LanceTable }[] = [];
    for (const name of await session.tableNames()) {
      const parsed = parseCacheName(name);
      if (parsed === null || (owner !== undefined && parsed.owner !== owner)) continue;
      const table = await session.find(name);
      if (table !== null) caches.push({ dims: parsed.dims, table });
    }
    return caches;
  };

  const putVectors = async (
    session: Session,
    embedder: EmbedderIdentity,
    entries: readonly VectorEntry[],
    vectorsPerText: "one" | "several",
  ): Promise<void> => {
    const known = await findSet(session.meta, embedder.id);
    const record = known ?? newSet(embedder, vectorsPerText, now());
    const dims = checkEntries(entries, record);
    const isUsedLately = Math.abs(now() - record.used_at) < usedWithinMs;
    const inChunks = await textsOfChunks(session);
    const done = known && (await textsOfSet(session, known));
    const unique = [...new Map(entries.map((entry) => [entry.hash, entry])).values()];
    if (record.vectorsPerText === "one") {
      const vectors = new Map(
        unique.flatMap(({ hash, vectors: [vector] }) => (vector ? [[hash, toUnit(vector)]] : [])),
      );
      if (vectors.size > 0) {
        const cache = await session.ensure(
          cacheTableName(record.owner, dims),
          cacheSchema(session.arrow, dims),
        );
        await insertNew(cache, vectors, (hashes) =>
          vectorRows(session.arrow, new Map(hashes.map((hash) => [hash, vectors.get(hash)!])), {
            dims,
            nowMs: now(),
          }),
        );
        await tendTable(cache, Date.now());
      }
      const blanks = unique.filter((entry) => entry.vectors.length === 0);
      await writeMeta(
        session.meta,
        Object.fromEntries(blanks.map(({ hash }) => [blankKey(record.owner, hash), `${now()}`])),
      );
    }
    if (known === null || known.dims !== dims || !isUsedLately) {
      await saveSet(session.meta, { ...record, dims, used_at: now() });
    }
    const isSeveral = record.vectorsPerText === "several";
    const rows = unique
      .filter(({ hash }) => inChunks.has(hash) && !done?.has(hash))
      .map(({ hash, vectors }) => ({ hash, codes: isSeveral ? encodeText("bits", vectors) : null }));
    await addToSet(session, { ...record, dims }, rows);
  };

  const reuseVectors = async (
    session: Session,
    embedder: EmbedderIdentity,
    only: readonly string[] | undefined,
  ): Promise<number> => {
    const owner = ownerOf(embedder);
    const known = await findSet(session.meta, embedder.id);
    const caches = (await cachesOf(session, owner)).filter(({ dims }) => !known?.dims || dims === known.dims);
    const [cache] = caches.sort((a, b) => b.dims - a.dims);
    const blanks = await listMeta(session.meta, blankKey(owner, ""));
    if (cache === undefined && blanks.size === 0) return 0;
    const wanted = only && new Set(only);
    const missing = (await missingOf(session, known)).filter((hash) => wanted?.has(hash) ?? true);
    const found = new Set(missing.filter((hash) => blanks.has(hash)));
    for (const part of cache === undefined ? [] : inParts(missing)) {
      const rows = await cache!.table.query().where(isOneOf("hash", part)).select(["hash"]).toArray();
      for (const { hash } of rows) found.add(hash);
    }
    if (found.size === 0) return 0;
    const before = known ?? newSet(embedder, "one", now());
    const record = { ...before, dims: before.dims || (cache?.dims ?? 0) };
    if (known?.dims !== record.dims) await saveSet(session.meta, { ...record, used_at: now() });
    await addToSet(
      session,
      record,
      [...found].map((hash) => ({ hash, codes: null })),
    );
    return found.size;
  };

  const dropSet = async (session: Session, { name }: SetRecord): Promise<void> => {
    // Never the table itself: others have it open. Its rows first, so that no set is there with rows of an earlier one.
    await (await session.find(setTableName(name)))?.delete("true");
    await deleteMeta(session.meta, [setKey(name)]);
  };

  /** Every exact vector that no chunk uses, the oldest first. */
  const listUnused = async (
    session: Session,
  ): Promise<{ table: LanceTable; key: string; updatedAt: number }[]> => {
    const sets = await listSets(session.meta);
    const inChunks = await textsOfChunks(session);
    const unused: { table: LanceTable; key: string; updatedAt: number }[] = [];
    const isLive = (owner: string): boolean => sets.some((set) => set.owner === owner);
    for (const name of await session.tableNames()) {
      const parsed = parseCacheName(name);
      const table = parsed && (await session.find(name));
      if (!table) continue;
      const rows = await table.query().select(["hash", "updated_at"]).toArray();
      for (const { hash, updated_at } of rows) {
        if (isLive(parsed.owner) && inChunks.has(hash)) continue;
        unused.push({ table, key: hash, updatedAt: updated_at });
      }
    }
    for (const [key, value] of await listMeta(session.meta, "blank:")) {
      const [owner = "", hash = ""] = splitOnce(key);
      if (isLive(owner) && inChunks.has(hash)) continue;
      unused.push({ table: session.meta, key: blankKey(owner, hash), updatedAt: Number(value) });
    }
    return unused.sort((a, b) => a.updatedAt - b.updatedAt);
  };

  const evict = async (unused: Awaited<ReturnType<typeof listUnused>>, session: Session): Promise<void> => {
    for (const [table, rows] of Map.groupBy(unused, (each) => each.table)) {
      const column = table === session.meta ? "key" : "hash";
      for (const part of inParts(rows)) {
        await table.delete(
          isOneOf(
            column,
            part.map(({ key }) => key),
          ),
        );
      }
    }
  };

  const countCached = async (session: Session): Promise<number> => {
    let count = (await listMeta(session.meta, "blank:")).size;
    for (const { table } of await cachesOf(session)) count += await table.countRows();
    return count;
  };

  /** Once a day, and without waiting: a search must not fail or wait when the index is busy or cannot be written. */
  const noteUse = (record: SetRecord): void => {
    const last = Math.max(record.used_at, asked.get(record.name) ?? Number.NEGATIVE_INFINITY);
    if (Math.abs(now() - last) < usedWithinMs) return;
    asked.set(record.name, now());
    index.write((session) => markUsed(session, record.name)).catch(() => {});
  };

  const markUsed = async (session: Session, embedderId: string): Promise<void> => {
    const record = await findSet(session.meta, embedderId);
    if (record !== null) await saveSet(session.meta, { ...record, used_at: now() });
  };

  return {
    reuseVectors: async (embedder, { only } = {}) => {
      const owner = ownerOf(embedder);
      // Most often there is nothing to do, which is found out without keeping others from writing.
      const isNeeded = await index.read(async (session) => {
        const hasBlanks = (await listMeta(session.meta, blankKey(owner, ""))).size > 0;
        if (!hasBlanks && (await cachesOf(session, owner)).length === 0) return false;
        const missing = new Set(await missingOf(session, await findSet(session.meta, embedder.id)));
        return only === undefined ? missing.size > 0 : only.some((hash) => missing.has(hash));
      });
      return isNeeded ? await index.write((session) => reuseVectors(session, embedder, only)) : 0;
    },
    missingVectors: (embedderId, limit, narrow = {}) =>
      index.read((session) => missingTexts(session, embedderId, limit, narrow)),
    putVectors: async (embedder, entries, { vectorsPerText }) => {
      if (entries.length === 0) return;
      await index.write((session) => putVectors(session, embedder, entries, vectorsPerText));
    },
    async *exportVectors(embedder) {
      const owner = ownerOf(embedder);
      const { blanks, cached } = await index.read(async (session) => ({
        blanks: [...(await listMeta(session.meta, blankKey(owner, ""))).keys()],
        cached: await Promise.all(
          (await cachesOf(session, owner)).map(async ({ dims, table }) => ({
            dims,
            hashes: (await table.query().select(["hash"]).toArray()).map(({ hash }) => hash as string),
          })),
        ),
      }));
      for (const part of inParts(blanks)) yield part.map((hash) => ({ hash, vectors: [] }));
      for (const { dims, hashes } of cached) {
        for (const part of inParts(hashes)) {
          yield await index.read(async (session) => {
            const table = await session.find(cacheTableName(owner, dims));
            return table === null ? [] : await readVectors(table, part);
          });
        }
      }
    },
    byVector: (embedderId, query, { limit, filter }) =>
      index.read(async (session) => {
        const nothing = { candidates: [], median: 0 };
        const record = await findSet(session.meta, embedderId);
        const texts = record && (await textsOfSet(session, record));
        if (record === null || texts === null || record.dims === 0) return nothing;
        noteUse(record);
        const question = { chunks: session.chunks, query, limit, filter };
        if (record.vectorsPerText === "several") {
          return await searchCodes(question, texts, await textsOfChunks(session), record.dims);
        }
        const cache = await session.find(cacheTableName(record.owner, record.dims));
        return cache === null
          ? nothing
          : await searchVectors(question, { cache, texts, dims: record.dims, findOrdinary });
      }),
    similarities: (embedderId, query, ids) =>
      index.read(async (session) => {
        const record = await findSet(session.meta, embedderId);
        const texts = record && (await textsOfSet(session, record));
        if (record === null || texts === null || record.dims === 0) return new Map();
        const rows: { id: number; hash: string }[] = [];
        for (const part of inParts(ids.filter(Number.isSafeInteger))) {
          const found = await session.chunks
            .query()
            .where(isOneOf("id", part))
            .select(["id", "hash"])
            .toArray();
          for (const { id, hash } of found) if (texts.has(hash)) rows.push({ id, hash });
        }
        if (record.vectorsPerText === "several") {
          const scores = texts.score(query);
          const similar = rows.map(({ id, hash }) => [id, scores[texts.placeOf(hash)!]!] as const);
          return new Map(similar.filter(([, score]) => score > Number.NEGATIVE_INFINITY));
        }
        const cache = await session.find(cacheTableName(record.owner, record.dims));
        if (cache === null) return new Map();
        const hashes = rows.map(({ hash }) => hash);
        const exact = await compareExactly(cache, query, hashes);
        return new Map(
          rows.flatMap(({ id, hash }) => {
            const similarity = exact.get(hash);
            return similarity === undefined ? [] : [[id, similarity] as const];
          }),
        );
      }),
    vectorStatistics: (embedderId) =>
      index.read(async (session) => {
        const record = await findSet(session.meta, embedderId);
        const all = await textsOfChunks(session);
        const texts = record && (await textsOfSet(session, record));
        const missing = await missingOf(session, record);
        const sizeBytes = missing.reduce((sum, hash) => sum + all.get(hash)!.sizeBytes, 0);
        const count = all.size - missing.length;
        return {
          texts: count,
          missing: missing.length,
          missingTokens: Math.ceil(sizeBytes / bytesPerToken),
          ...(record?.dims ? { dims: record.dims } : {}),
          sizeBytes:
            record?.vectorsPerText === "several" ? (texts?.sizeBytes ?? 0) : count * 4 * (record?.dims ?? 0),
          usage: await readUsage(session.meta, embedderId),
          cacheEntries: await countCached(session),
          path: "builtin" as const,
        };
      }),
    vectorSets: () =>
      index.read(async (session) => {
        const all = await textsOfChunks(session);
        const sets = await listSets(session.meta);
        return await Promise.all(
          sets.map(async (record) => ({
            id: record.name,
            provider: record.provider,
            missing: (await missingOf(session, record)).reduce((sum, hash) => sum + all.get(hash)!.chunks, 0),
          })),
        );
      }),
    tidyVectors: async (embedder) => {
      const plan = await index.read(async (session) => {
        const sets = await listSets(session.meta);
        const record = sets.find(({ name }) => name === embedder.id);
        if (record === undefined || (await missingOf(session, record)).length > 0) return null;
        return {
          record,
          retired: chooseRetired(sets, embedder.id, { nowMs: now(), ...retireRule }),
          isStale: Math.abs(now() - record.used_at) >= usedWithinMs,
          excess: (await countCached(session)) - maxCachedVectors,
        };
      });
      if (plan === null) return;
      const { record, retired, isStale, excess } = plan;
      await index.write(async (session) => {
        if (isStale) await markUsed(session, embedder.id);
        for (const set of retired) await dropSet(session, set);
        if (excess > 0) await evict((await listUnused(session)).slice(0, excess), session);
        await describe(session, embedder, record.dims);
      });
      if (record.vectorsPerText === "several" || record.dims === 0) return;
      await index.read(async (session) => {
        const cache = await session.find(cacheTableName(record.owner, record.dims));
        if (cache !== null) await indexVectors(session.lance, cache);
      });
    },
    addUsage: (embedderId, usage) =>
      index.write((session) => addUsage(session.meta, embedderId, usage, randomUUID)),
    forgetTexts: async (session, gone) => {
      if (gone.length === 0) return;
      const sets = await listSets(session.meta);
      if (sets.length === 0) return;
      const held = new Set<string>();
      for (const part of inParts(gone)) {
        const condition = `id IS NOT NULL AND ${isOneOf("hash", part)}`;
        const rows = await session.chunks.query().where(condition).select(["hash"]).toArray();
        for (const { hash } of rows) held.add(hash);
      }
      const unused = gone.filter((hash) => !held.has(hash));
      for (const { name } of sets) {
        const table = await session.find(setTableName(name));
        for (const part of inParts(unused)) await table?.delete(isOneOf("hash", part));
      }
    },
    dropSets: async (session) => {
      for (const set of await listSets(session.meta)) await dropSet(session, set);
    },
    deleteUnused: async (session) => {
      const unused = await listUnused(session);
      await evict(unused, session);
      return unused.length;
    },
  };
}

/** Refuses what would spoil a search; gives the length of the vectors. */
function checkEntries(entries: readonly VectorEntry[], record: SetRecord): number {
  const { name: embedderId, vectorsPerText } = record;
  let { dims } = record;
  for (const { vectors } of entries) {
    if (dims === 0) dims = vectors[0]?.length ?? 0;
    refuseFaultyVectors(vectors, { dims, embedderId, vectorsPerText });
  }
  return dims;
}

function splitOnce(key: string): string[] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}
