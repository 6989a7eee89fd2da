import { setImmediate } from "node:timers/promises";
import { monotonicMs } from "../../timing.ts";
import { indexMetaKey, parseOwnedMeta } from "../index-meta.ts";
import type { StoreVectors } from "../store-vectors.ts";
import { cacheOwnerOf, chooseRetired, createUseRecorder, isUsedLately } from "../vectors/vector-set.ts";
import { type CachePosition, cacheGroup } from "./embedding-cache.ts";
import type { IndexFile } from "./index-file.ts";
import { schemaVersion } from "./schema.ts";
import type { Session } from "./session.ts";
import { isStatementError } from "./sqlite-failure.ts";
import { scanByExtension, UnusableExtension, type VectorExtension } from "./vector-extension.ts";
import { chooseCoding, type EmbedderRow } from "./vector-sets.ts";
import type { ScoredChunks } from "./vectors-read.ts";

export interface VectorPartOptions {
  readonly maxCachedVectors: number;
  readonly maxBytesCoded: number;
  readonly extension: VectorExtension | null;
  readonly now: () => number;
}

const sliceMs = 12;

export function createVectorPart(
  file: IndexFile,
  { maxCachedVectors, maxBytesCoded, extension, now }: VectorPartOptions,
): Required<StoreVectors> {
  /** In slices: reading the vectors of a hundred thousand chunks takes a fifth of a second. */
  const loadVectors = async (embedderId: string): Promise<void> => {
    while (!(await file.read(({ vectors }) => vectors().loadSome(embedderId, sliceMs)))) await setImmediate();
  };

  /** Cosines of all chunks by the extension, in slices; null if our own code must answer. */
  const scan = async (embedderId: string, query: Float32Array): Promise<ScoredChunks | null> => {
    if (extension === null || (await extension.problem()) !== null) return null;
    const guarded = <T>(work: () => T): T | null => {
      try {
        return work();
      } catch (error) {
        if (!isStatementError(error) && !(error instanceof UnusableExtension)) throw error;
        extension.giveUp(error);
        return null;
      }
    };
    const begun = await file.read((session) => {
      const set = session.readOnlyReason === null ? session.vectors().find(embedderId) : null;
      if (set === null || set.dims === 0 || set.vectors_per_text !== "one") return null;
      const rows = guarded(() => scanByExtension(session.extended(extension.path), set, query));
      return rows && { session, rows };
    });
    while (begun !== null) {
      // Another session is another file: what was read from the first is worthless.
      const step = await file.read((session) =>
        session === begun.session ? guarded(() => takeSlice(begun.rows)) : null,
      );
      if (step === null || step.done) return step?.value ?? null;
      await setImmediate();
    }
    return null;
  };

  const noteUse = createUseRecorder(now, (name) => file.write((writing) => writing.markUsed(name)));

  /** Evicts vectors that no chunk uses, oldest first, until at most `maxCachedVectors` are left or all are in use. */
  const trimCache = async (excess: number): Promise<void> => {
    const rowids: number[] = [];
    let place: CachePosition | undefined = { updated_at: Number.MIN_SAFE_INTEGER, rowid: 0 };
    while (place !== undefined && rowids.length < excess) {
      const from: CachePosition = place;
      const rows = await file.read(({ vectors }) => vectors().cache.byAge(from));
      rowids.push(...rows.filter(({ used }) => used === 0).map(({ rowid }) => rowid));
      place = rows.length < cacheGroup ? undefined : rows.at(-1);
      await setImmediate();
    }
    for (let at = 0; at < Math.min(rowids.length, excess); at += cacheGroup) {
      const group = rowids.slice(at, Math.min(at + cacheGroup, excess));
      await file.write((writing) => writing.evict(group));
    }
  };
  /** The state of the index in which there was nothing to evict. */
  let trimmed: { readonly session: Session; readonly revision: number } | null = null;

  return {
    async reuseVectors(embedder, { only } = {}) {
      const owner = cacheOwnerOf(embedder);
      if (only !== undefined) {
        const found = await file.read(({ vectors }) => {
          const { cache, find, missing } = vectors();
          const known = cache.lookUp(owner, find(embedder.id), only);
          // Most have no cached vectors, and need no second query.
          if (known.length === 0) return known;
          const lacking = missing(embedder.id, only.length, { only: known.map(({ hash }) => hash) });
          const hashes = new Set(lacking.map(({ hash }) => hash));
          return known.filter(({ hash }) => hashes.has(hash));
        });
        if (found.length === 0) return 0;
        await file.write((writing, _, slices) => writing.putVectors(embedder, found, "one", slices));
        return found.length;
      }
      let reused = 0;
      let after: number | null = 0;
      while (after !== null) {
        const from: number = after;
        const { lastKey, entries } = await file.read(({ vectors }) =>
          vectors().cache.lookForMissing(owner, vectors().find(embedder.id), from),
        );
        if (entries.length > 0) {
          await file.write((writing, _, slices) => writing.putVectors(embedder, entries, "one", slices));
        }
        reused += entries.length;
        after = lastKey;
        if (after !== null) await setImmediate();
      }
      return reused;
    },
    missingVectors: (embedderId, limit, narrow) =>
      file.read(({ vectors }) => vectors().missing(embedderId, limit, narrow)),
    putVectors: (embedder, entries, { vectorsPerText }) =>
      file.write((writing, _, slices) => writing.putVectors(embedder, entries, vectorsPerText, slices)),
    async *exportVectors(embedder) {
      const owner = cacheOwnerOf(embedder);
      for (let after: number | null = 0; after !== null; ) {
        const from: number = after;
        const { lastRowid, entries } = await file.read(({ vectors }) => vectors().cache.page(owner, from));
        if (entries.length > 0) yield entries;
        after = lastRowid;
      }
    },
    async byVector(embedderId, query, options) {
      const scored = await scan(embedderId, query);
      if (scored === null) await loadVectors(embedderId);
      return file.read(({ vectors }) => {
        const set = vectors().find(embedderId);
        if (set !== null) noteUse(set);
        return vectors().byVector(embedderId, query, options, scored);
      });
    },
    async similarities(embedderId, query, ids) {
      await loadVectors(embedderId);
      return file.read(({ vectors }) => vectors().similarities(embedderId, query, ids));
    },
    async vectorStatistics(embedderId) {
      const statistics = await file.read(({ vectors }) => vectors().statistics(embedderId));
      if (extension === null) return { ...statistics, path: "builtin" };
      const set = await file.read(({ vectors }) => vectors().find(embedderId));
      const loadError =
        set?.vectors_per_text === "several"
          ? "sqlite-vec is not used: this model has several small vectors a text, which the builtin search compares"
          : await extension.problem();
      return loadError === null
        ? { ...statistics, path: "sqlite-vec" }
        : { ...statistics, path: "builtin", loadError };
    },
    vectorSets: () => file.read(({ vectors }) => vectors().sets()),
    async collectGarbage(embedder) {
      const plan = await file.read((session) => {
        const { find, list, isComplete, cache } = session.vectors();
        const set = find(embedder.id);
        if (set === null || !isComplete(embedder.id)) return null;
        const chunks = session.reading.counts().reduce((sum, source) => sum + source.chunks, 0);
        const revision = session.reading.revision();
        const isTrimmed = trimmed?.session === session && trimmed.revision === revision;
        const retired = chooseRetired(list(), embedder.id, now());
        const coding = chooseCoding(set, chunks, maxBytesCoded);
        const isTidy =
          retired.length === 0 &&
          coding === set.coding &&
          isUsedLately(set, now()) &&
          describe(session, set) === session.reading.meta(indexMetaKey);
        const excess = isTrimmed ? 0 : cache.count() - maxCachedVectors;
        return { isTidy, retired, coding, set, excess };
      });
      if (plan === null) return;
      if (!plan.isTidy) {
        await file.write(async (writing, session, slices) => {
          writing.markUsed(embedder.id);
          for (const set of plan.retired) await writing.dropSet(set, slices);
          await writing.recode(embedder.id, plan.coding, slices);
          const meta = describe(session, plan.set);
          if (meta !== null) writing.setMeta(indexMetaKey, meta);
        });
      }
      if (plan.excess > 0) await trimCache(plan.excess);
      await file.read((session) => {
        trimmed = { session, revision: session.reading.revision() };
      });
    },
    addUsage: (embedderId, usage) => file.write((writing) => writing.addUsage(embedderId, usage)),
  };
}

/**
 * The metadata of the index with this embedder in it; null if there is none. Every search compares it, so the key comes
 * from the row: computing it would load `node:crypto`.
 */
function describe({ reading }: Session, set: EmbedderRow): string | null {
  const meta = parseOwnedMeta(reading.meta(indexMetaKey), schemaVersion);
  const { provider, model, provider_key: providerKey, dims: vectorDims } = set;
  return meta && JSON.stringify({ ...meta, provider, model, providerKey, vectorDims });
}

function takeSlice(rows: Generator<undefined, ScoredChunks>): IteratorResult<undefined, ScoredChunks> {
  const endsAtMs = monotonicMs() + sliceMs;
  for (;;) {
    const step = rows.next();
    if (step.done || monotonicMs() > endsAtMs) return step;
  }
}
