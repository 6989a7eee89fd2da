import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { checkIntegrity, document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { prepareWordCounts } from "./keyword.ts";

/** Any text without spaces, from the whole of Unicode. */
const token = fc
  .string({ unit: "binary", minLength: 1, maxLength: 12 })
  .map((text) => text.replaceAll(/[ \0\x01]/g, "").toLowerCase())
  .filter((text) => text !== "" && text.isWellFormed());

test("every token without a space is stored and found as exactly one term", async (t) => {
  const folder = makeTemporaryFolder(t);
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(token, { minLength: 1, maxLength: 30 }), async (tokens) => {
      const path = folder.at(`${++number}.sqlite`);
      {
        await using store = await openAt(path, { tokens: ({ text }) => ({ body: text, head: "" }) });
        await store.put([document("a.md", [tokens.join(" ")])], "cut-1");
        assert.deepEqual(await store.documentFrequencies(tokens), new Map(tokens.map((each) => [each, 1])));
        assert.equal((await store.byKeyword(tokens, { limit: 5 })).length, 1);
        for (const each of tokens) {
          assert.equal((await store.byKeyword([each], { limit: 5 })).length, 1);
        }
      }
      const db = new DatabaseSync(path);
      db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, chunks_fts, row)");
      const words = db
        .prepare("SELECT term FROM temp.words")
        .all()
        .map((row) => row["term"]);
      db.close();
      assert.deepEqual(words.sort(), tokens.sort());
    }),
    { seed: 7, numRuns: 40 },
  );
});

test("no token, however odd, is an error", async (t) => {
  const folder = makeTemporaryFolder(t);
  await using store = await openAt(folder.at("index.sqlite"));
  await store.put([document("a.md", ["alpha beta"])], "cut-1");
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom('"', "*", "(", ")", "^", ":", "-", "+", " ", "a", "\0", "\ud800"),
      maxLength: 8,
    }),
    fc.constantFrom("AND", "OR", "NOT", "NEAR", "NEAR(a b, 2)", "body:", "{body head}:a", "a*", '"'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anything), fc.double(), anything, async (asked, limit, prefix) => {
      await store.byKeyword(asked, { limit });
      await store.documentFrequencies(asked);
      await store.tokensWithPrefix(prefix, limit);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("words of the headings count, but less than words of the text", async (t) => {
  const folder = makeTemporaryFolder(t);
  await using store = await openAt(folder.at("index.sqlite"), {
    tokens: ({ text, path }) => ({ body: text, head: path.replaceAll("/", " ") }),
  });
  await store.put([document("apple/x", ["pear plum"]), document("other/y", ["apple plum"])], "cut-1");
  const ids = await store.byKeyword(["apple"], { limit: 5 });
  assert.deepEqual(
    (await store.chunks(ids)).map((chunk) => chunk.path),
    ["other/y", "apple/x"],
  );
});

test("after any series of edits, the index has the words of exactly the existing chunks", async (t) => {
  const folder = makeTemporaryFolder(t);
  let number = 0;
  const edit = fc.record({
    path: fc.constantFrom("a.md", "b.md", "c.md"),
    chunks: fc.option(
      fc.array(fc.constantFrom("one", "two", "two three", "four one", "five"), { maxLength: 6 }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
      const path = folder.at(`${++number}.sqlite`);
      const expected = new Map<string, string[]>();
      {
        await using store = await openAt(path);
        for (const { path: note, chunks } of edits) {
          if (chunks === null) {
            await store.remove("memory", [note]);
            expected.delete(note);
          } else {
            await store.put([document(note, chunks)], "cut-1");
            expected.set(note, chunks);
          }
        }
        for (const note of ["a.md", "b.md", "c.md"]) {
          const found = await store.chunksOf("memory", note);
          assert.deepEqual(
            found.map((chunk) => chunk.text),
            expected.get(note) ?? [],
          );
        }
        const all = [...expected.values()].flat();
        for (const word of ["one", "two", "three", "four", "five"]) {
          const count = all.filter((text) => text.split(" ").includes(word)).length;
          assert.equal((await store.documentFrequencies([word])).get(word), count);
          assert.equal((await store.byKeyword([word], { limit: 99 })).length, count);
        }
      }
      checkIntegrity(path);
    }),
    { seed: 7, numRuns: 40 },
  );
});

/** An index with this number of chunks; tokens are counted in `inIndex`. */
function createCounts({ chunks, lastKey = chunks }: { chunks: number; lastKey?: number }) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE chunks_fts_docsize (id INTEGER PRIMARY KEY)");
  const add = db.prepare(
    `INSERT INTO chunks_fts_docsize WITH RECURSIVE numbers (n) AS
       (SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2) SELECT n FROM numbers`,
  );
  const state = { revision: 0, lastKey };
  add.run(lastKey - chunks + 1, lastKey);
  const inIndex = new Map<string, number>();
  let reads = 0;
  const count = (token: string): number => {
    reads++;
    return inIndex.get(token) ?? 0;
  };
  return {
    inIndex,
    reads: () => reads,
    countWith: (limits?: { smallIndex: number; largeCount: number }) => {
      const counts = prepareWordCounts(db, {
        revision: () => state.revision,
        count,
        ...(limits && { limits }),
      });
      return (token: string) => counts([token]).get(token);
    },
    add: (more: number) => {
      add.run(state.lastKey + 1, state.lastKey + more);
      state.lastKey += more;
      state.revision++;
    },
    deleteFirst: (some: number) => {
      db.prepare(
        "DELETE FROM chunks_fts_docsize WHERE id IN (SELECT id FROM chunks_fts_docsize LIMIT ?)",
      ).run(some);
      state.revision++;
    },
  };
}

const small = { smallIndex: 200, largeCount: 50 };

test("tokens are counted once per state of the index", () => {
  const index = createCounts({ chunks: 200 });
  const count = index.countWith(small);
  index.inIndex.set("early", 100);
  assert.deepEqual([count("early"), count("early"), count("never"), count("never")], [100, 100, 0, 0]);
  assert.equal(index.reads(), 2);
  index.deleteFirst(1);
  index.inIndex.set("early", 99);
  assert.equal(count("early"), 99);
});

test("in a large index, small counts are renewed with every change, larger ones after one percent of changes", () => {
  const index = createCounts({ chunks: 300 });
  const count = index.countWith(small);
  const change = (work: () => void, early: number) => {
    work();
    index.inIndex.set("early", early);
    return count("early");
  };
  index.inIndex.set("early", 50);
  assert.equal(count("early"), 50);
  assert.equal(
    change(() => index.add(1), 51),
    51,
  );
  assert.equal(
    change(() => index.add(2), 53),
    51,
    "three in 303",
  );
  assert.equal(
    change(() => index.add(1), 54),
    54,
    "four in 304",
  );
  assert.equal(
    change(() => index.deleteFirst(3), 51),
    54,
    "three of 301",
  );
  assert.equal(
    change(() => index.add(1), 52),
    52,
    "what was added and what was deleted add up",
  );
});

test("by default counts are exact up to 200,000 chunks; beyond that, counts above 10,000 are kept for a while", () => {
  const index = createCounts({ chunks: 200_000 });
  const count = index.countWith();
  for (const early of [100_000, 100_001]) {
    index.inIndex.set("early", early);
    index.deleteFirst(1);
    assert.equal(count("early"), early);
  }
  index.add(3000);
  index.inIndex.set("early", 10_000);
  assert.equal(count("early"), 10_000);
  index.add(1);
  index.inIndex.set("early", 10_001);
  assert.equal(count("early"), 10_001);
  index.add(1);
  index.inIndex.set("early", 10_002);
  assert.equal(count("early"), 10_001);
});

test("an answer has the best chunks, at most as many as asked for, of the documents that match", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const texts = ["fig", "fig fig kiwi", "kiwi", "fig kiwi plum", "plum", "Fig"];
  for (const [number, text] of texts.entries())
    await store.put([document(`${number}.md`, [text, `other${number}`])], "cut-1");
  const find = async (tokens: readonly string[], limit: number, paths?: readonly string[]) => {
    const ids = await store.byKeyword(tokens, { limit, ...(paths && { filter: { paths } }) });
    return (await store.chunks(ids)).map(({ text }) => text);
  };
  for (const round of ["first", "second", "third"]) {
    assert.deepEqual(await find(["plum"], 10), ["plum", "fig kiwi plum"], round);
    assert.deepEqual(await find(["plum", "absent"], 1), ["plum"], round);
    assert.deepEqual(await find(["plum"], 0), [], round);
    assert.deepEqual(await find(["plum"], -1), [], round);
    assert.deepEqual(await find(["absent"], 10), [], round);
    assert.deepEqual(await find([], 10), [], round);
    assert.deepEqual(await find(["plum"], 10, ["3.md"]), ["fig kiwi plum"], round);
    assert.deepEqual(await find(["plum"], 10, ["0.md", "1.md", "2.md", "3.md"]), ["fig kiwi plum"], round);
    assert.deepEqual(await find(["plum"], 10, []), [], round);
    assert.equal((await find(["PLUM", "absent"], 10)).length, 2, round);
    assert.deepEqual([...(await store.documentFrequencies(["plum", "fig", "absent"])).values()], [2, 4, 0]);
  }
  assert.deepEqual(await store.tokensWithPrefix("other", 2), [
    { token: "other0", chunks: 1 },
    { token: "other1", chunks: 1 },
  ]);
  assert.deepEqual(await store.tokensWithPrefix("k", 9), [{ token: "kiwi", chunks: 3 }]);
  assert.deepEqual(await store.tokensWithPrefix("other", 0), []);
});
