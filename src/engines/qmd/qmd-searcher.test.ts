import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readQueryWords } from "../../search/query-words.ts";
import { createAnalyzer } from "../../text/words/analyze.ts";
import { rewriteQuery, rewriteSemanticQuery } from "./qmd-searcher.ts";

const analyzer = createAnalyzer();
const rewrite = (query: string) => rewriteQuery(query, readQueryWords(query, analyzer), []);

test("every significant word is searched alone, and neighbours and all of them together", () => {
  const queries = rewrite("When do we deploy the billing service?");
  assert.deepEqual(queries.slice(0, 3), ["deploy billing service", "deploy billing", "billing service"]);
  for (const word of ["deploy", "billing", "service"]) assert.ok(queries.includes(word), word);
  for (const word of ["when", "When", "do", "the"]) assert.ok(!queries.includes(word), word);
});

test("a word is searched as written, because qmd keeps the letters that folding changes", () => {
  assert.ok(rewrite("Straße gesperrt").includes("Straße"));
});

test("scripts without spaces are searched in bigrams", () => {
  assert.ok(rewrite("周五部署").includes("部署"));
});

test("no query keeps any of qmd's syntax", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (query) => {
      for (const each of rewrite(query)) {
        assert.match(each, /^[\p{L}\p{N}\p{M}_]+( [\p{L}\p{N}\p{M}_]+)*$/u, JSON.stringify(query));
      }
      assert.doesNotMatch(rewriteSemanticQuery(query) ?? "", /[\r\n]|(?:^|\s)-[\w"]/);
    }),
    { seed: 11, numRuns: 500 },
  );
});
