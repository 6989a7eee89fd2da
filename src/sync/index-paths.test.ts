import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import { LonghandError } from "../errors.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import { createChunker } from "../text/chunk.ts";
import { maxAttempts } from "./apply.ts";
import { indexPaths } from "./index-paths.ts";

async function openFixture(t: TestContext, texts: Record<string, string>) {
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  const source = createTextSource(texts);
  const parts = { source, store, chunker: createChunker({ tokens: 400, overlap: 80 }) };
  const versions = async () =>
    Object.fromEntries(
      [...(await store.versions("memory"))].map(([path, { version }]) => [path, version[0]]),
    );
  return { source, store, versions, parts };
}

const unreadable = (options: { retryable?: boolean } = {}) =>
  new LonghandError("note-unreadable", "It cannot be read.", { hint: "Try again.", ...options });

test("only the named documents are read and indexed", async (t) => {
  const { source, versions, parts } = await openFixture(t, { "a.md": "Alpha", "b.md": "Beta" });
  assert.deepEqual(await indexPaths(parts, ["a.md", "gone.md"]), []);
  assert.deepEqual([source.reads, await versions()], [["a.md", "gone.md"], { "a.md": "1" }]);
  assert.deepEqual(await indexPaths(parts, []), []);
});

test("a new version of the same content is recorded, but not where machines share the index", async (t) => {
  const { source, store, versions, parts } = await openFixture(t, { "a.md": "Alpha" });
  let touches = 0;
  const touch: typeof store.touch = (...request) => {
    touches++;
    return store.touch(...request);
  };
  const counting = { ...parts, store: { ...store, touch } };
  await indexPaths(counting, ["a.md"]);
  await indexPaths(counting, ["a.md"]);
  source.stamp = 2;
  await indexPaths({ ...counting, seen: {} as SeenContents }, ["a.md"]);
  assert.deepEqual([touches, await versions()], [0, { "a.md": "1" }]);
  await indexPaths(counting, ["a.md"]);
  assert.deepEqual([touches, await versions()], [1, { "a.md": "2" }]);
});

test("a document that cannot be read is reported once, with its own reason", async (t) => {
  const { source, versions, parts } = await openFixture(t, { "a.md": "Alpha", "b.md": "Beta" });
  source.failures.set("a.md", unreadable());
  const failure = { path: "a.md", code: "note-unreadable", message: "It cannot be read." };
  assert.deepEqual(await indexPaths(parts, ["a.md", "b.md"]), [failure]);
  assert.deepEqual([source.reads, await versions()], [["a.md", "b.md"], { "b.md": "1" }]);
});

test("a document that is being written is read again, but not for ever", async (t) => {
  const { source, versions, parts } = await openFixture(t, { "a.md": "Alpha", "b.md": "Beta" });
  source.failures.set("a.md", unreadable({ retryable: true }));
  const failures = await indexPaths(parts, ["a.md", "b.md"]);
  assert.deepEqual(
    failures.map(({ code }) => code),
    ["note-unreadable"],
  );
  assert.deepEqual([source.reads.length, await versions()], [maxAttempts + 1, { "b.md": "1" }]);
  source.reads.length = 0;
  source.onRead = () => void (source.reads.length === maxAttempts && source.failures.delete("a.md"));
  assert.deepEqual(await indexPaths(parts, ["a.md"]), [], "at the last attempt");
  assert.deepEqual([source.reads.length, await versions()], [maxAttempts, { "a.md": "1", "b.md": "1" }]);
});
