import { hash } from "node:crypto";
import { it } from "node:test";
import type { Chunk, Document, SourceName } from "../../text/document.ts";
import {
  type ChunkFilter,
  hasVectors,
  type IndexedDocument,
  type Store,
  type VectorStore,
} from "../store.ts";
import type { EmbedderIdentity } from "../store-vectors.ts";

/** A location for one empty index; every `open` returns another handle to it. */
export interface StoreFixture<Opened extends Store = Store> extends AsyncDisposable {
  open(options?: StoreFixtureOptions): Promise<Opened>;
}

export interface StoreFixtureOptions {
  /** How many vectors that no chunk uses may be kept. Many by default. */
  readonly maxCachedVectors?: number;
  /** The store's clock, in milliseconds. */
  readonly now?: () => number;
}

/** Registers a test that gets its own store and its fixture. */
export type Check<Opened extends Store = Store> = (
  title: string,
  work: (store: Opened, fixture: StoreFixture<Opened>) => Promise<void>,
) => void;

/** An optional capability. */
export interface Capability<Opened extends Store> {
  readonly name: string;
  readonly isOf: (store: Store) => store is Opened;
}

/** Tests of a capability are skipped for a store that lacks it. */
export function createCheck<Opened extends Store = Store>(
  create: () => Promise<StoreFixture>,
  capability?: Capability<Opened>,
): Check<Opened> {
  return (title, work) => {
    it(title, async (t) => {
      await using fixture = await create();
      await using store = await fixture.open();
      if (capability && !capability.isOf(store)) return t.skip(`the store has no ${capability.name}`);
      await work(store as Opened, fixture as StoreFixture<Opened>);
    });
  };
}

/** The analyzer of this suite: lower-cased words, separated by whitespace. */
export function contractTokens(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[ \n]+/)
    .filter((word) => word !== "");
}

interface DocumentOptions {
  readonly source?: SourceName;
  readonly version?: string;
  readonly date?: string;
  readonly scope?: Document["scope"];
}

/** A document with these texts as chunks, one per line. */
export function document(
  path: string,
  chunks: readonly string[],
  options: DocumentOptions = {},
): IndexedDocument {
  const { source = "memory", version = "1", date, scope = "shared" } = options;
  return {
    document: {
      source,
      path,
      version,
      hash: `hash of ${path}`,
      sizeBytes: chunks.join("\n").length,
      modifiedAt: new Date(0),
      ...(date === undefined ? {} : { date }),
      scope,
    },
    chunks: chunks.map(
      (text, index): Chunk => ({
        lines: { start: index + 1, end: index + 1 },
        headings: ["Title", `Part ${index + 1}`],
        text,
        hash: `hash of ${text}`,
      }),
    ),
    words: chunks.map((text) => ({
      body: Buffer.from(contractTokens(text).join(" ")),
      head: new Uint8Array(),
    })),
  };
}

export async function texts(store: Store, path: string): Promise<string[]> {
  return (await store.chunksOf("memory", path)).map((chunk) => chunk.text);
}

export async function search(
  store: Store,
  tokens: readonly string[],
  { limit = 100, filter }: { limit?: number; filter?: ChunkFilter } = {},
): Promise<string[]> {
  const ids = await store.byKeyword(tokens, { limit, ...(filter === undefined ? {} : { filter }) });
  return (await store.chunks(ids)).map((chunk) => chunk.text);
}

export const several = { vectorsPerText: "several" } as const;
export const one = { vectorsPerText: "one" } as const;
export const dimensions = 64;

/** An embedder that is only an id. */
export function named(id: string): EmbedderIdentity {
  return { id, provider: "test", model: `model of ${id}` };
}

/** Each word has its own direction, nearly orthogonal to all others. */
export function vectorOf(word: string): Float32Array {
  const bytes = Buffer.concat([hash("sha256", word, "buffer"), hash("sha256", `${word}+`, "buffer")]);
  return Float32Array.from(bytes, (byte) => byte - 127.5);
}

/** Embeds all missing texts, one vector per word. Returns the texts in the order they were requested. */
export async function embedAll(
  store: VectorStore,
  embedderId = "model",
  limit = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    const missing = await store.missingVectors(embedderId, Math.min(7, limit - asked.length));
    if (missing.length === 0) return asked;
    asked.push(...missing.map(({ text }) => text));
    const entries = missing.map(({ hash, text }) => ({ hash, vectors: text.split(" ").map(vectorOf) }));
    await store.putVectors(named(embedderId), entries, several);
  }
}

/** A store that keeps what was embedded once. */
export type CachingStore = VectorStore &
  Required<Pick<VectorStore, "reuseVectors" | "collectGarbage" | "addUsage">>;

export function hasCache(store: Store): store is CachingStore {
  return (
    hasVectors(store) &&
    [store.reuseVectors, store.collectGarbage, store.addUsage].every((each) => each !== undefined)
  );
}

/** Like `embedAll`, with one vector per text, that of its first word; uses the cache. */
export async function embedSingly(store: VectorStore, embedderId = "single"): Promise<string[]> {
  await store.reuseVectors?.(named(embedderId));
  const missing = await store.missingVectors(embedderId, 1000);
  const entries = missing.map(({ hash, text }) => ({ hash, vectors: [vectorOf(text.split(" ")[0]!)] }));
  if (entries.length > 0) await store.putVectors(named(embedderId), entries, one);
  await store.collectGarbage?.(named(embedderId));
  return missing.map(({ text }) => text);
}

/** The texts most similar to a word, best first. */
export async function similarTo(
  store: VectorStore,
  word: string,
  {
    limit = 1,
    filter,
    embedderId = "model",
  }: { limit?: number; filter?: ChunkFilter; embedderId?: string } = {},
): Promise<string[]> {
  const options = { limit, ...(filter === undefined ? {} : { filter }) };
  const { candidates } = await store.byVector(embedderId, vectorOf(word), options);
  return (await store.chunks(candidates.map(({ id }) => id))).map((chunk) => chunk.text);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, index) => sum + value * y[index]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
