import {
  type ChunkFilter,
  hasVectors,
  type Store,
  type StoredChunk,
  type VectorStore,
} from "../stores/store.ts";
import { inUserLayer, type MemoryLayer, splitLayer } from "../text/layer-path.ts";

/** The part of a store that a search reads. */
export type SearchedStore = Pick<
  VectorStore,
  | "stats"
  | "byKeyword"
  | "chunks"
  | "chunksOf"
  | "documentFrequencies"
  | "tokensWithPrefix"
  | "byVector"
  | "similarities"
  | "missingVectors"
  | "vectorSets"
  | "documents"
  | "readFact"
  | "writeFact"
>;

/** A store without vectors answers as if no embedder had any. */
export function asSearched(store: Store): SearchedStore {
  if (hasVectors(store)) return store;
  const { tokensWithPrefix, documents } = store;
  return {
    stats: () => store.stats(),
    byKeyword: (tokens, options) => store.byKeyword(tokens, options),
    chunks: (ids) => store.chunks(ids),
    chunksOf: (source, path, options) => store.chunksOf(source, path, options),
    documentFrequencies: (tokens) => store.documentFrequencies(tokens),
    ...(tokensWithPrefix && { tokensWithPrefix: tokensWithPrefix.bind(store) }),
    ...(documents && { documents: documents.bind(store) }),
    readFact: (key) => store.readFact(key),
    writeFact: (key, value) => store.writeFact(key, value),
    byVector: async () => ({ candidates: [], median: 0 }),
    similarities: async () => new Map(),
    missingVectors: async () => [],
    vectorSets: async () => [],
  };
}

/**
 * Presents two indexes as one for reading. Word frequencies and candidates come from both, so a search ranks as if all
 * notes were in one index. Paths of the user's notes start with `user:`.
 */
export function joinStores(project: SearchedStore, user: SearchedStore): SearchedStore {
  const storeOf = (layer: MemoryLayer): SearchedStore => (layer === "user" ? user : project);

  /** Queries each index that the filter admits, the project's first. */
  async function askEach<T>(
    filter: ChunkFilter | undefined,
    ask: (store: SearchedStore, narrowed: { filter?: ChunkFilter }, layer: MemoryLayer) => Promise<T>,
  ): Promise<T[]> {
    const asked = layers.flatMap((layer) => {
      const own = filterFor(layer, filter);
      return own === null ? [] : [ask(storeOf(layer), own === undefined ? {} : { filter: own }, layer)];
    });
    return await Promise.all(asked);
  }

  async function askOwners<T>(
    ids: readonly number[],
    ask: (store: SearchedStore, ids: readonly number[], layer: MemoryLayer) => Promise<T>,
  ): Promise<T[]> {
    const asked = layers.flatMap((layer) => {
      const own = ids.filter((id) => layerOf(id) === layer).map(toOwnId);
      return own.length === 0 ? [] : [ask(storeOf(layer), own, layer)];
    });
    return await Promise.all(asked);
  }

  return {
    async stats() {
      const [ours, theirs] = await Promise.all([project.stats(), user.stats()]);
      return { ...ours, files: ours.files + theirs.files, chunks: ours.chunks + theirs.chunks };
    },
    async byKeyword(tokens, { limit, filter }) {
      const found = await askEach(filter, async (store, narrowed, layer) =>
        (await store.byKeyword(tokens, { limit, ...narrowed })).map((id) => toJoinedId(id, layer)),
      );
      return alternate(found);
    },
    async chunks(ids) {
      const found = await askOwners(ids, async (store, own, layer) =>
        (await store.chunks(own)).map((chunk) => toJoined(chunk, layer)),
      );
      return found.flat();
    },
    async chunksOf(source, path, options) {
      const { layer, path: own } = splitLayer(path);
      return (await storeOf(layer).chunksOf(source, own, options)).map((chunk) => toJoined(chunk, layer));
    },
    async documentFrequencies(tokens) {
      const [ours, theirs] = await Promise.all([
        project.documentFrequencies(tokens),
        user.documentFrequencies(tokens),
      ]);
      return new Map(tokens.map((token) => [token, (ours.get(token) ?? 0) + (theirs.get(token) ?? 0)]));
    },
    async tokensWithPrefix(prefix, limit) {
      const counts = new Map<string, number>();
      for (const store of [project, user]) {
        for (const { token, chunks } of (await store.tokensWithPrefix?.(prefix, limit)) ?? [])
          counts.set(token, (counts.get(token) ?? 0) + chunks);
      }
      return [...counts].map(([token, chunks]) => ({ token, chunks })).slice(0, limit);
    },
    async byVector(embedderId, query, { limit, filter }) {
      const found = await askEach(filter, async (store, narrowed, layer) => {
        const [{ candidates, median }, { chunks }] = await Promise.all([
          store.byVector(embedderId, query, { limit, ...narrowed }),
          store.stats(),
        ]);
        const joined = candidates.map(({ id, similarity }) => ({ id: toJoinedId(id, layer), similarity }));
        // An index without vectors of this embedder has no median.
        return { candidates: joined, median, weight: joined.length === 0 ? 0 : chunks };
      });
      const total = found.reduce((sum, { weight }) => sum + weight, 0);
      return {
        candidates: found
          .flatMap(({ candidates }) => candidates)
          .sort((left, right) => right.similarity - left.similarity)
          .slice(0, limit),
        median: found.reduce((sum, { median, weight }) => sum + median * weight, 0) / Math.max(1, total),
      };
    },
    async similarities(embedderId, query, ids) {
      const found = await askOwners(ids, async (store, own, layer) => {
        const similarities = await store.similarities(embedderId, query, own);
        return [...similarities].map(([id, similarity]) => [toJoinedId(id, layer), similarity] as const);
      });
      return new Map(found.flat());
    },
    async missingVectors(embedderId, limit, narrow) {
      const ours = await project.missingVectors(embedderId, limit, narrow);
      if (ours.length >= limit) return ours;
      return [...ours, ...(await user.missingVectors(embedderId, limit - ours.length, narrow))];
    },
    async vectorSets() {
      const [ours, theirs, { chunks: ourChunks }, { chunks: theirChunks }] = await Promise.all([
        project.vectorSets(),
        user.vectorSets(),
        project.stats(),
        user.stats(),
      ]);
      const all = new Map([...theirs, ...ours].map((set) => [set.id, set]));
      const missingIn = (sets: typeof ours, id: string, chunks: number) =>
        sets.find((set) => set.id === id)?.missing ?? chunks;
      return [...all.values()].map((set) => ({
        ...set,
        missing: missingIn(ours, set.id, ourChunks) + missingIn(theirs, set.id, theirChunks),
      }));
    },
    ...(project.documents &&
      user.documents && {
        documents: async () => [
          ...(await project.documents!()),
          ...(await user.documents!()).map(inUserLayer),
        ],
      }),
    // An embedder behaves differently on both indexes together, so what is learned is stored separately.
    readFact: (key) => project.readFact(`with-user:${key}`),
    writeFact: (key, value) => project.writeFact(`with-user:${key}`, value),
  };
}

const layers: readonly MemoryLayer[] = ["project", "user"];

/** Even ids belong to the project, odd ones to the user. */
function toJoinedId(id: number, layer: MemoryLayer): number {
  return 2 * id + (layer === "user" ? 1 : 0);
}

function toOwnId(id: number): number {
  return Math.floor(id / 2);
}

function layerOf(id: number): MemoryLayer {
  return id % 2 === 0 ? "project" : "user";
}

function toJoined(chunk: StoredChunk, layer: MemoryLayer): StoredChunk {
  const joined = { ...chunk, id: toJoinedId(chunk.id, layer) };
  return layer === "user" ? inUserLayer(joined) : joined;
}

/**
 * The filter for one layer; null if it excludes the layer. A glob applies to the project's notes, one that starts with
 * `user:` to the user's, and one that starts with `**` to both.
 */
function filterFor(layer: MemoryLayer, filter: ChunkFilter | undefined): ChunkFilter | undefined | null {
  if (filter === undefined) return filter;
  if (layer === "user" && filter.sharedOnly) return null;
  const paths = filter.paths?.map(splitLayer).filter((each) => each.layer === layer);
  const own = paths === undefined ? filter : { ...filter, paths: paths.map(({ path }) => path) };
  if (filter.pathGlob === undefined) return own;
  const { layer: meant, path: pathGlob } = splitLayer(filter.pathGlob);
  if (meant === layer) return { ...own, pathGlob };
  return layer === "user" && pathGlob.startsWith("**") ? own : null;
}

/** Interleaves the lists by rank. */
function alternate(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat();
}
