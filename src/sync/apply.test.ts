import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import { LonghandError } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import { createChunker } from "../text/chunk.ts";
import type { Document } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import { maxAttempts } from "./apply.ts";
import { syncWords } from "./sync.ts";

const passing = () =>
  new LonghandError("note-unreadable", "It is being written.", { hint: "Try again.", retryable: true });
const lasting = () => new LonghandError("note-unreadable", "Permission denied.", { hint: "Allow it." });

async function openFixture(t: TestContext, texts: Record<string, string>) {
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  const source = createTextSource(texts);
  const sync = async (from: Source = source) => {
    const parts = { store, sources: [from], chunker: createChunker({ tokens: 400, overlap: 80 }) };
    const report = await syncWords({ ...parts, now: () => new Date(0) });
    const { added, updated, removed, unchanged, left, chunks } = report;
    const failed = report.failed.map(({ message }) => message);
    return { added, updated, removed, unchanged, left, chunks, failed };
  };
  const stored = async (path = "a.md") => (await store.chunksOf("memory", path)).map(({ text }) => text);
  /** Each read of the note fails in the next of the given ways, or changes it. */
  const failing = (...ways: readonly (Error | (() => void))[]) => {
    let read = 0;
    source.onRead = () => {
      const way = ways[Math.min(read++, ways.length - 1)];
      if (way instanceof Error) throw way;
      way?.();
    };
  };
  return { store, source, sync, stored, failing };
}

const nothing = { added: 0, updated: 0, removed: 0, unchanged: 0, left: 0, chunks: 0, failed: [] };

test("a note that is being written is read again, until it can be indexed", async (t) => {
  const { source, sync, stored, failing } = await openFixture(t, { "a.md": "Alpha" });
  failing(passing(), passing(), () => {});
  assert.deepEqual(await sync(), { ...nothing, chunks: 1 });
  assert.deepEqual([await stored(), source.reads.length], [["Alpha"], 3]);
});

test("a note that is being written all the time is reported as failed and left to the next sync", async (t) => {
  const { source, sync, failing } = await openFixture(t, { "a.md": "Alpha", "b.md": "Beta" });
  failing(passing());
  assert.deepEqual(await sync(), {
    ...nothing,
    left: 2,
    failed: ["It is being written.", "It is being written."],
  });
  assert.equal(source.reads.length, 2 * (1 + maxAttempts));
});

test("a note that can never be read is not read again, and keeps what the index has", async (t) => {
  const { source, sync, stored, failing } = await openFixture(t, { "a.md": "Alpha" });
  await sync();
  source.texts.set("a.md", "Alpha and more");
  const download = new LonghandError("note-unreadable", "It is elsewhere.", {
    hint: "Wait.",
    retryable: true,
    cause: new Error("offline"),
  });
  for (const error of [lasting(), download]) {
    source.reads.length = 0;
    failing(error);
    assert.deepEqual(await sync(), { ...nothing, failed: [error.message] });
    assert.deepEqual([source.reads.length, await stored()], [1, ["Alpha"]]);
  }
  failing(passing(), lasting());
  assert.deepEqual(await sync(), { ...nothing, failed: ["Permission denied."] });
  assert.deepEqual(await stored(), ["Alpha"]);
});

test("a note whose content proves unchanged when it is read again only gets its new version", async (t) => {
  const { source, sync, stored, failing } = await openFixture(t, { "a.md": "Alpha" });
  await sync();
  source.stamp++;
  failing(passing(), () => {});
  assert.deepEqual(await sync(), nothing);
  assert.deepEqual(await stored(), ["Alpha"]);
  source.reads.length = 0;
  assert.deepEqual(await sync(), { ...nothing, unchanged: 1 });
  assert.deepEqual(source.reads, []);
});

test("a note that is gone when it is read again is removed from the index, if it was there", async (t) => {
  const { source, sync, stored, failing } = await openFixture(t, { "a.md": "Alpha", "b.md": "Beta" });
  await sync();
  source.texts.set("a.md", "Alpha and more");
  failing(passing(), () => void source.texts.delete("a.md"));
  assert.deepEqual(await sync(), { ...nothing, removed: 1, unchanged: 1 });
  assert.deepEqual([await stored(), await stored("b.md")], [[], ["Beta"]]);
  source.texts.set("c.md", "Gamma");
  failing(passing(), () => void source.texts.delete("c.md"));
  assert.deepEqual(await sync(), { ...nothing, unchanged: 1 });
});

/** Yields a note in parts of one line. */
function inParts(
  lines: readonly string[],
  interrupt: (start: number) => "same" | "gone" | undefined,
): Source {
  return {
    specificationVersion: 1,
    name: "memory",
    list: async () => ({ entries: [{ path: "a.md", version: "listed" }], skipped: [] }),
    async read(path, { since } = {}): Promise<Document | null> {
      const start = since === undefined ? 0 : Number.parseInt(since, 10);
      const what = interrupt(start);
      if (what === "gone") return null;
      const end = what === "same" ? start : start + 1;
      return {
        source: "memory",
        path,
        version: what === "same" ? `${start} again` : String(end),
        text: lines.slice(start, end).join("\n"),
        hash: sha256(lines.slice(0, end).join("\n")),
        sizeBytes: 1,
        modifiedAt: new Date(0),
        scope: "shared",
        part: {
          firstLine: start + 1,
          isLast: what === "same" || end === lines.length,
          ...(start > 0 && { follows: { version: since!, openLine: start + 1 } }),
        },
      };
    },
  };
}

test("all parts of a document are indexed, or those that could be read", async (t) => {
  const lines = ["one", "two", "three"];
  const outcomes: [string, (start: number) => "same" | "gone" | undefined, object, string[], string][] = [
    ["all", () => undefined, { chunks: 3 }, lines, "3"],
    ["gone", (start) => (start === 2 ? "gone" : undefined), { chunks: 2 }, ["one", "two"], "2"],
    ["same", (start) => (start === 1 ? "same" : undefined), { chunks: 1 }, ["one"], "1 again"],
    [
      "failed",
      (start) => {
        if (start === 1) throw lasting();
        return undefined;
      },
      { chunks: 1, failed: ["Permission denied."] },
      ["one"],
      "1",
    ],
  ];
  for (const [what, interrupt, counts, texts, version] of outcomes) {
    const { store, sync, stored } = await openFixture(t, {});
    assert.deepEqual(await sync(inParts(lines, interrupt)), { ...nothing, added: 1, ...counts }, what);
    assert.deepEqual(await stored(), texts, what);
    assert.equal((await store.versions("memory")).get("a.md")?.version, version, what);
  }
});

test("workers prepare the documents of their own source only", async (t) => {
  const { store, source } = await openFixture(t, { "a.md": "Alpha", "b.md": "Beta" });
  const mail = Object.assign(createTextSource({ "mail/1.md": "One", "mail/2.md": "Two" }), { name: "mail" });
  let starts = 0;
  const parts = { store, sources: [source, mail], chunker: createChunker({ tokens: 400, overlap: 80 }) };
  const workers = {
    source: "mail",
    minDocuments: 2,
    start: () => {
      starts++;
      return [];
    },
  };
  const report = await syncWords({ ...parts, now: () => new Date(0), workers });
  assert.deepEqual([report.added, starts, mail.reads.length], [4, 1, 2]);
});

test("a changed note that takes the text of one that vanished does not make it moved", async (t) => {
  const texts = { "a.md": "Alpha", "b.md": "Beta", "c.md": "Gamma", "d.md": "Delta", "e.md": "" };
  const { source, sync, stored } = await openFixture(t, texts);
  await sync();
  for (const path of ["b.md", "c.md", "d.md", "e.md"]) source.texts.delete(path);
  source.texts.set("a.md", "Beta");
  assert.deepEqual(await sync(), { ...nothing, updated: 1, chunks: 1 });
  assert.deepEqual(await stored("b.md"), ["Beta"], "most of the notes may only seem to be gone");
  source.texts.set("f.md", "Gamma");
  assert.deepEqual(await sync(), { ...nothing, added: 1, chunks: 1, removed: 1, unchanged: 1 });
  assert.deepEqual([await stored("c.md"), await stored("d.md")], [[], ["Delta"]]);
});
