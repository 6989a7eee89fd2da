import { semanticSourceOf } from "../src/search/choose-query-embedder.ts";
import { createSearcher } from "../src/search/searcher.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../src/stores/store.ts";
import { createAnalyser } from "../src/text/words/analyse.ts";
import { searchSettings } from "../test/support/search-place.ts";
import { createStubEmbedder } from "./stub-embedder.ts";

const analyser = createAnalyser();

/** The store as a memory opens it, without notes on disk. */
export function openStore(path: string): Promise<FullStore> {
  return openSqliteStore({
    path,
    analyserId: analyser.id,
    tokens: ({ text, headings, path: notePath }) => ({
      body: analyser.indexText(text),
      head: analyser.indexText(`${notePath} ${headings.join(" / ")}`),
    }),
  });
}

export type Search = ReturnType<typeof createSearcher>["search"];

export function searchByWords(store: FullStore): Search {
  const settings = { ...searchSettings, minScore: 0.35 };
  return createSearcher({ store, analyser, settings, today: () => "2026-11-15" }).search;
}

/** `query` gives the vector of the next question. */
export function searchHybrid(store: FullStore, dimensions: number, query: () => Float32Array): Search {
  return createSearcher({
    store,
    analyser,
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
