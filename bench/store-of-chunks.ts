import { semanticSourceOf } from "../src/search/choose-query-embedder.ts";
import { createSearcher } from "../src/search/searcher.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../src/stores/store.ts";
import { createAnalyzer } from "../src/text/words/analyze.ts";
import { createChunkTokens } from "../src/text/words/chunk-tokens.ts";
import { searchSettings } from "../test/support/search-fixture.ts";
import { createStubEmbedder } from "./stub-embedder.ts";

const analyzer = createAnalyzer();

/** The store as a memory opens it, without notes on disk. */
export function openStore(path: string): Promise<FullStore> {
  return openSqliteStore({
    path,
    analyzerId: analyzer.id,
    tokens: createChunkTokens(analyzer),
  });
}

export type Search = ReturnType<typeof createSearcher>["search"];

export function searchByWords(store: FullStore): Search {
  const settings = { ...searchSettings, minScore: 0.35 };
  return createSearcher({ store, analyzer, settings, today: () => "2026-11-15" }).search;
}

/** `query` gives the vector of the next query. */
export function searchHybrid(store: FullStore, dimensions: number, query: () => Float32Array): Search {
  return createSearcher({
    store,
    analyzer,
    settings: searchSettings,
    semantic: semanticSourceOf({
      embedder: createStubEmbedder(dimensions, query),
      waitMs: 1000,
      isHybrid: true,
      blend: { kind: "weighted", vectorWeight: 0.7, textWeight: 0.3 },
    }),
    today: () => "2026-11-15",
  }).search;
}
