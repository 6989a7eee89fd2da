import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { monthNumber } from "../text/months.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { foldWord } from "../text/words/fold.ts";
import { maxQueryChars, readQueryWords, type WordKind } from "./query-words.ts";

const analyzer = createAnalyzer();
const read = (query: string) => readQueryWords(query, analyzer);
const tokensOf = (query: string, ...kinds: WordKind[]) =>
  read(query)
    .words.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map(({ token }) => token);

suite("readQueryWords", () => {
  test("gives each word once, in the order of the query", () => {
    assert.deepEqual(tokensOf("staging Database, database staging port", "word"), [
      "stage",
      "databas",
      "port",
    ]);
  });

  test("leaves out stop words of the query's language", () => {
    assert.deepEqual(tokensOf("What is the port of the staging database?", "word"), [
      "port",
      "stage",
      "databas",
    ]);
    assert.deepEqual(tokensOf("Wann ist die nächste Sitzung?", "word"), ["nachst", "sitzung"]);
    assert.deepEqual(tokensOf("Когда у нас следующая встреча?", "word").length, 2);
    assert.equal(read("What is the port?").language, "en");
    assert.equal(read("Wann ist die nächste Sitzung?").language, "de");
    assert.equal(read("kubernetes").language, null);
  });

  test("keeps question words if there are no others, but not those whose stem is another word", () => {
    assert.deepEqual(tokensOf("who are we", "word"), ["who", "we"]);
    assert.deepEqual(tokensOf("are", "word"), []);
    assert.deepEqual(tokensOf("anything", "word"), ["anyth"]);
    assert.deepEqual(tokensOf("ar", "word"), ["ar"]);
    assert.deepEqual(tokensOf("什么时候", "pair"), ["什么", "么时", "时候"]);
  });

  test("leaves out pairs of characters that are stop words", () => {
    assert.deepEqual(tokensOf("会议什么时候", "pair"), ["会议", "议什"]);
  });

  test("does not take an identifier for the stop word that it begins with", () => {
    assert.deepEqual(tokensOf("where is is_active set", "word"), ["is", "activ", "set"]);
    assert.deepEqual(tokensOf("who is on_call", "word"), ["on", "call"]);
    assert.deepEqual(tokensOf("the _private method", "word"), ["privat", "method"]);
    assert.deepEqual(tokensOf("is the isValid check", "word"), ["is", "valid", "check"]);
  });

  test("shows the parts of an identifier as themselves", () => {
    const words = read("where is maxResults").words.filter(({ kind }) => kind === "word");
    assert.deepEqual(
      words.map(({ text }) => text),
      ["max", "result"],
    );
    assert.equal(read("_private").words[0]?.text, "private");
  });

  test("knows hashes, single characters, pairs and exact forms", () => {
    assert.deepEqual(tokensOf("commit 7F3A2B1C", "hash"), ["7f3a2b1c"]);
    assert.deepEqual(tokensOf("水", "character"), ["水"]);
    assert.deepEqual(tokensOf("東京都", "pair"), ["東京", "京都"]);
    assert.deepEqual(tokensOf("東京都", "exact", "character"), [], "the pairs are enough");
    assert.deepEqual(tokensOf("--dry-run", "exact"), ["--dryrun", "dry.run"]);
    assert.deepEqual(tokensOf("maxResults", "exact"), ["maxresult", "max.results"]);
  });

  test("tries two plain words as one identifier", () => {
    assert.ok(tokensOf("max results", "joined").includes("max.results"));
    for (const [asked, written] of [
      ["max results", "maxResults"],
      ["you tube", "YouTube"],
      ["data base", "database"],
      ["time lines", "timeline"],
    ] as const) {
      const known = new Set(analyzer.indexText(written).split(" "));
      assert.ok(
        tokensOf(asked, "joined").some((token) => known.has(token)),
        `${asked} and ${written}`,
      );
    }
    assert.deepEqual(tokensOf("東京 大阪", "joined"), []);
  });

  test("truncates a long query at its limit, without splitting a character", () => {
    const filler = "x ".repeat(maxQueryChars / 2 - 1);
    assert.ok(tokensOf(`${filler}ab`).includes("ab"));
    assert.ok(!tokensOf(`${filler}abc`).includes("abc"));
    assert.deepEqual(tokensOf(`${"x ".repeat(maxQueryChars / 2 - 1)} 𠮷`, "word", "character"), ["x"]);
  });

  test("gives only tokens that the index of the same text contains", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            "the",
            "is_valid",
            "maxResults",
            "東京",
            "什么",
            "--x",
            "don't",
            "a/b",
            "7f3a2b1",
            "ไทย",
          ),
          {
            maxLength: 12,
          },
        )
        .map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(text, (query) => {
        const indexed = new Set(analyzer.indexText(query).split(" "));
        const seen = new Set<string>();
        for (const { token, kind } of read(query).words) {
          assert.ok(kind === "joined" || indexed.has(token), JSON.stringify(token));
          assert.ok(!seen.has(token), "once");
          seen.add(token);
          assert.doesNotMatch(token, /^$|[\s"\p{Cc}\p{Cs}]/u);
        }
        // If the text has any word, some word remains.
        assert.equal(read(query).words.length > 0, indexed.size > 1 || !indexed.has(""));
      }),
      { seed: 31, numRuns: 2000 },
    );
  });
});

const dateAnalyzer = createAnalyzer();
const tokensFor = (query: string) => readQueryWords(query, dateAnalyzer).words.map(({ token }) => token);

test("A day in words matches the name of its note", () => {
  const day = new Set(dateAnalyzer.indexText("memory/2023-05-08.md").split(" "));
  for (const query of [
    "What happened on May 8, 2023?",
    "what did we do on 8 May",
    "on the 8th May 2023",
    "Was war am 8. Mai 2023?",
    "el 8 mayo 2023",
    "8 мая 2023",
  ]) {
    assert.ok(
      tokensFor(query).some((token) => day.has(token) && token.includes(".")),
      `${query}: ${tokensFor(query).join(" ")}`,
    );
  }
});

test("month names are listed in folded form", () => {
  for (const name of ["march", "marz", "aout", "marco", "января", "мая", "декабря"]) {
    assert.equal(foldWord(name), name);
    assert.match(monthNumber(name) ?? "", /^\d\d$/);
  }
});
