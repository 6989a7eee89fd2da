import type { TestContext } from "node:test";
import type { Searcher } from "../../src/search/search.ts";
import { createSearcher, type SearchSettings } from "../../src/search/searcher.ts";
import { openSqliteStore } from "../../src/stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../../src/stores/store.ts";
import { createChunker } from "../../src/text/chunk.ts";
import type { Scope } from "../../src/text/document.ts";
import { sha256 } from "../../src/text/hash.ts";
import { createAnalyzer } from "../../src/text/words/analyze.ts";
import { createChunkTokens } from "../../src/text/words/chunk-tokens.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

export const searchSettings: SearchSettings = {
  maxResults: 6,
  minScore: 0,
  maxSnippetChars: 700,
  maxInjectedChars: 4000,
  candidateMultiplier: 4,
  temporalDecay: { enabled: false, halfLifeDays: 30, undated: "keep" },
  mmr: { enabled: false, lambda: 0.7 },
};

export interface DatedNote {
  readonly text: string;
  readonly date?: string;
  readonly scope?: Scope;
}

export interface SearchFixture {
  readonly store: FullStore;
  readonly search: Searcher["search"];
  /** The same notes with other settings. */
  searchWith(settings: Partial<SearchSettings>): Searcher["search"];
}

/** A separate index of some notes, and a searcher on it, without note files. */
export async function openSearchFixture(
  t: TestContext,
  notes: Readonly<Record<string, string | DatedNote>>,
): Promise<SearchFixture> {
  const folder = makeTemporaryFolder(t);
  const analyzer = createAnalyzer();
  const chunker = createChunker({ tokens: 400, overlap: 80 });
  const store = await openSqliteStore({
    path: folder.at("index.sqlite"),
    analyzerId: analyzer.id,
    tokens: createChunkTokens(analyzer),
  });
  t.after(() => store[Symbol.asyncDispose]());
  const documents = Object.entries(notes).map(([path, note]) => {
    const { text, date, scope = "shared" } = typeof note === "string" ? { text: note } : note;
    const hash = sha256(text);
    const document = {
      source: "memory" as const,
      path,
      version: hash,
      text,
      hash,
      sizeBytes: Buffer.byteLength(text),
      modifiedAt: new Date(0),
      ...(date === undefined ? {} : { date }),
      scope,
    };
    return { document, chunks: chunker.chunk(text) };
  });
  await store.put(documents, chunker.id);
  const searchWith = (settings: Partial<SearchSettings>): Searcher["search"] =>
    createSearcher({
      store,
      analyzer,
      settings: { ...searchSettings, ...settings },
      today: () => "2026-11-15",
    }).search;
  return { store, searchWith, search: searchWith({}) };
}
