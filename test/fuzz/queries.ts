import path from "node:path";
import { createSearcher } from "../../src/search/searcher.ts";
import { openSqliteStore } from "../../src/stores/sqlite/sqlite-store.ts";
import { createChunker } from "../../src/text/chunk.ts";
import { sha256 } from "../../src/text/hash.ts";
import { createAnalyzer } from "../../src/text/words/analyze.ts";
import { createChunkTokens } from "../../src/text/words/chunk-tokens.ts";
import { searchSettings } from "../support/search-fixture.ts";
import { type Chooser, createChooser } from "./choose.ts";
import { createTally, type FuzzSuite } from "./suite.ts";

const words = [
  ..."ship|Fridays|deploy|maxResults|max_results|--force|#12|@ada|7741|日本語の|メモ|서울에서|Überblick|naïve|naive|a|the".split(
    "|",
  ),
  ...`"|""|'|*|AND|OR|NOT|NEAR(|NEAR/2|(|)|{|}|:|^|-|+|;|--|/*|\\|%|_|body:|head:|chunks_fts|rowid|DROP TABLE chunks`.split(
    "|",
  ),
  ..."'; DELETE FROM chunks; --|\" OR 1=1|\0|\n|\t|\ufffe|\ud800|\udc00|\u202e|é|e\u0301|ﬁ|ß|İ|ı|😀|👩‍💻".split(
    "|",
  ),
  ..."2026-03-01|yesterday|deadbeef1234|src/a.ts:12|http://x/?q=1|C:\\x|🇩🇪|१२३|ا|ש|𝒳|<script>|\u0024{x}|{{x}}".split(
    "|",
  ),
];

/** Any text is a valid query: it is never an error, and the answer is well formed. */
export const fuzzQueries: FuzzSuite = async ({ seed, count, dir }) => {
  const analyzer = createAnalyzer();
  await using store = await openSqliteStore({
    path: path.join(dir, "index.sqlite"),
    analyzerId: analyzer.id,
    tokens: createChunkTokens(analyzer),
  });
  const chooser = createChooser(seed);
  const chunker = createChunker({ tokens: 100, overlap: 20 });
  for (let number = 0; number < 40; number++) {
    const text = Array.from({ length: 20 }, () => `- ${makeQuery(chooser, 6)}`)
      .join("\n")
      .toWellFormed();
    const document = {
      source: "memory" as const,
      path: `memory/${number}.md`,
      version: "1",
      text,
      hash: sha256(text),
      sizeBytes: text.length,
      modifiedAt: new Date(0),
      scope: "shared" as const,
    };
    await store.put([{ document, chunks: chunker.chunk(text) }], chunker.id);
  }
  const searcher = createSearcher({ store, analyzer, settings: searchSettings, today: () => "2026-03-02" });
  const tally = createTally();
  let hits = 0;
  for (let turn = 0; turn < count; turn++) {
    const query = chooser.chance(0.001) ? makeQuery(chooser, 3000) : makeQuery(chooser, 12);
    try {
      const { results } = await searcher.search(query, { minScore: 0 });
      hits += results.length;
      for (const { score, startLine, endLine, snippet } of results) {
        if (!(score >= 0 && score <= 1 && startLine >= 1 && endLine >= startLine && snippet.length <= 700)) {
          tally.fail(`${JSON.stringify(query)} gave ${JSON.stringify({ score, startLine, endLine })}`);
        }
      }
    } catch (error) {
      tally.fail(`${JSON.stringify(query.slice(0, 200))} failed with ${error}`);
    }
  }
  const { chunks } = await store.stats();
  if (chunks === 0) tally.fail("the index is empty afterwards");
  return tally.report(count, `${hits} hits`);
};

function makeQuery({ below, one, chance, text }: Chooser, maxWords: number): string {
  const parts = Array.from({ length: below(maxWords + 1) }, () => (chance(0.2) ? text(8) : one(words)));
  return parts.join(one([" ", " ", " ", "", "\n", "  ", "-", "."]));
}
