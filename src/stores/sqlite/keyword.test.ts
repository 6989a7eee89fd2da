import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { checkIntegrity, document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { matchExpression } from "./keyword.ts";

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
