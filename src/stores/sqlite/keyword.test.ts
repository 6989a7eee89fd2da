import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { checkIntegrity, document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { matchExpression, prepareWordCounts } from "./keyword.ts";
import { writeSchema } from "./schema.ts";

test("tokens are quoted, each once, and any of them may match", () => {
  assert.equal(matchExpression(["a", "b", "a"]), '"a" OR "b"');
  assert.equal(matchExpression(['say"hi"', "x\0y", "\0", " ", "", "a b"]), '"say""hi"""');
  assert.equal(matchExpression(["\0", ""]), null);
  assert.equal(matchExpression([]), null);
});

/** Any text without blanks, from every corner of Unicode. */
const token = fc
  .string({ unit: "binary", minLength: 1, maxLength: 12 })
  .map((text) => text.replaceAll(/[ \0]/g, "").toLowerCase())
  .filter((text) => text !== "" && text.isWellFormed());

test("every token without a blank is stored and found as exactly one word", async (t) => {
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

test("no token, however strange, is an error", async (t) => {
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

test("any series of edits leaves the words of exactly the chunks that are there", async (t) => {
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

function createWords() {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, chunks_fts, row)");
  const insert = db.prepare("INSERT INTO chunks_fts (body) VALUES (?)");
  const state = { revision: 0 };
  return {
    count: prepareWordCounts(db, () => state.revision, {
      limits: { smallIndex: 200, countedChunks: 100, largeCount: 50 },
    }),
    /** Of each hundred chunks, all say `all`, half `half`, ten `tenth` and one `rare`. */
    addHundreds: (hundreds: number) => {
      for (let number = 0; number < hundreds * 100; number++) {
        const words = [
          "all",
          number % 2 === 0 && "half",
          number % 10 === 0 && "tenth",
          number % 100 === 7 && "rare",
        ];
        insert.run(words.filter(Boolean).join(" "));
      }
      state.revision++;
    },
    deleteUpTo: (key: number) => {
      db.exec(`DELETE FROM chunks_fts WHERE rowid <= ${key}`);
      state.revision++;
    },
  };
}

const words = ["all", "half", "tenth", "rare", "never"];

test("in a small index every count is exact", () => {
  const index = createWords();
  index.addHundreds(2);
  assert.deepEqual([...index.count(words).values()], [200, 100, 20, 2, 0]);
  index.deleteUpTo(100);
  assert.deepEqual([...index.count(words).values()], [100, 50, 10, 1, 0]);
});

test("in a large one the counts of common words are near, and those of others exact", () => {
  const index = createWords();
  index.addHundreds(9);
  const [all, half, tenth, rare, never] = index.count(words).values();
  assert.deepEqual([all, tenth, rare, never], [900, 90, 9, 0]);
  assertNear(half, 450);
});

test("chunks that were deleted do not lead the estimate astray", () => {
  const index = createWords();
  index.addHundreds(20);
  index.deleteUpTo(1000);
  const [all, half] = index.count(words).values();
  assertNear(all, 1000);
  assertNear(half, 500);
});

test("large counts are kept over small changes and renewed after larger ones", () => {
  const index = createWords();
  index.addHundreds(300);
  assert.equal(index.count(["all"]).get("all"), 30_000);
  index.addHundreds(1);
  assert.equal(index.count(["all"]).get("all"), 30_000);
  index.addHundreds(5);
  assert.equal(index.count(["all"]).get("all"), 30_600);
  index.deleteUpTo(15_000);
  assert.equal(index.count(["all"]).get("all"), 15_600);
});

interface Added {
  readonly all: number;
  /** How many of the first ones contain the token, if not only every `step`th of them does. */
  readonly early: number;
  readonly step?: number;
}

function createEarly(first: Added, limits?: typeof small) {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, chunks_fts, row)");
  const state = { revision: 0 };
  const add = db.prepare(
    `INSERT INTO chunks_fts (body) WITH RECURSIVE numbers (n) AS
       (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
     SELECT iif(n <= ?2 AND n % ?3 = 0, 'early', 'late') FROM numbers`,
  );
  const change = (work: () => void) => {
    work();
    state.revision++;
  };
  const addChunks = ({ all, early, step = 1 }: Added) => change(() => add.run(all, early, step));
  addChunks(first);
  const count = prepareWordCounts(db, () => state.revision, limits && { limits });
  return {
    countEarly: () => count(["early"]).get("early"),
    add: addChunks,
    deleteFirst: (chunks: number) => change(() => db.exec(`DELETE FROM chunks_fts WHERE rowid <= ${chunks}`)),
  };
}

const small = { smallIndex: 200, countedChunks: 100, largeCount: 50 };

test("counting stops only in an index above the limit, and only at tokens above theirs", () => {
  // An estimate takes the first half for typical, so it differs from the count.
  assert.equal(createEarly({ all: 200, early: 100 }, small).countEarly(), 100);
  assert.equal(createEarly({ all: 201, early: 99 }, small).countEarly(), 99);
  assert.equal(createEarly({ all: 201, early: 100 }, small).countEarly(), 201);
  assert.equal(createEarly({ all: 400, early: 250 }, small).countEarly(), 400);
  const sparse = createEarly({ all: 900, early: 600, step: 3 }, small);
  assert.equal(sparse.countEarly(), 300, "the hundredth is at a third of them");
  sparse.deleteFirst(300);
  assert.equal(sparse.countEarly(), 200, "the hundredth is in the middle of what is left");
  sparse.deleteFirst(900);
  assert.equal(sparse.countEarly(), 0);
});

test("a count up to the limit is renewed with every change, one above it after more than one in a hundred", () => {
  const counted = createEarly({ all: 300, early: 50 }, small);
  assert.equal(counted.countEarly(), 50);
  counted.add({ all: 1, early: 1 });
  assert.equal(counted.countEarly(), 51);
  counted.add({ all: 2, early: 2 });
  assert.equal(counted.countEarly(), 51, "three in 303");
  counted.add({ all: 1, early: 1 });
  assert.equal(counted.countEarly(), 54, "four in 304");

  const shrinking = createEarly({ all: 303, early: 60 }, small);
  assert.equal(shrinking.countEarly(), 60);
  shrinking.deleteFirst(3);
  assert.equal(shrinking.countEarly(), 60, "three of 300");
  shrinking.add({ all: 1, early: 0 });
  assert.equal(shrinking.countEarly(), 57, "what was added and what was deleted add up");
});

test("by default all counts are exact up to 200,000 chunks, and large ones lasting above 10,000", () => {
  const large = createEarly({ all: 200_000, early: 100_000 });
  assert.equal(large.countEarly(), 100_000);
  large.add({ all: 3000, early: 0 });
  assert.equal(large.countEarly(), 203_000);
  large.deleteFirst(90_000);
  large.add({ all: 90_000, early: 0 });
  assert.equal(large.countEarly(), 10_000);
  large.add({ all: 1, early: 1 });
  assert.equal(large.countEarly(), 10_001);
  large.add({ all: 1, early: 1 });
  assert.equal(large.countEarly(), 10_001);
});

test("both ways to answer give the best chunks, at most as many as asked for, of the documents that match", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const texts = ["fig", "fig fig kiwi", "kiwi", "fig kiwi plum", "plum", "Fig"];
  for (const [number, text] of texts.entries())
    await store.put([document(`${number}.md`, [text, `other${number}`])], "cut-1");
  const find = async (tokens: readonly string[], limit: number, paths?: readonly string[]) => {
    const ids = await store.byKeyword(tokens, { limit, ...(paths && { filter: { paths } }) });
    return (await store.chunks(ids)).map(({ text }) => text);
  };
  // The first query is answered by FTS5, those after it by our own code.
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
    // FTS5 folds capitals, our own code does not, so such a token is left to FTS5.
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

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs(actual! - expected) <= expected * 0.03, `${actual} is not near ${expected}`);
}
