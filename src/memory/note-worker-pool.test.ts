import assert from "node:assert/strict";
import { rmSync, symlinkSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { openNotes } from "../notes/notes.ts";
import { createNotesSource } from "../sources/markdown-folder.ts";
import type { DocumentContents } from "../stores/index-contents.ts";
import { openIndexContents } from "../stores/sqlite/index-contents.ts";
import { openSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import { type SyncReport, syncOnce } from "../sync/sync.ts";
import { createChunker } from "../text/chunk.ts";
import { createMask } from "../text/mask.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { createChunkTokens } from "../text/words/chunk-tokens.ts";
import { createNoteWorkerPool, preparationId } from "./note-worker-pool.ts";

const chunking = { tokens: 60, overlap: 10 };
const literals = ["a-key-that-is-configured"];

interface Indexed {
  readonly documents: readonly DocumentContents[];
  readonly report: SyncReport;
  readonly keys: unknown;
}

/** Indexes a workspace in a new index, and again after `change`. */
async function index(
  folder: TemporaryFolder,
  name: string,
  { threads, made, change }: { threads: number; made?: string; change?: () => void },
): Promise<Indexed> {
  const path = folder.at(`${name}.sqlite`);
  const analyzer = createAnalyzer();
  const chunker = createChunker(chunking);
  const mask = createMask(literals);
  const now = () => new Date(Date.UTC(2040, 0, 1));
  const notes = openNotes({
    ...{ workspaceDir: folder.at("notes"), extraPaths: [], exclude: [], timezone: "UTC", now },
    withLock: async (work) => work(),
  });
  const workers = createNoteWorkerPool({
    ...{ workspaceDir: folder.at("notes"), extraPaths: [], literals, chunking, now, threads },
    ...{ include: "memory", daily: "memory/{date}.md" },
    made: made ?? preparationId({ analyzer, chunker, mask }),
    minDocuments: 1,
  });
  const tokens = createChunkTokens(analyzer);
  await using store = await openSqliteStore({ path, analyzerId: analyzer.id, tokens });
  const parts = { sources: [createNotesSource(notes, mask)], store, chunker, now, workers };
  let report = await syncOnce(parts);
  if (change) {
    change();
    report = await syncOnce(parts);
  }
  const keys = await store.byKeyword(["note"], { limit: 1000 });
  await using contents = await openIndexContents({ path });
  const documents: DocumentContents[] = [];
  for await (const document of contents.documents()) documents.push(document);
  return { documents, report, keys };
}

function makeNotes(t: TestContext): TemporaryFolder {
  const folder = makeTemporaryFolder(t);
  for (let number = 0; number < 150; number++) {
    const lines = Array.from(
      { length: 1 + (number % 40) },
      (_, line) => `Line ${line} of note ${number}, isn't it?`,
    );
    folder.write(`notes/memory/f${number % 3}/n${number}.md`, `# Note ${number}\n\n${lines.join("\n")}\n`);
  }
  folder.write(
    "notes/MEMORY.md",
    "---\ntitle: Long term\ndate: 2026-01-02\n---\nmaxResults via --dry-run @name\n",
  );
  folder.write("notes/memory/2026-03-04.md", "私は東京に住んでいます。ภาษาไทย Straße 𠮷野家\n");
  folder.write("notes/memory/secret.md", `password=${"hunter22secret"} and ${literals[0]}\n`);
  folder.write("notes/memory/binary.md", new Uint8Array([0, 1, 2, 3]));
  folder.write("notes/memory/late-nul.md", `${"x ".repeat(6000)}a\0b and \ud800 lone\n`);
  folder.write("notes/memory/latin.md", Buffer.from("caf\xe9 bytes", "latin1"));
  folder.write("notes/memory/empty.md", "");
  folder.write("notes/memory/long-line.md", `${"漢字".repeat(900)}\n`);
  symlinkSync(folder.at("notes/MEMORY.md"), folder.at("notes/memory/link.md"));
  return folder;
}

suite("createNoteWorkerPool", () => {
  test("an index that was built with threads equals one built without", async (t) => {
    const folder = makeNotes(t);
    const alone = await index(folder, "alone", { threads: 0 });
    assert.ok(alone.documents.length > 150);
    for (const threads of [1, 3]) {
      const helped = await index(folder, `helped-${threads}`, { threads });
      assert.deepEqual(helped.documents, alone.documents);
      assert.deepEqual(helped.keys, alone.keys);
      assert.deepEqual({ ...helped.report, durationMs: 0 }, { ...alone.report, durationMs: 0 });
    }
    const text = JSON.stringify(alone.report.failed);
    assert.match(text, /binary\.md/);
  });

  test("they are still equal after notes were changed and removed", async (t) => {
    const folder = makeNotes(t);
    const change = (): void => {
      for (let number = 0; number < 60; number++) {
        folder.write(
          `notes/memory/f${number % 3}/n${number}.md`,
          `# Note ${number}\n\nLine 0 of note ${number}.\n`,
        );
      }
      rmSync(folder.at("notes/memory/f0/n99.md"), { force: true });
    };
    const helped = await index(folder, "helped", { threads: 1, change });
    const alone = await index(folder, "alone", { threads: 0 });
    assert.deepEqual(helped.documents, alone.documents);
  });

  test("a thread that would prepare notes differently is not used", async (t) => {
    const folder = makeNotes(t);
    const alone = await index(folder, "alone", { threads: 0 });
    const other = await index(folder, "other", { threads: 1, made: "by another version" });
    assert.deepEqual(other.documents, alone.documents);
  });
});
