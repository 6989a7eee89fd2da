import { createTaskQueue } from "../../task-queue.ts";
import { atMost } from "../candidates.ts";
import { describeEmbedder } from "../index-meta.ts";
import type { NarrowTexts, StoreVectors, VectorEntry } from "../store-vectors.ts";
import { cosineOfUnits, refuseFaultyQuery, toUnit } from "../vectors/vector-codes.ts";
import { cacheOwnerOf, chooseRetired, createUseRecorder, isUsedLately } from "../vectors/vector-set.ts";
import { advanceAgent, lockAgent, readAgent } from "./agent-row.ts";
import type { Database, Sql } from "./database.ts";
import { countCached, evictUnused, readCachePage, vectorsOfChunks } from "./embedding-cache.ts";
import { readMeta, writeMeta } from "./meta.ts";
import type { ExtensionState } from "./vector-extension.ts";
import { buildVectorIndex, canBeIndexed, createFindOrdinary, dropVectorIndex } from "./vector-index.ts";
import {
  dropSet,
  findSet,
  isAnyMissing,
  listSets,
  markUsed,
  missingChunks,
  type SetRow,
} from "./vector-sets.ts";
import { createVectorLoading } from "./vectors-load.ts";
import { countVectors, readMissing, readMissingOf, reuseAll, reuseSome } from "./vectors-missing.ts";
import { searchCodes, searchSingles } from "./vectors-read.ts";
import { fillHalves, putVectors } from "./vectors-write.ts";

export interface VectorPartOptions {
  readonly db: Database;
  readonly agentId: number;
  readonly pgvector: ExtensionState;
  readonly maxCachedVectors: number;
  /** Larger sets get an index; below this, an exhaustive search is as fast, and exact. */
  readonly indexedFrom: number;
  readonly now: () => number;
}

export function createVectorPart(options: VectorPartOptions): Required<StoreVectors> {
  const { db, agentId, pgvector, maxCachedVectors, indexedFrom, now } = options;
  const extension = "extension" in pgvector ? pgvector.extension : null;
  const load = createVectorLoading(agentId);
  const loads = createTaskQueue();
  const findOrdinary = createFindOrdinary(agentId);
  let trimmedRevision: number | null = null;
  /** Why the vector index could not be built. */
  let indexProblem: string | null = null;

  const change = <T>(work: (sql: Sql) => Promise<T>, once = false): Promise<T> =>
    db.write(
      async (sql) => {
        // Sent together, and executed only if no other writer is active.
        const [, result] = await Promise.all([lockAgent(sql, agentId), work(sql)]);
        await advanceAgent(sql, agentId);
        return result;
      },
      { once },
    );

  const noteUse = createUseRecorder(now, (name) => change((sql) => markUsed(sql, agentId, name, now())));

  const loadMatrix = (sql: Sql, set: SetRow) => loads.run(() => load(sql, set));

  return {
    reuseVectors: (embedder, { only } = {}) => {
      const keep = (entries: readonly VectorEntry[]): Promise<void> =>
        change((sql) => putVectors({ sql, agentId, extension, at: now() }, embedder, entries, "one"));
      return only === undefined
        ? reuseAll({ db, agentId, keep }, embedder)
        : reuseSome({ db, agentId, keep }, embedder, only);
    },
    missingVectors: (embedderId, limit, narrow) =>
      db.read(async (sql) => {
        const set = await findSet(sql, agentId, embedderId);
        const place = [agentId, set?.id ?? 0, set?.done_key ?? 0] as const;
        return narrow?.only === undefined
          ? await readMissing(sql, place, atMost(limit), narrow?.except)
          : await readMissingOf(
              sql,
              place,
              atMost(limit),
              narrow as NarrowTexts & { only: readonly string[] },
            );
      }),
    putVectors: (embedder, entries, { vectorsPerText }) =>
      change((sql) => putVectors({ sql, agentId, extension, at: now() }, embedder, entries, vectorsPerText)),
    async *exportVectors(embedder) {
      const owner = cacheOwnerOf(embedder);
      for (let after: string | null = ""; after !== null; ) {
        const from: string = after;
        const { lastHash, entries } = await db.read((sql) => readCachePage(sql, agentId, owner, from));
        if (entries.length > 0) yield entries;
        after = lastHash;
      }
    },
    byVector: (embedderId, query, { limit, filter }) =>
      db.read(async (sql) => {
        const set = await findSet(sql, agentId, embedderId);
        if (set === null || set.dims === 0) return { candidates: [], median: 0 };
        refuseFaultyQuery(query, set.dims);
        noteUse(set);
        const parts = { sql, agentId, findOrdinary, extension };
        return set.vectors_per_text === "one"
          ? await searchSingles(parts, set, { query, limit, filter })
          : await searchCodes(parts, await loadMatrix(sql, set), { query, limit, filter });
      }),
    similarities: (embedderId, query, ids) =>
      db.read(async (sql) => {
        const set = await findSet(sql, agentId, embedderId);
        if (set === null || set.dims === 0) return new Map();
        refuseFaultyQuery(query, set.dims);
        if (set.vectors_per_text === "one") {
          const unit = toUnit(query);
          const vectors = await vectorsOfChunks(sql, agentId, set, ids);
          return new Map([...vectors].map(([id, vector]) => [id, cosineOfUnits(unit, vector)]));
        }
        const matrix = await loadMatrix(sql, set);
        const similarities = matrix.score(query);
        const known = ids.flatMap((id): [number, number][] => {
          const similarity = similarities[matrix.indexOf(id)] ?? Number.NEGATIVE_INFINITY;
          return similarity > Number.NEGATIVE_INFINITY ? [[id, similarity]] : [];
        });
        return new Map(known);
      }),
    vectorStatistics: (embedderId) =>
      db.read(async (sql) => {
        const set = await findSet(sql, agentId, embedderId);
        const problem = "problem" in pgvector ? pgvector.problem : indexProblem;
        return {
          ...(await countVectors(sql, agentId, embedderId, set, extension !== null)),
          path: extension !== null && set?.vectors_per_text !== "several" ? "pgvector" : "builtin",
          ...(problem === null || set?.vectors_per_text === "several" ? {} : { loadError: problem }),
        };
      }),
    vectorSets: () =>
      db.read(async (sql) => {
        const sets = [];
        for (const { id, name, provider, done_key } of await listSets(sql, agentId)) {
          const [row] = await sql<{ count: number }>(`SELECT count(*)::float8 AS count ${missingChunks}`, [
            agentId,
            id,
            done_key,
          ]);
          sets.push({ id: name, provider, missing: row?.count ?? 0 });
        }
        return sets;
      }),
    async collectGarbage(embedder) {
      const plan = await db.read(async (sql) => {
        const sets = await listSets(sql, agentId);
        const set = sets.find(({ name }) => name === embedder.id);
        if (set === undefined || (await isAnyMissing(sql, agentId, set))) return null;
        const { revision, chunkCount } = await readAgent(sql, agentId);
        const meta = await readMeta(sql, agentId);
        const described = meta && describeEmbedder(meta, embedder, set.dims);
        const retired = chooseRetired(sets, embedder.id, now());
        const isTidy =
          retired.length === 0 &&
          isUsedLately(set, now()) &&
          JSON.stringify(described) === JSON.stringify(meta);
        const excess =
          trimmedRevision === revision ? 0 : (await countCached(sql, agentId)) - maxCachedVectors;
        return { set, retired, isTidy, described, excess, chunkCount };
      });
      if (plan === null) return;
      if (!plan.isTidy) {
        await change(async (sql) => {
          await markUsed(sql, agentId, embedder.id, now());
          for (const set of plan.retired) await dropSet(sql, set);
          if (plan.described !== null) await writeMeta(sql, agentId, plan.described);
        });
        for (const set of plan.retired.filter(({ is_indexed }) => is_indexed)) await dropVectorIndex(db, set);
      }
      if (plan.excess > 0) await change((sql) => evictUnused(sql, agentId, plan.excess));
      trimmedRevision = await db.read(async (sql) => (await readAgent(sql, agentId)).revision);
      await fillSet(plan.set);
      await ensureIndex(plan.set, plan.chunkCount);
    },
    addUsage: (embedderId, { requests, tokens, texts, costUsd }) =>
      change(async (sql) => {
        await sql(
          `INSERT INTO longhand.embedder_usage AS u (agent_id, embedder, requests, tokens, texts, cost_usd, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (agent_id, embedder) DO UPDATE SET requests = u.requests + excluded.requests,
             tokens = u.tokens + excluded.tokens, texts = u.texts + excluded.texts,
             cost_usd = u.cost_usd + excluded.cost_usd, updated_at = excluded.updated_at`,
          [agentId, embedderId, requests, tokens, texts, costUsd, Math.trunc(now())],
        );
      }, true),
  };

  /** A set that was made before the extension existed. */
  async function fillSet(set: SetRow): Promise<void> {
    if (extension === null || set.vectors_per_text === "several" || set.half_column === extension.column)
      return;
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      after = await change((sql) => fillHalves({ sql, agentId, extension, at: now() }, set, extension, from));
    }
  }

  /** Search works without it, so a server that refuses is no reason to fail. */
  async function ensureIndex(set: SetRow, rowCount: number): Promise<void> {
    if (extension === null || set.is_indexed || !canBeIndexed(set) || rowCount < indexedFrom) return;
    try {
      await buildVectorIndex(db, set, extension, rowCount);
      indexProblem = null;
    } catch (error) {
      indexProblem = `an index of the vectors could not be built, so all are compared: ${(error as Error).message}`;
    }
  }
}
