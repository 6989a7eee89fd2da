import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Chunk, Document, SourceName } from "../text/document.ts";
import type { ChunkFilter, IndexedDocument, KeywordClause, Store } from "./store.ts";

/** One empty place for an index, of which every `open` gives another handle. */
export interface StoreFixture extends AsyncDisposable {
  open(): Promise<Store>;
}

export interface StoreContractOptions {
  /** Must index the tokens of a chunk's text that `contractTokens` gives, and nothing of its headings and path. */
  readonly create: () => Promise<StoreFixture>;
}

/** The words of the suite's texts: whatever blanks separate, in lower case. */
export function contractTokens(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[ \n]+/)
    .filter((word) => word !== "");
}

/** Every promise of the Store interface, for whoever keeps it. */
export function testStore(name: string, { create }: StoreContractOptions): void {
  const withStore = (work: (store: Store, fixture: StoreFixture) => Promise<void>) => async () => {
    await using fixture = await create();
    await using store = await fixture.open();
    await work(store, fixture);
  };

  describe(`${name} as a store: documents`, () => {
    it(
      "is empty at first",
      withStore(async (store) => {
        assert.deepEqual(await store.versions("memory"), new Map());
        assert.deepEqual(await search(store, ["word"]), []);
        const { files, chunks, sources } = await store.stats();
        assert.deepEqual({ files, chunks, sources }, { files: 0, chunks: 0, sources: [] });
      }),
    );

    it(
      "keeps what was put: versions, chunks, counts",
      withStore(async (store) => {
        await store.put([document("memory/a.md", ["alpha one", "beta two"], { version: "v1" })], "cut-1");
        assert.deepEqual(
          await store.versions("memory"),
          new Map([["memory/a.md", { version: "v1", hash: "hash of memory/a.md", chunker: "cut-1" }]]),
        );
        const chunks = await store.chunksOf("memory", "memory/a.md");
        assert.deepEqual(
          chunks.map(({ id: _, ...rest }) => rest),
          [
            {
              path: "memory/a.md",
              source: "memory",
              lines: { start: 1, end: 1 },
              headings: ["Title", "Part 1"],
              text: "alpha one",
              scope: "shared",
            },
            {
              path: "memory/a.md",
              source: "memory",
              lines: { start: 2, end: 2 },
              headings: ["Title", "Part 2"],
              text: "beta two",
              scope: "shared",
            },
          ],
        );
        const { files, chunks: count, sources, sizeBytes } = await store.stats();
        assert.deepEqual({ files, count }, { files: 1, count: 2 });
        assert.deepEqual(sources, [{ source: "memory", files: 1, chunks: 2 }]);
        assert.ok(sizeBytes > 0);
      }),
    );

    it(
      "replaces a document as a whole",
      withStore(async (store) => {
        await store.put([document("a.md", ["same", "old words", "tail"], { version: "1" })], "cut-1");
        await store.put(
          [document("a.md", ["fresh words", "same"], { version: "2", date: "2025-01-02" })],
          "cut-2",
        );
        assert.deepEqual(await texts(store, "a.md"), ["fresh words", "same"]);
        assert.deepEqual(await search(store, ["old"]), []);
        assert.deepEqual(await search(store, ["tail"]), []);
        assert.deepEqual(await search(store, ["fresh"]), ["fresh words"]);
        assert.deepEqual(await search(store, ["same"]), ["same"]);
        assert.equal((await store.versions("memory")).get("a.md")?.chunker, "cut-2");
        const [first, second] = await store.chunksOf("memory", "a.md");
        assert.deepEqual(
          [first?.lines, second?.lines],
          [
            { start: 1, end: 1 },
            { start: 2, end: 2 },
          ],
        );
        assert.equal(first?.date, "2025-01-02");
        assert.equal((await store.stats()).chunks, 2);
      }),
    );

    it(
      "follows every edit of a document: equal texts, moved texts, none at all",
      withStore(async (store) => {
        const edits = [["a", "a", "b"], ["b", "a"], ["x", "b", "a", "a", "a"], [], ["a"], ["c", "a", "c"]];
        for (const [number, edit] of edits.entries()) {
          await store.put([document("a.md", edit, { version: `${number}` })], "cut-1");
          assert.deepEqual(await texts(store, "a.md"), edit);
          const lines = (await store.chunksOf("memory", "a.md")).map((chunk) => chunk.lines.start);
          assert.deepEqual(
            lines,
            edit.map((_, index) => index + 1),
          );
          for (const word of ["a", "b", "c", "x"]) {
            const expected = edit.filter((text) => text === word);
            assert.deepEqual(await search(store, [word]), expected, `${word} in edit ${number}`);
          }
        }
      }),
    );

    it(
      "puts many documents at once, and tells the same path of two sources apart",
      withStore(async (store) => {
        await store.put(
          [
            document("a.md", ["note"]),
            document("a.md", ["talk"], { source: "sessions" }),
            document("b.md", []),
          ],
          "cut-1",
        );
        assert.deepEqual([...(await store.versions("memory")).keys()].sort(), ["a.md", "b.md"]);
        assert.deepEqual([...(await store.versions("sessions")).keys()], ["a.md"]);
        assert.deepEqual(
          (await store.chunksOf("sessions", "a.md")).map((chunk) => chunk.text),
          ["talk"],
        );
        assert.deepEqual(
          [...(await store.stats()).sources].sort((a, b) => (a.source < b.source ? -1 : 1)),
          [
            { source: "memory", files: 2, chunks: 1 },
            { source: "sessions", files: 1, chunks: 1 },
          ],
        );
        await store.remove("memory", ["a.md"]);
        assert.deepEqual(await search(store, ["note", "talk"]), ["talk"]);
      }),
    );

    it(
      "touches: a new version and nothing else",
      withStore(async (store) => {
        await store.put([document("a.md", ["alpha"], { version: "1" })], "cut-1");
        const before = await store.chunksOf("memory", "a.md");
        await store.touch(
          "memory",
          new Map([
            ["a.md", "2"],
            ["unknown.md", "7"],
          ]),
        );
        assert.deepEqual(
          await store.versions("memory"),
          new Map([["a.md", { version: "2", hash: "hash of a.md", chunker: "cut-1" }]]),
        );
        assert.deepEqual(await store.chunksOf("memory", "a.md"), before);
      }),
    );

    it(
      "removes documents with all their words, and does not mind unknown ones",
      withStore(async (store) => {
        await store.put([document("a.md", ["alpha"]), document("b.md", ["beta"])], "cut-1");
        await store.remove("memory", ["a.md", "never.md"]);
        await store.remove("memory", []);
        assert.deepEqual([...(await store.versions("memory")).keys()], ["b.md"]);
        assert.deepEqual(await store.chunksOf("memory", "a.md"), []);
        assert.deepEqual(await search(store, ["alpha"]), []);
        assert.equal((await store.documentFrequencies(["alpha"])).get("alpha"), 0);
        assert.equal((await store.stats()).files, 1);
      }),
    );

    it(
      "gives chunks in the order asked for, and leaves out ids that are gone",
      withStore(async (store) => {
        await store.put([document("a.md", ["one", "two", "three"])], "cut-1");
        const [one, two, three] = (await store.chunksOf("memory", "a.md")).map((chunk) => chunk.id);
        await store.put([document("a.md", ["one", "three"])], "cut-1");
        const found = await store.chunks([three!, two!, one!, 123_456_789]);
        assert.ok(!found.some((chunk) => chunk.text === "two"));
        await store.put([document("b.md", ["four", "five", "six"])], "cut-1");
        assert.ok(
          (await store.chunks([two!])).every((chunk) => chunk.path === "a.md"),
          "an id never comes back for another text",
        );
        const ids = (await store.chunksOf("memory", "b.md")).map((chunk) => chunk.id);
        const reversed = await store.chunks(ids.toReversed());
        assert.deepEqual(
          reversed.map((chunk) => chunk.text),
          ["six", "five", "four"],
        );
      }),
    );

    it(
      "keeps any text and any path as they are",
      withStore(async (store) => {
        const odd = [
          "",
          "nul\0inside",
          "emoji 👩‍👩‍👧 \u{10ffff}",
          "tab\tcr\r\u2028",
          "日本語 العربية ไทย",
          "'\"%_*?;--",
        ];
        const path = 'memory/o\'d "d" 日本%_*.md';
        await store.put([document(path, odd)], "cut-1");
        assert.deepEqual(await texts(store, path), odd);
        assert.ok((await store.versions("memory")).has(path));
      }),
    );

    it(
      "keeps a document of thousands of chunks",
      withStore(async (store) => {
        const many = Array.from({ length: 3000 }, (_, index) => `common unique${index}`);
        await store.put([document("big.md", many)], "cut-1");
        assert.deepEqual(await texts(store, "big.md"), many);
        assert.deepEqual(await search(store, ["unique2999"]), ["common unique2999"]);
        assert.equal((await store.documentFrequencies(["common"])).get("common"), 3000);
      }),
    );
  });

  describe(`${name} as a store: words`, () => {
    it(
      "finds any of the words, the chunk with more of the rare ones first",
      withStore(async (store) => {
        const filler = Array.from({ length: 20 }, (_, index) => `common filler${index}`);
        await store.put([document("a.md", ["common apple", "common apple pear", ...filler])], "cut-1");
        assert.deepEqual((await search(store, ["apple", "pear", "nowhere"])).slice(0, 2), [
          "common apple pear",
          "common apple",
        ]);
        assert.equal((await search(store, ["common"], { limit: 5 })).length, 5);
        assert.deepEqual(await search(store, ["common"], { limit: 0 }), []);
        assert.deepEqual(await search(store, ["nowhere"]), []);
        assert.deepEqual(await search(store, []), []);
      }),
    );

    it(
      "matches several tokens of a clause as a phrase, and the last one as a prefix when asked",
      withStore(async (store) => {
        await store.put([document("a.md", ["red green blue", "green red blue", "reddish"])], "cut-1");
        const ask = (clause: KeywordClause) => byClauses(store, [clause]);
        assert.deepEqual(await ask({ tokens: ["red", "green"] }), ["red green blue"]);
        assert.deepEqual(await ask({ tokens: ["green", "red", "blue"] }), ["green red blue"]);
        assert.deepEqual(await ask({ tokens: ["blue", "red"] }), []);
        assert.deepEqual((await ask({ tokens: ["red"], prefix: true })).sort(), [
          "green red blue",
          "red green blue",
          "reddish",
        ]);
        assert.deepEqual(await ask({ tokens: ["red", "bl"], prefix: true }), ["green red blue"]);
        assert.deepEqual(await ask({ tokens: ["redd"] }), []);
      }),
    );

    it(
      "takes every token for a word, whatever it looks like",
      withStore(async (store) => {
        const odd = [
          'a"b',
          '"',
          '""',
          "'",
          "''",
          "and",
          "or",
          "not",
          "near",
          "near(a",
          "*",
          "a*",
          "^a",
          "a:b",
          "body:a",
          "head",
          "-a",
          "--flag",
          "c++",
          "(",
          ")",
          "{a}",
          "[b]",
          "\\",
          "/",
          "%",
          "_",
          ";",
          "@name",
          "#12",
          "a.b",
          "v1.2.3",
          "$x",
          "`",
          "~",
          "日本",
          "本語",
          "ไทย",
          "über",
          "😀",
          "👩‍👩‍👧",
          "\u200d",
          "\u00a0",
          "a\u00a0b",
          "1",
          "0x1f",
          "null",
          "true",
        ];
        await store.put(
          odd.map((word, index) => document(`${index}.md`, [`start ${word} end`])),
          "cut-1",
        );
        for (const word of odd) {
          assert.deepEqual(await search(store, [word]), [`start ${word} end`], JSON.stringify(word));
          assert.deepEqual(await byClauses(store, [{ tokens: ["start", word, "end"] }]), [
            `start ${word} end`,
          ]);
          assert.equal((await store.documentFrequencies([word])).get(word), 1, JSON.stringify(word));
        }
      }),
    );

    it(
      "answers odd queries with nothing rather than an error",
      withStore(async (store) => {
        await store.put([document("a.md", ["alpha"])], "cut-1");
        for (const tokens of [
          [""],
          ["\0"],
          [" "],
          ["\ud800"],
          [],
          ["x".repeat(100_000)],
          ['"" OR "alpha"'],
        ]) {
          assert.deepEqual(await byClauses(store, [{ tokens }]), []);
          assert.deepEqual(await byClauses(store, [{ tokens, prefix: true }]), []);
        }
        assert.deepEqual(await byClauses(store, [{ tokens: ["\0alpha\0"] }]), ["alpha"]);
        const many = Array.from({ length: 2000 }, (_, index) => ({ tokens: [`word${index}`] }));
        assert.deepEqual(await byClauses(store, [...many, { tokens: ["alpha"] }]), ["alpha"]);
      }),
    );

    it(
      "narrows to what a filter lets through",
      withStore(async (store) => {
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
        assert.deepEqual(await ask({ since: "2025-01-02", until: "2025-03-31" }), [
          "word march",
          "word talk",
        ]);
        assert.deepEqual(await ask({ until: "2025-03-30" }), ["word new year", "word talk"]);
        assert.deepEqual(await ask({ pathGlob: "memory/*.md" }), ["word march", "word new year"]);
        assert.deepEqual(await ask({ pathGlob: "memory/**/*.md" }), [
          "word march",
          "word new year",
          "word topic",
        ]);
        assert.deepEqual(await ask({ pathGlob: "memory/**", source: "sessions" }), []);
        assert.deepEqual(await ask({ source: "memory", until: "2025-01-31" }), ["word new year"]);
        assert.equal((await search(store, ["word"], { filter: { sharedOnly: true }, limit: 2 })).length, 2);
      }),
    );

    it(
      "counts in how many chunks a word stands",
      withStore(async (store) => {
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
      }),
    );

    it(
      "lists the words that begin with a prefix",
      withStore(async (store) => {
        await store.put([document("a.md", ["car carpet cat", "car", "日本語 日本酒 ca"])], "cut-1");
        const list = async (prefix: string, limit = 100) =>
          (await store.tokensWithPrefix(prefix, limit))
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
      }),
    );
  });

  describe(`${name} as a store: over time`, () => {
    it(
      "keeps facts",
      withStore(async (store) => {
        assert.equal(await store.readFact("last"), null);
        await store.writeFact("last", "one");
        await store.writeFact("last", "two 'quoted' 日本");
        assert.equal(await store.readFact("last"), "two 'quoted' 日本");
        assert.equal(await store.readFact("other"), null);
      }),
    );

    it("is the same after it is opened again", async () => {
      await using fixture = await create();
      {
        await using store = await fixture.open();
        await store.put([document("a.md", ["alpha beta"], { version: "9" })], "cut-1");
        await store.writeFact("last", "sync");
      }
      await using store = await fixture.open();
      assert.equal((await store.versions("memory")).get("a.md")?.version, "9");
      assert.deepEqual(await search(store, ["beta"]), ["alpha beta"]);
      assert.equal(await store.readFact("last"), "sync");
      assert.equal((await store.documentFrequencies(["alpha"])).get("alpha"), 1);
    });

    it(
      "shows every handle what another has committed",
      withStore(async (first, fixture) => {
        await using second = await fixture.open();
        await first.put([document("a.md", ["alpha"])], "cut-1");
        assert.deepEqual(await search(second, ["alpha"]), ["alpha"]);
        assert.equal((await second.documentFrequencies(["alpha"])).get("alpha"), 1);
        await second.put([document("a.md", ["beta"]), document("b.md", ["alpha alpha"])], "cut-1");
        await second.writeFact("by", "second");
        assert.deepEqual(await search(first, ["alpha", "beta"]).then((found) => found.sort()), [
          "alpha alpha",
          "beta",
        ]);
        assert.equal((await first.documentFrequencies(["alpha"])).get("alpha"), 1);
        assert.equal(await first.readFact("by"), "second");
        await second.remove("memory", ["a.md", "b.md"]);
        assert.equal((await first.versions("memory")).size, 0);
      }),
    );

    it(
      "never shows half a document while it is written",
      withStore(async (store, fixture) => {
        await using other = await fixture.open();
        const versionOf = (word: string) =>
          Array.from({ length: 2000 }, (_, index) => `${word} number${index}`);
        await store.put([document("a.md", versionOf("old"))], "cut-1");
        let isWriting = true;
        const writing = store.put([document("a.md", versionOf("new"))], "cut-1").then(() => {
          isWriting = false;
        });
        let looks = 0;
        do {
          for (const reader of [store, other]) {
            const found = await reader.chunksOf("memory", "a.md");
            const words = new Set(found.map((chunk) => chunk.text.split(" ")[0]));
            assert.equal(found.length, 2000);
            assert.equal(words.size, 1);
          }
          looks++;
          await setImmediate();
        } while (isWriting);
        await writing;
        assert.ok(looks > 0);
        assert.equal((await store.documentFrequencies(["new"])).get("new"), 2000);
        assert.equal((await other.documentFrequencies(["old"])).get("old"), 0);
      }),
    );

    it(
      "takes writes that come at the same time from several handles",
      withStore(async (first, fixture) => {
        await using second = await fixture.open();
        await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            (index % 2 === 0 ? first : second).put(
              [document(`${index}.md`, [`shared own${index}`])],
              "cut-1",
            ),
          ),
        );
        for (const store of [first, second]) {
          assert.equal((await store.stats()).files, 40);
          assert.equal((await store.documentFrequencies(["shared"])).get("shared"), 40);
        }
      }),
    );

    it("finishes the running write when it is closed", async () => {
      await using fixture = await create();
      const store = await fixture.open();
      const many = Array.from({ length: 1500 }, (_, index) => `word${index}`);
      const writing = store.put([document("a.md", many)], "cut-1");
      await Promise.all([writing, store[Symbol.asyncDispose]()]);
      await using again = await fixture.open();
      assert.equal((await again.stats()).chunks, 1500);
      await assert.rejects(store.versions("memory"), "a closed store does not answer");
    });
  });
}

interface DocumentOptions {
  readonly source?: SourceName;
  readonly version?: string;
  readonly date?: string;
  readonly scope?: Document["scope"];
}

/** A document whose chunks are these texts, one on each line. */
function document(path: string, chunks: readonly string[], options: DocumentOptions = {}): IndexedDocument {
  const { source = "memory", version = "1", date, scope = "shared" } = options;
  return {
    document: {
      source,
      path,
      version,
      text: chunks.join("\n"),
      hash: `hash of ${path}`,
      sizeBytes: chunks.join("\n").length,
      modifiedAt: new Date(0),
      ...(date === undefined ? {} : { date }),
      scope,
    },
    chunks: chunks.map(
      (text, index): Chunk => ({
        lines: { start: index + 1, end: index + 1 },
        headings: ["Title", `Part ${index + 1}`],
        text,
        hash: `hash of ${text}`,
      }),
    ),
  };
}

async function texts(store: Store, path: string): Promise<string[]> {
  return (await store.chunksOf("memory", path)).map((chunk) => chunk.text);
}

function search(
  store: Store,
  words: readonly string[],
  options: { limit?: number; filter?: ChunkFilter } = {},
): Promise<string[]> {
  return byClauses(
    store,
    words.map((word) => ({ tokens: [word] })),
    options,
  );
}

async function byClauses(
  store: Store,
  clauses: readonly KeywordClause[],
  { limit = 100, filter }: { limit?: number; filter?: ChunkFilter } = {},
): Promise<string[]> {
  const ids = await store.byKeyword(clauses, { limit, ...(filter === undefined ? {} : { filter }) });
  return (await store.chunks(ids)).map((chunk) => chunk.text);
}
