import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import type { FullStore } from "../stores/store.ts";
import { createWorkLock } from "../stores/work-lock-file.ts";
import { readRefused, recordRefused } from "../sync/embedding-record.ts";
import { prepareDocument } from "../sync/prepare.ts";
import { createChunker } from "../text/chunk.ts";
import { preparePurge } from "./purge.ts";

const path = "memory/a.md";
const secret = "the-planted-sentence-that-goes";

/** Another process is indexing many notes and has read one of them; then a line is removed from it. */
async function begin(t: TestContext, { waitMs }: { waitMs: number }) {
  const folder = makeTemporaryFolder(t);
  const store = await openAt(folder.at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  const chunker = createChunker({ tokens: 60, overlap: 10 });
  const source = createTextSource({ [path]: `what stays\n\n${secret}\n` });
  const lockPath = folder.at("documents.lock");
  const held = createWorkLock(lockPath).tryAcquire("indexing 300 documents")!;
  const read = await prepareDocument(path, { source, chunker, store }, { before: undefined, force: false });
  assert.equal(read.kind, "put");
  const lock = createWorkLock(lockPath);
  const purge = await preparePurge({ source, store, chunker, settle: async () => {}, lock, waitMs }, [path]);
  source.texts.set(path, "what stays\n");
  return {
    purge: () => purge({ gone: [], texts: [secret] }),
    goOn: async () => {
      await store.put([read.indexed], chunker.id);
      held[Symbol.dispose]();
    },
    end: () => held[Symbol.dispose](),
    texts: async () => (await store.chunksOf("memory", path)).map(({ text }) => text.trim()),
  };
}

suite("preparePurge", () => {
  test("waits for another process that has read the note before, so that the text does not come back", async (t) => {
    const { purge, goOn, texts } = await begin(t, { waitMs: 60_000 });
    const purging = purge();
    await goOn();
    const { problems, rawSearch } = await purging;
    assert.deepEqual([problems, rawSearch, await texts()], [[], "not-found", ["what stays"]]);
  });

  for (const times of [1, Number.POSITIVE_INFINITY]) {
    test(`a process without the lock that writes the old note meanwhile, ${times} times, is noticed`, async (t) => {
      const folder = makeTemporaryFolder(t);
      await using store = await openAt(folder.at("index.sqlite"));
      const chunker = createChunker({ tokens: 60, overlap: 10 });
      const source = createTextSource({ [path]: `what stays\n\n${secret}\n` });
      const parts = { source, chunker, store };
      const read = await prepareDocument(path, parts, { before: undefined, force: false });
      assert.equal(read.kind, "put");
      await store.put([read.indexed], chunker.id);
      let left = times;
      const disturbed: FullStore = {
        ...store,
        async purge(request) {
          const report = await store.purge!(request);
          if (left-- > 0) await store.put([read.indexed], chunker.id);
          return report;
        },
      };
      const purge = await preparePurge({ ...parts, store: disturbed, settle: async () => {} }, [path]);
      source.texts.set(path, "what stays\n");
      const { problems } = await purge({ gone: [], texts: [secret] });
      const texts = (await store.chunksOf("memory", path)).map(({ text }) => text.trim());
      if (times === 1) assert.deepEqual([problems, texts], [[], ["what stays"]]);
      else assert.match(problems!.join(), /keeps writing/);
    });
  }

  test("messages of a service about refused texts are purged too, because they may quote them", async (t) => {
    const folder = makeTemporaryFolder(t);
    await using store = await openAt(folder.at("index.sqlite"));
    const chunker = createChunker({ tokens: 60, overlap: 10 });
    const source = createTextSource({ [path]: "what stays\n" });
    const refused = [{ hash: "h", reason: `400: cannot embed "${secret}"` }];
    await recordRefused(store, "embedder", { texts: refused, at: new Date(0) });
    const purge = await preparePurge({ source, store, chunker, settle: async () => {} }, [path]);
    const { rawSearch } = await purge({ gone: [], texts: [secret] });
    assert.deepEqual(await readRefused(store, "embedder"), []);
    assert.equal(rawSearch, "not-found");
  });

  test("says that the text may come back when the other process takes too long", async (t) => {
    const { purge, end, texts } = await begin(t, { waitMs: 1 });
    const { problems } = await purge();
    end();
    assert.match(problems!.join(), /may get the text again\. Process \d+ \(indexing 300 documents\)/);
    assert.deepEqual(await texts(), ["what stays"]);
  });
});
