import { LonghandError } from "longhand";
import {
  type ChunkFilter,
  compileGlob,
  type DocumentHead,
  type IndexedDocument,
  type StoredChunk,
  splitTokens,
  type VectorStore,
} from "longhand/stores";

/** A complete index. Several stores may be open on one. */
export interface Shelf {
  readonly documents: Map<string, ShelvedDocument>;
  /** When each document was last written or removed, as a write counter. */
  readonly writtenAt: Map<string, number>;
  readonly facts: Map<string, string>;
  readonly vectors: Map<string, { provider: string; texts: Map<string, readonly Float32Array[]> }>;
  writes: number;
  lastId: number;
}

interface ShelvedDocument {
  readonly head: DocumentHead;
  readonly chunker: string;
  readonly chunks: readonly ShelvedChunk[];
}

interface ShelvedChunk {
  readonly chunk: StoredChunk;
  readonly hash: string;
  /** The term frequency of each token in the text, and its weight in headings and path. */
  readonly frequencies: ReadonlyMap<string, number>;
}

export function createShelf(): Shelf {
  const maps = { documents: new Map(), writtenAt: new Map(), facts: new Map(), vectors: new Map() };
  return { ...maps, writes: 0, lastId: 0 };
}

/** A store in memory: the minimum for keyword and vector search. */
export function openMemoryStore(shelf: Shelf): VectorStore {
  let isClosed = false;
  const open = (): Shelf => {
    if (isClosed) throw new Error("The store is closed.");
    return shelf;
  };
  const keyOf = (source: string, path: string): string => JSON.stringify([source, path]);
  const all = (filter?: ChunkFilter): ShelvedChunk[] => {
    const passes = createFilter(filter);
    return [...open().documents.values()].flatMap(({ head, chunks }) => (passes(head) ? chunks : []));
  };
  /** Whether a document was written after the state that a writer saw. */
  const isRefused = (key: string, asOf: string | undefined): boolean =>
    asOf !== undefined && (open().writtenAt.get(key) ?? 0) > Number(asOf);
  const write = (key: string, document: ShelvedDocument | null): void => {
    shelf.writtenAt.set(key, ++shelf.writes);
    if (document === null) shelf.documents.delete(key);
    else shelf.documents.set(key, document);
  };
  /** Removed text must not be found by its vector either. */
  const prune = (): void => {
    const held = new Set(all().map(({ hash }) => hash));
    for (const { texts } of shelf.vectors.values()) {
      for (const hash of texts.keys()) if (!held.has(hash)) texts.delete(hash);
    }
  };

  /** Null if the change is based on a version that does not exist. */
  function shelve({ document, chunks, words }: IndexedDocument, chunker: string): ShelvedDocument | null {
    const { source, path, date, scope, part } = document;
    const before = open().documents.get(keyOf(source, path));
    const follows = part?.follows;
    if (follows && before?.head.version !== follows.version) return null;
    const kept = follows ? before!.chunks.filter(({ chunk }) => chunk.lines.start < follows.openLine) : [];
    const added = chunks.map(({ lines, headings, text, hash }, at): ShelvedChunk => {
      const shown = { path, source, lines, headings, text, ...(date && { date }), scope };
      const frequencies = new Map<string, number>();
      const { body, head } = words![at]!;
      for (const token of splitTokens(body)) frequencies.set(token, (frequencies.get(token) ?? 0) + 1);
      for (const token of splitTokens(head)) frequencies.set(token, (frequencies.get(token) ?? 0) + 0.6);
      return { chunk: { id: ++shelf.lastId, ...shown }, hash, frequencies };
    });
    return { head: document, chunker, chunks: [...kept, ...added] };
  }

  const vectorsOf = (embedderId: string): ReadonlyMap<string, readonly Float32Array[]> =>
    open().vectors.get(embedderId)?.texts ?? new Map();
  /** The best vector of a text counts; null if it has none. */
  const similarity = (embedderId: string, query: Float32Array, hash: string): number | null => {
    const vectors = vectorsOf(embedderId).get(hash) ?? [];
    return vectors.length === 0 ? null : Math.max(...vectors.map((vector) => cosine(query, vector)));
  };
  const missing = (embedderId: string): Map<string, string> => {
    const known = vectorsOf(embedderId);
    const texts = all().map(({ hash, chunk }): [string, string] => [hash, chunk.text]);
    return new Map(texts.filter(([hash]) => !known.has(hash)));
  };

  return {
    specificationVersion: 1,
    documentState: async () => `${open().writes}`,
    async versions(source, { paths } = {}) {
      const heads = [...open().documents.values()].filter(({ head }) => head.source === source);
      const wanted = heads.filter(({ head }) => paths?.includes(head.path) ?? true);
      return new Map(
        wanted.map(({ head: { path, version, hash }, chunker }) => [path, { version, hash, chunker }]),
      );
    },
    async put(documents, chunkerId, { asOf } = {}) {
      const refused = documents.filter((indexed) => {
        const { source, path } = indexed.document;
        const key = keyOf(source, path);
        const shelved = isRefused(key, asOf) ? null : shelve(indexed, chunkerId);
        if (shelved !== null) write(key, shelved);
        return shelved === null;
      });
      prune();
      return refused.map(({ document: { source, path } }) => ({ source, path }));
    },
    async touch(source, versions, { asOf } = {}) {
      return [...versions].flatMap(([path, version]) => {
        const key = keyOf(source, path);
        const known = open().documents.get(key);
        if (isRefused(key, asOf) || (asOf !== undefined && known === undefined)) return [path];
        if (known) write(key, { ...known, head: { ...known.head, version } });
        return [];
      });
    },
    async remove(source, paths, { asOf } = {}) {
      const refused = paths.filter((path) => {
        const key = keyOf(source, path);
        const isKnown = open().documents.has(key);
        if (isRefused(key, asOf)) return isKnown;
        if (isKnown || asOf === undefined) write(key, null);
        return false;
      });
      prune();
      return refused;
    },
    async chunks(ids) {
      const found = new Map(all().map(({ chunk }) => [chunk.id, chunk]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    async chunksOf(source, path, { fromLine = 1 } = {}) {
      const chunks = open().documents.get(keyOf(source, path))?.chunks ?? [];
      return chunks.map(({ chunk }) => chunk).filter(({ lines }) => lines.start >= fromLine);
    },
    async stats() {
      const documents = [...open().documents.values()];
      const sources = [...Map.groupBy(documents, ({ head }) => head.source)].map(([source, group]) => {
        const chunks = group.reduce((sum, each) => sum + each.chunks.length, 0);
        return { source, files: group.length, chunks };
      });
      const chunks = sources.reduce((sum, each) => sum + each.chunks, 0);
      sources.sort((left, right) => (left.source < right.source ? -1 : 1));
      const sizeBytes = all().reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk.text), 0);
      return { files: documents.length, chunks, sources, sizeBytes };
    },
    readFact: async (key) => open().facts.get(key) ?? null,
    writeFact: async (key, value) => void open().facts.set(key, value),

    async byKeyword(tokens, { limit, filter }) {
      const everything = all();
      const words = [...new Set(tokens)].map((token) => {
        const holders = everything.filter(({ frequencies }) => frequencies.has(token)).length;
        return { token, rarity: Math.log(1 + everything.length / (1 + holders)) };
      });
      const scored = all(filter).map(({ chunk, frequencies }) => {
        const scores = words.map(({ token, rarity }) => {
          const frequency = frequencies.get(token) ?? 0;
          return (rarity * frequency) / (frequency + 1.2);
        });
        return { id: chunk.id, score: scores.reduce((sum, each) => sum + each, 0) };
      });
      const found = scored.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
      return found.slice(0, limit).map(({ id }) => id);
    },
    async documentFrequencies(tokens) {
      const chunks = all();
      return new Map(
        tokens.map((token) => [token, chunks.filter(({ frequencies }) => frequencies.has(token)).length]),
      );
    },
    async tokensWithPrefix(prefix, limit) {
      const counts = new Map<string, number>();
      for (const { frequencies } of all()) {
        for (const token of frequencies.keys()) {
          if (token.startsWith(prefix)) counts.set(token, (counts.get(token) ?? 0) + 1);
        }
      }
      const found = [...counts].map(([token, chunks]) => ({ token, chunks }));
      return found.sort((left, right) => (left.token < right.token ? -1 : 1)).slice(0, limit);
    },

    async missingVectors(embedderId, limit, { except, only } = {}) {
      const texts = missing(embedderId);
      const hashes = [...new Set(only ?? texts.keys())].filter(
        (hash) => texts.has(hash) && !except?.has(hash),
      );
      return hashes.slice(0, limit).map((hash) => ({ hash, text: texts.get(hash)! }));
    },
    async putVectors({ id, provider }, entries, { vectorsPerText }) {
      const set = open().vectors.get(id) ?? { provider, texts: new Map() };
      const known = [...set.texts.values(), ...entries.map(({ vectors }) => vectors)].flat();
      const isWrong = entries.some(({ vectors }) => vectorsPerText === "one" && vectors.length > 1);
      if (isWrong || known.some((vector) => !isUsable(vector, known[0]!.length))) {
        throw refuseVectors(id);
      }
      const wanted = missing(id);
      for (const { hash, vectors } of entries) if (wanted.has(hash)) set.texts.set(hash, vectors);
      shelf.vectors.set(id, set);
    },
    async byVector(embedderId, query, { limit, filter }) {
      const [known] = [...vectorsOf(embedderId).values()].flat();
      if (known && !isUsable(query, known.length)) throw refuseVectors(embedderId);
      const scored = all(filter).flatMap(({ chunk, hash }) => {
        const found = similarity(embedderId, query, hash);
        return found === null ? [] : [{ id: chunk.id, similarity: found }];
      });
      scored.sort((left, right) => right.similarity - left.similarity);
      const everything = all().flatMap(({ hash }) => similarity(embedderId, query, hash) ?? []);
      const median = everything.sort((left, right) => left - right)[everything.length >> 1] ?? 0;
      return { candidates: scored.slice(0, limit), median };
    },
    async similarities(embedderId, query, ids) {
      const wanted = new Set(ids);
      const chunks = all().filter(({ chunk }) => wanted.has(chunk.id));
      const found = chunks.map(({ chunk, hash }) => [chunk.id, similarity(embedderId, query, hash)] as const);
      return new Map(found.filter((each): each is [number, number] => each[1] !== null));
    },
    async vectorStatistics(embedderId) {
      const texts = new Set(all().map(({ hash }) => hash));
      const vectors = [...vectorsOf(embedderId)].filter(([hash]) => texts.has(hash));
      const [first] = vectors.flatMap(([, each]) => each);
      const lacking = [...missing(embedderId).values()];
      return {
        texts: vectors.length,
        missing: lacking.length,
        missingTokens: Math.ceil(lacking.join("").length / 2),
        ...(first && { dims: first.length }),
        sizeBytes: vectors.flatMap(([, each]) => each).reduce((sum, each) => sum + each.byteLength, 0),
        usage: { requests: 0, tokens: 0, texts: 0, costUsd: null },
        cacheEntries: 0,
        path: "builtin",
      };
    },
    async vectorSets() {
      const chunks = all();
      return [...open().vectors].map(([id, { provider, texts }]) => {
        return { id, provider, missing: chunks.filter(({ hash }) => !texts.has(hash)).length };
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
    },
  };
}

function createFilter(filter: ChunkFilter = {}): (head: DocumentHead) => boolean {
  const { source, since, until, pathGlob, paths, sharedOnly } = filter;
  const matches = pathGlob === undefined ? () => true : compileGlob(pathGlob);
  return ({ source: own, path, date = "", scope }) =>
    (source ?? own) === own &&
    (since === undefined || date >= since) &&
    (until === undefined || (date !== "" && date <= until)) &&
    !(sharedOnly && scope === "private") &&
    (paths?.includes(path) ?? true) &&
    matches(path);
}

function refuseVectors(embedderId: string): LonghandError {
  return new LonghandError("vectors-invalid", `Could not use a vector of ${embedderId}.`, {
    hint: "Vectors are finite, not zero, and all of one length.",
  });
}

function isUsable(vector: Float32Array, length: number): boolean {
  return vector.length === length && vector.every(Number.isFinite) && Math.hypot(...vector) > 0;
}

function cosine(left: Float32Array, right: Float32Array): number {
  const dot = left.reduce((sum, number, at) => sum + number * right[at]!, 0);
  return dot / (Math.hypot(...left) * Math.hypot(...right));
}
