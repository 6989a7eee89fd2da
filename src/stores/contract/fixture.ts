import { it } from "node:test";
import type { Chunk, Document, SourceName } from "../../text/document.ts";
import type { ChunkFilter, IndexedDocument, KeywordClause, Store } from "../store.ts";

/** One empty place for an index, of which every `open` gives another handle. */
export interface StoreFixture extends AsyncDisposable {
  open(options?: StoreFixtureOptions): Promise<Store>;
}

export interface StoreFixtureOptions {
  /** Of how many texts vectors are kept, besides those that chunks use. Many by default. */
  readonly maxCachedVectors?: number;
  /** What the store takes for the time, in milliseconds. */
  readonly now?: () => number;
}

/** Registers a test that gets a store of its own, and the place it lies in. */
export type Check = (title: string, work: (store: Store, fixture: StoreFixture) => Promise<void>) => void;

export function createCheck(create: () => Promise<StoreFixture>): Check {
  return (title, work) => {
    it(title, async () => {
      await using fixture = await create();
      await using store = await fixture.open();
      await work(store, fixture);
    });
  };
}

/** The words of the suite's texts: whatever blanks separate, in lower case. */
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

/** A document whose chunks are these texts, one on each line. */
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
  };
}

export async function texts(store: Store, path: string): Promise<string[]> {
  return (await store.chunksOf("memory", path)).map((chunk) => chunk.text);
}

export function search(
  store: Store,
  words: readonly string[],
  options: { limit?: number; filter?: ChunkFilter } = {},
): Promise<string[]> {
  return byClauses(
    store,
    words.map((word) => ({ tokens: [word] })),
    options,
  );
}

export async function byClauses(
  store: Store,
  clauses: readonly KeywordClause[],
  { limit = 100, filter }: { limit?: number; filter?: ChunkFilter } = {},
): Promise<string[]> {
  const ids = await store.byKeyword(clauses, { limit, ...(filter === undefined ? {} : { filter }) });
  return (await store.chunks(ids)).map((chunk) => chunk.text);
}
