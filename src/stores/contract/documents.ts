import assert from "node:assert/strict";
import type { IndexedDocument } from "../store.ts";
import { type Check, document, search, texts } from "./fixture.ts";

/** A document that was put is there, complete, until it is replaced or removed. */
export function checkDocuments(check: Check): void {
  check("is empty at first", async (store) => {
    assert.deepEqual(await store.versions("memory"), new Map());
    assert.deepEqual(await search(store, ["word"]), []);
    const { files, chunks, sources } = await store.stats();
    assert.deepEqual({ files, chunks, sources }, { files: 0, chunks: 0, sources: [] });
  });

  check("has nothing to repair when it is sound, and loses nothing by a repair", async (store) => {
    if (store.repair === undefined) return;
    await store.put([document("a.md", ["alpha", "beta"]), document("b.md", ["beta"])], "cut-1");
    assert.deepEqual(await store.repair(), []);
    await store.repair({ words: "rebuild", vectors: "drop" });
    assert.deepEqual(await store.repair(), []);
    assert.equal((await search(store, ["beta"])).length, 2);
    assert.equal((await store.versions("memory")).size, 2);
    const described = await store.describe?.();
    if (described) assert.ok(described.sizes.databaseBytes + described.sizes.walBytes > 0);
  });

  check("keeps what was put: versions, chunks, counts", async (store) => {
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
  });

  check("lists its documents in order, if it can list them", async (store) => {
    if (store.documents === undefined) return;
    assert.deepEqual(await store.documents(), []);
    await store.put(
      [
        document("sessions/a.jsonl", ["said"], { source: "sessions" }),
        document("memory/b.md", ["beta"], { date: "2025-01-02" }),
        document("memory/a.md", ["alpha", "more"]),
      ],
      "cut-1",
    );
    assert.deepEqual(await store.documents(), [
      { source: "memory", path: "memory/a.md", chunks: 2 },
      { source: "memory", path: "memory/b.md", chunks: 1, date: "2025-01-02" },
      { source: "sessions", path: "sessions/a.jsonl", chunks: 1 },
    ]);
  });

  check("replaces a document as a whole", async (store) => {
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
  });

  check("follows every edit of a document: equal texts, moved texts, none at all", async (store) => {
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
  });

  check("puts many documents at once, and tells the same path of two sources apart", async (store) => {
    await store.put(
      [document("a.md", ["note"]), document("a.md", ["talk"], { source: "sessions" }), document("b.md", [])],
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
  });

  check("takes the last of two states of a document that come together", async (store) => {
    const states = [
      ["alpha", "beta"],
      ["beta", "gamma"],
    ];
    await store.put(
      states.map((chunks, number) => document("a.md", chunks, { version: `${number}` })),
      "cut-1",
    );
    assert.deepEqual(await texts(store, "a.md"), ["beta", "gamma"]);
    assert.deepEqual(await search(store, ["alpha"]), []);
    assert.deepEqual((await store.versions("memory")).get("a.md")?.version, "1");
    assert.equal((await store.stats()).chunks, 2);
  });

  check("lets a document grow at its end: what precedes the open line is left alone", async (store) => {
    await store.put([document("a.md", ["one", "two", "three"], { version: "1" })], "cut-1");
    const before = await store.chunksOf("memory", "a.md");
    await store.put(
      [following(["two again", "three", "four"], { version: "2", after: "1", openLine: 2 })],
      "cut-1",
    );
    assert.deepEqual(await texts(store, "a.md"), ["one", "two again", "three", "four"]);
    const after = await store.chunksOf("memory", "a.md");
    assert.equal(after[0]?.id, before[0]?.id);
    assert.deepEqual(
      after.map(({ lines }) => lines.start),
      [1, 2, 3, 4],
    );
    assert.deepEqual(await search(store, ["one"]), ["one"]);
    assert.deepEqual(await search(store, ["four"]), ["four"]);
    assert.deepEqual((await store.stats()).chunks, 4);
    await store.put([following(["five"], { version: "3", after: "2", openLine: 5 })], "cut-1");
    assert.deepEqual(await texts(store, "a.md"), ["one", "two again", "three", "four", "five"]);
    const last = await store.chunksOf("memory", "a.md", { fromLine: 4 });
    assert.deepEqual(
      last.map(({ text }) => text),
      ["four", "five"],
    );
    assert.deepEqual(await store.chunksOf("memory", "a.md", { fromLine: 6 }), []);
    await store.put([document("a.md", ["anew"], { version: "4" })], "cut-1");
    assert.deepEqual(await texts(store, "a.md"), ["anew"]);
  });

  check("skips a continuation of a version that it does not hold", async (store) => {
    await store.put([following(["two"], { version: "2", after: "1", openLine: 2 })], "cut-1");
    assert.deepEqual(await store.versions("memory"), new Map());
    await store.put([document("a.md", ["one"], { version: "7" })], "cut-1");
    await store.put([following(["two"], { version: "2", after: "1", openLine: 2 })], "cut-1");
    assert.deepEqual(await texts(store, "a.md"), ["one"]);
    assert.equal((await store.versions("memory")).get("a.md")?.version, "7");
  });

  check("touches: a new version and nothing else", async (store) => {
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
  });

  check("removes documents with all their words, and does not mind unknown ones", async (store) => {
    await store.put([document("a.md", ["alpha"]), document("b.md", ["beta"])], "cut-1");
    await store.remove("memory", ["a.md", "never.md"]);
    await store.remove("memory", []);
    assert.deepEqual([...(await store.versions("memory")).keys()], ["b.md"]);
    assert.deepEqual(await store.chunksOf("memory", "a.md"), []);
    assert.deepEqual(await search(store, ["alpha"]), []);
    assert.equal((await store.documentFrequencies(["alpha"])).get("alpha"), 0);
    assert.equal((await store.stats()).files, 1);
  });

  check("returns chunks in the requested order, and leaves out missing ids", async (store) => {
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
  });

  check("keeps any text and any path as they are", async (store) => {
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
  });

  check("keeps a document of thousands of chunks", async (store) => {
    const many = Array.from({ length: 3000 }, (_, index) => `common unique${index}`);
    await store.put([document("big.md", many)], "cut-1");
    assert.deepEqual(await texts(store, "big.md"), many);
    assert.deepEqual(await search(store, ["unique2999"]), ["common unique2999"]);
    assert.equal((await store.documentFrequencies(["common"])).get("common"), 3000);
  });
}

/** A later version of the document `a.md`. */
function following(
  lines: readonly string[],
  { version, after, openLine }: { version: string; after: string; openLine: number },
): IndexedDocument {
  const { document: whole, chunks, ...words } = document("a.md", lines, { version });
  return {
    document: {
      ...whole,
      part: { firstLine: openLine, follows: { version: after, openLine }, isLast: true },
    },
    chunks: chunks.map((chunk, index) => ({
      ...chunk,
      lines: { start: openLine + index, end: openLine + index },
    })),
    ...words,
  };
}
