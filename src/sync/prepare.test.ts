import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createChunker } from "../text/chunk.ts";
import type { Document } from "../text/document.ts";
import { joinChunks, prepareDocument } from "./prepare.ts";

test("turns cut into chunks and joined again are the same text, long turns and gaps included", () => {
  const word = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replaceAll(/\s/g, "x"));
  const turn = fc
    .tuple(fc.constantFrom("User: ", "Assistant: "), fc.array(word, { minLength: 1, maxLength: 60 }))
    .map(([speaker, words]) => speaker + words.join(" "));
  const lines = fc.array(fc.oneof(turn, fc.constant("")), { minLength: 1, maxLength: 40 });
  const chunker = createChunker({ tokens: 25, overlap: 8 });
  fc.assert(
    fc.property(lines, (texts) => {
      const text = texts.join("\n");
      assert.equal(joinChunks(chunker.chunk(text), { start: 1, end: texts.length }), text);
    }),
    { seed: 3, numRuns: 500 },
  );
});

test("lines that are in no chunk are blank", () => {
  assert.equal(joinChunks([], { start: 3, end: 5 }), "\n\n");
  assert.equal(joinChunks([{ lines: { start: 4, end: 4 }, text: "a" }], { start: 3, end: 5 }), "\na\n");
});

/** The indexed form of a document: the lines, headings and text of each chunk. */
async function chunksOf(fields: Partial<Document>, stored: Parameters<typeof joinChunks>[0] = []) {
  const document: Document = {
    ...{ source: "memory", path: "a.md", version: "1", hash: "1", text: "", sizeBytes: 0, scope: "shared" },
    modifiedAt: new Date(0),
    ...fields,
  };
  const source = {
    name: "memory",
    list: async () => ({ entries: [], skipped: [] }),
    read: async () => document,
  };
  const prepared = await prepareDocument(
    document.path,
    {
      source: { specificationVersion: 1, ...source },
      chunker: createChunker({ tokens: 25, overlap: 0 }),
      store: { chunksOf: async () => stored as never },
    },
    { before: undefined, force: false },
  );
  assert.ok(prepared.kind === "put");
  return prepared.indexed.chunks.map(({ lines, headings, text }) => ({ lines, headings, text }));
}

test("a title is the first heading of every chunk, once", async () => {
  const lines = { start: 1, end: 1 };
  assert.deepEqual(await chunksOf({ text: "Alpha", title: "T" }), [
    { lines, headings: ["T"], text: "Alpha" },
  ]);
  assert.deepEqual(await chunksOf({ text: "Alpha" }), [{ lines, headings: [], text: "Alpha" }]);
  const [chunk] = await chunksOf({ text: "# T\n\n## U\n\nAlpha", title: "T" });
  assert.equal(chunk!.headings.filter((heading) => heading === "T").length, 1);
});

test("appended lines continue the numbering, and are split together with those of the open chunk", async () => {
  const part = { firstLine: 4, isLast: true };
  assert.deepEqual(await chunksOf({ text: "Delta", part }), [
    { lines: { start: 4, end: 4 }, headings: [], text: "Delta" },
  ]);
  const open = { ...part, follows: { version: "0", openLine: 2 } };
  const stored = [{ lines: { start: 2, end: 3 }, text: "Beta\nGamma" }];
  assert.deepEqual(await chunksOf({ text: "Delta", part: open }, stored), [
    { lines: { start: 2, end: 4 }, headings: [], text: "Beta\nGamma\nDelta" },
  ]);
});
