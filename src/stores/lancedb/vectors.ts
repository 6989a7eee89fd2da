import type { EmbedderIdentity, StoreVectors } from "../store-vectors.ts";
import { refuseFaultyQuery } from "../vectors/vector-codes.ts";
import { chooseRetired, createUseRecorder, estimateTokens, isUsedLately } from "../vectors/vector-set.ts";
import type { GoneTexts } from "./documents.ts";
import type { LanceIndex } from "./lance-index.ts";
import { indexVectors } from "./maintenance.ts";
import type { Session } from "./session.ts";
import { createVectorTexts, readMissing } from "./set-texts.ts";
import { deleteRowsWith, findRowsWith, isChunk, listMeta } from "./sql.ts";
import {
  addUsage,
  blankKey,
  cachesOf,
  cacheTableName,
  countCached,
  deleteUnused,
  exportCached,
  findSet,
  listSets,
  ownerOf,
  readUsage,
  saveSet,
  setTableName,
} from "./vector-records.ts";
import {
  compareCodes,
  compareExactly,
  createFindOrdinary,
  searchCodes,
  searchVectors,
} from "./vector-search.ts";
import { createVectorWriting, dropSet } from "./vectors-write.ts";

export interface VectorPart extends Required<StoreVectors> {
  /** Within a write: removes texts that no chunk contains any more from the sets. */
  forgetTexts(session: Session, gone: GoneTexts): Promise<void>;
  /** Within a write: drops all derived vectors, and exact ones that no chunk uses. */
  dropSets(session: Session): Promise<void>;
  /** Within a write: deletes exact vectors that no chunk uses; returns their number. */
  deleteUnused(session: Session): Promise<number>;
}

export interface VectorPartOptions {
  readonly maxCachedVectors: number;
  readonly now: () => number;
  /** Within a write: records the embedder in use as metadata. */
  readonly describe: (session: Session, embedder: EmbedderIdentity, dims: number) => Promise<void>;
}

export function createVectorPart(
  index: LanceIndex,
  { maxCachedVectors, now, describe }: VectorPartOptions,
): VectorPart {
  const texts = createVectorTexts();
  const writing = createVectorWriting({ texts, now });
  const findOrdinary = createFindOrdinary();

  const markUsed = async (session: Session, embedderId: string): Promise<void> => {
    const record = await findSet(session.meta, embedderId);
    if (record !== null) await saveSet(session.meta, { ...record, used_at: now() });
  };
  const noteUse = createUseRecorder(now, (name) => index.write((session) => markUsed(session, name)));

  return {
    reuseVectors: async (embedder, { only } = {}) => {
      const owner = ownerOf(embedder);
      // Usually there is nothing to do, which can be checked without blocking other writers.
      const isNeeded = await index.read(async (session) => {
        const hasBlanks = (await listMeta(session.meta, blankKey(owner, ""))).size > 0;
        if (!hasBlanks && (await cachesOf(session, owner)).length === 0) return false;
        const missing = new Set(await texts.missing(session, await findSet(session.meta, embedder.id)));
        return only === undefined ? missing.size > 0 : only.some((hash) => missing.has(hash));
      });
      return isNeeded ? await index.write((session) => writing.reuseVectors(session, embedder, only)) : 0;
    },
    missingVectors: (embedderId, limit, narrow = {}) =>
      index.read((session) => readMissing(texts, session, embedderId, limit, narrow)),
    putVectors: async (embedder, entries, { vectorsPerText }) => {
      if (entries.length === 0) return;
      await index.write((session) => writing.putVectors(session, embedder, entries, vectorsPerText));
    },
    exportVectors: (embedder) => exportCached(index, ownerOf(embedder)),
    byVector: (embedderId, query, { limit, filter }) =>
      index.read(async (session) => {
        const nothing = { candidates: [], median: 0 };
        const record = await findSet(session.meta, embedderId);
        const done = record && (await texts.ofSet(session, record));
        if (record === null || done === null || record.dims === 0) return nothing;
        noteUse(record);
        const question = { chunks: session.chunks, query, limit, filter };
        if (record.vectorsPerText === "several") {
          return await searchCodes(question, done, await texts.ofChunks(session), record.dims);
        }
        const cache = await session.find(cacheTableName(record.owner, record.dims));
        return cache === null
          ? nothing
          : await searchVectors(question, { cache, texts: done, dims: record.dims, findOrdinary });
      }),
    similarities: (embedderId, query, ids) =>
      index.read(async (session) => {
        const record = await findSet(session.meta, embedderId);
        const done = record && (await texts.ofSet(session, record));
        if (record === null || done === null || record.dims === 0) return new Map();
        refuseFaultyQuery(query, record.dims);
        const wanted = ids.filter(Number.isSafeInteger);
        const rows = await findRowsWith(session.chunks, ["id", wanted], ["id", "hash"]);
        const hashes = rows.map(({ hash }) => hash).filter(done.has);
        const cache = await session.find(cacheTableName(record.owner, record.dims));
        const similar =
          record.vectorsPerText === "several"
            ? compareCodes(done, query, hashes)
            : cache && (await compareExactly(cache, query, hashes));
        return new Map(
          rows.flatMap(({ id, hash }) => {
            const similarity = similar?.get(hash);
            return similarity === undefined ? [] : [[id!, similarity] as const];
          }),
        );
      }),
    vectorStatistics: (embedderId) =>
      index.read(async (session) => {
        const record = await findSet(session.meta, embedderId);
        const all = await texts.ofChunks(session);
        const done = record && (await texts.ofSet(session, record));
        const missing = await texts.missing(session, record);
        const sizeBytes = missing.reduce((sum, hash) => sum + all.get(hash)!.sizeBytes, 0);
        const count = all.size - missing.length;
        return {
          texts: count,
          missing: missing.length,
          missingTokens: estimateTokens(sizeBytes),
          ...(record?.dims ? { dims: record.dims } : {}),
          sizeBytes:
            record?.vectorsPerText === "several" ? (done?.sizeBytes ?? 0) : count * 4 * (record?.dims ?? 0),
          usage: await readUsage(session.meta, embedderId),
          cacheEntries: await countCached(session),
          path: "builtin" as const,
        };
      }),
    vectorSets: () =>
      index.read(async (session) => {
        const all = await texts.ofChunks(session);
        const sets = await listSets(session.meta);
        return await Promise.all(
          sets.map(async (record) => ({
            id: record.name,
            provider: record.provider,
            missing: (await texts.missing(session, record)).reduce(
              (sum, hash) => sum + all.get(hash)!.chunks,
              0,
            ),
          })),
        );
      }),
    collectGarbage: async (embedder) => {
      const plan = await index.read(async (session) => {
        const sets = await listSets(session.meta);
        const record = sets.find(({ name }) => name === embedder.id);
        if (record === undefined || (await texts.missing(session, record)).length > 0) return null;
        return {
          record,
          retired: chooseRetired(sets, embedder.id, now()),
          excess: (await countCached(session)) - maxCachedVectors,
        };
      });
      if (plan === null) return;
      const { record, retired, excess } = plan;
      await index.write(async (session) => {
        if (!isUsedLately(record, now())) await markUsed(session, embedder.id);
        for (const set of retired) await dropSet(session, set);
        if (excess > 0) await deleteUnused(session, await texts.ofChunks(session), excess);
        await describe(session, embedder, record.dims);
      });
      if (record.vectorsPerText === "several" || record.dims === 0) return;
      await index.read(async (session) => {
        const cache = await session.find(cacheTableName(record.owner, record.dims));
        if (cache !== null) await indexVectors(session.lance, cache);
      });
    },
    addUsage: (embedderId, usage) => index.write((session) => addUsage(session.meta, embedderId, usage)),
    forgetTexts: async (session, gone) => {
      if (gone.length === 0) return;
      const sets = await listSets(session.meta);
      if (sets.length === 0) return;
      const rows = await findRowsWith(session.chunks, ["hash", gone], ["hash"], isChunk);
      const held = new Set(rows.map(({ hash }) => hash));
      const unused = gone.filter((hash) => !held.has(hash));
      for (const { name } of sets) {
        const table = await session.find(setTableName(name));
        if (table !== null) await deleteRowsWith(table, "hash", unused);
      }
    },
    dropSets: async (session) => {
      for (const set of await listSets(session.meta)) await dropSet(session, set);
      texts.forgetSets(session);
    },
    deleteUnused: async (session) => deleteUnused(session, await texts.ofChunks(session)),
  };
}
