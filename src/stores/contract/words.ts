import assert from "node:assert/strict";
import type { ChunkFilter } from "../store.ts";
import { type Check, document, search } from "./fixture.ts";

/** Tokens of any form are found, counted and listed. */
export function checkWords(check: Check): void {
  check("finds any of the words", async (store) => {
    const filler = Array.from({ length: 20 }, (_, index) => `common filler${index}`);
    await store.put([document("a.md", ["common apple", "common apple pear", ...filler])], "cut-1");
    assert.deepEqual((await search(store, ["apple", "pear", "nowhere"])).sort(), [
      "common apple",
      "common apple pear",
    ]);
    assert.equal((await search(store, ["common"], { limit: 5 })).length, 5);
    assert.deepEqual(await search(store, ["common"], { limit: 0 }), []);
    assert.deepEqual(await search(store, ["nowhere"]), []);
    assert.deepEqual(await search(store, []), []);
  });

  check("indexes every token, whatever it looks like", async (store) => {
    const odd = [
      `a"b " "" ' '' and or not near near(a * a* ^a a:b body:a head -a --flag c++ ( ) {a} [b]`,
      "\\ / % _ ; @name #12 a.b v1.2.3 $x ` ~ 日本 本語 ไทย über 😀 👩‍👩‍👧 \u200d \u00a0 a\u00a0b 1 0x1f null true",
      "long".repeat(300),
    ].flatMap((words) => words.split(" "));
    await store.put(
      odd.map((word, index) => document(`${index}.md`, [`start ${word} end`])),
      "cut-1",
    );
    for (const word of odd) {
      assert.deepEqual(await search(store, [word]), [`start ${word} end`], JSON.stringify(word));
      assert.equal((await store.documentFrequencies([word])).get(word), 1, JSON.stringify(word));
    }
  });

  check("answers odd queries with nothing rather than an error", async (store) => {
    await store.put([document("a.md", ["alpha"])], "cut-1");
    for (const token of [
      "",
      "\0",
      " ",
      "\ud800",
      "x".repeat(100_000),
      '"" OR "alpha"',
      "alph",
      "alpha beta",
    ]) {
      assert.deepEqual(await search(store, [token]), [], JSON.stringify(token.slice(0, 20)));
    }
    const many = Array.from({ length: 2000 }, (_, index) => `word${index}`);
    assert.deepEqual(await search(store, [...many, "alpha", "alpha"]), ["alpha"]);
  });

  check("returns every chunk with one of the tokens, and the best if there are too many", async (store) => {
    const common = Array.from({ length: 60 }, (_, index) => `common filler${index}`);
    const better = Array.from({ length: 5 }, (_, index) => `common rare${index % 2} special extra${index}`);
    await store.put([document("a.md", common), document("b.md", better)], "cut-1");
    const all = await search(store, ["common", "special", "nowhere"]);
    assert.deepEqual(all.sort(), [...common, ...better].sort());
    const few = await search(store, ["common", "special"], { limit: 10 });
    assert.equal(few.length, 10);
    for (const text of better) assert.ok(few.includes(text), `${text} is among the best`);
  });

  check("applies the filter", async (store) => {
    await store.put(
      [
        document("MEMORY.md", ["word private"], { scope: "private" }),
        document("memory/2025-01-01.md", ["word new year"], { date: "2025-01-01" }),
        document("memory/2025-03-31.md", ["word march"], { date: "2025-03-31" }),
        document("memory/deep/topic.md", ["word topic"]),
        document("s1", ["word talk"], { source: "sessions", date: "2025-02-01" }),
      ],
      "cut-1",
    );
    const ask = async (filter: ChunkFilter) => (await search(store, ["word"], { filter })).sort();
    const all = ["word march", "word new year", "word private", "word talk", "word topic"];
    assert.deepEqual(await ask({}), all);
    assert.deepEqual(await ask({ source: "sessions" }), ["word talk"]);
    assert.deepEqual(
      await ask({ sharedOnly: true }),
      all.filter((text) => text !== "word private"),
    );
    assert.deepEqual(await ask({ since: "2025-01-01" }), ["word march", "word new year", "word talk"]);
    assert.deepEqual(await ask({ since: "2025-01-02", until: "2025-03-31" }), ["word march", "word talk"]);
    assert.deepEqual(await ask({ until: "2025-03-30" }), ["word new year", "word talk"]);
    assert.deepEqual(await ask({ pathGlob: "memory/*.md" }), ["word march", "word new year"]);
    assert.deepEqual(await ask({ pathGlob: "memory/**/*.md" }), [
      "word march",
      "word new year",
      "word topic",
    ]);
    assert.deepEqual(await ask({ pathGlob: "memory/**", source: "sessions" }), []);
    assert.deepEqual(await ask({ source: "memory", until: "2025-01-31" }), ["word new year"]);
    assert.deepEqual(await ask({ paths: ["MEMORY.md", "memory/deep/topic.md"] }), [
      "word private",
      "word topic",
    ]);
    assert.deepEqual(await ask({ paths: ["MEMORY.md", "s1"], sharedOnly: true }), ["word talk"]);
    assert.deepEqual(await ask({ paths: ["MEMORY.md", "s1"], pathGlob: "*.md" }), ["word private"]);
    assert.deepEqual(await ask({ paths: [] }), []);
    assert.equal((await search(store, ["word"], { filter: { sharedOnly: true }, limit: 2 })).length, 2);
  });

  check("counts the chunks that contain a token", async (store) => {
    await store.put(
      [document("a.md", ["twice twice once", "twice"]), document("b.md", ["twice other"])],
      "cut-1",
    );
    const expected = new Map([
      ["twice", 3],
      ["once", 1],
      ["never", 0],
      ["", 0],
    ]);
    assert.deepEqual(await store.documentFrequencies(["twice", "once", "never", ""]), expected);
    await store.put([document("a.md", ["once"])], "cut-1");
    assert.deepEqual(
      await store.documentFrequencies(["twice", "once"]),
      new Map([
        ["twice", 1],
        ["once", 1],
      ]),
    );
    assert.deepEqual(await store.documentFrequencies([]), new Map());
  });

  check("lists the tokens that begin with a prefix", async (store) => {
    await store.put([document("a.md", ["car carpet cat", "car", "日本語 日本酒 ca"])], "cut-1");
    const { tokensWithPrefix } = store;
    if (tokensWithPrefix === undefined) return;
    const list = async (prefix: string, limit = 100) =>
      (await tokensWithPrefix.call(store, prefix, limit))
        .map(({ token, chunks }) => `${token} ${chunks}`)
        .sort();
    assert.deepEqual(await list("car"), ["car 2", "carpet 1"]);
    assert.deepEqual(await list("ca"), ["ca 1", "car 2", "carpet 1", "cat 1"]);
    assert.deepEqual(await list("日本"), ["日本語 1", "日本酒 1"]);
    assert.deepEqual(await list("zebra"), []);
    assert.equal((await list("ca", 2)).length, 2);
    assert.deepEqual(await list("ca", 0), []);
    await store.remove("memory", ["a.md"]);
    assert.deepEqual(await list("ca"), []);
  });
}
