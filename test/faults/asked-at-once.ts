import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, stat } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createBuiltinEngine } from "../../src/engines/builtin.ts";
import type { Engine } from "../../src/engines/engine.ts";
import { createRandom } from "../../src/eval/compare.ts";
import { fileSystemKind } from "../../src/file-system-kind.ts";
import { openNotes } from "../../src/notes/notes.ts";
import { createSearcher } from "../../src/search/searcher.ts";
import { createNotesSource } from "../../src/sources/markdown-folder.ts";
import { openSqliteStore } from "../../src/stores/sqlite/sqlite-store.ts";
import { createChunker } from "../../src/text/chunk.ts";
import { createMask } from "../../src/text/mask.ts";
import { createAnalyzer } from "../../src/text/words/analyze.ts";
import { searchSettings } from "../support/search-fixture.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { isLinux } from "./programs.ts";
import { type Saving, saveNote, savings } from "./saving.ts";

export const askedAtOnce: Fault = {
  name: "asked-at-once",
  what: "a search that trusts a watcher is asked right after a note was written, by the same process or another one",
  shortCycles: 60,
  longCycles: 20_000,
  obstacle: isLinux,
  run: runAskedAtOnce,
};

/** The phases of the event loop from which a host may write and search. */
const moments: readonly (() => Promise<unknown>)[] = [
  async () => {},
  () => new Promise<void>((resolve) => process.nextTick(resolve)),
  () => new Promise<void>((resolve) => setImmediate(resolve)),
  () => sleep(0),
  () => new Promise<void>((resolve) => stat(".", () => resolve())),
];

async function runAskedAtOnce(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const workspace = join(options.folder, "notes");
  mkdirSync(join(workspace, "memory", "busy"), { recursive: true });
  const { engine, listings } = await openCountingEngine(workspace, options.folder);
  await using _ = engine;
  await using _watching = await engine.watch();
  const writer = startWriter();
  const noise = startWriter();
  let trusted = 0;
  let before = "nothing";
  try {
    for (const cycle of tally.cycles(options)) {
      const word = `edition${options.seed}x${cycle}`;
      const folder = pick(["memory", "memory/deep", "memory/deep/deeper"]);
      const file = pick(["MEMORY.md", `${folder}/a.md`, `${folder}/b.md`]);
      const job = { saving: pick(savings), file: join(workspace, file), text: `The note is ${word}.\n` };
      // Unrelated changes also fill the queue.
      const noisy = noise.save({
        saving: "in-place",
        file: join(workspace, "memory/busy/.swap"),
        text: word,
      });
      const isOther = random() < 0.5;
      await pick(moments)();
      if (isOther) await writer.save(job);
      else saveNote(job);
      if (random() < 0.3) await pick(moments)();
      const hits = async (): Promise<string> => {
        const { results, stale } = await engine.search(word);
        return stale ? "stale" : results.map(({ path }) => path).join();
      };
      const name = `cycle ${cycle}, ${job.saving} ${isOther ? "by another process" : "by this one"}`;
      const expected = job.saving === "removed" ? "" : file;
      const found = await hits();
      if (found !== expected) tally.divergences.push(`${name}: ${found || "nothing"} instead of ${file}`);
      const { results: old } = await engine.search(before);
      if (job.saving !== "appended" && old.some(({ path }) => path === file)) {
        tally.divergences.push(`${name}: its old text is still found`);
      }
      await noisy;
      // The next change must meet a watcher that is trusted again.
      for (let look = 0; look < 4; look++) {
        const count = listings();
        if ((await hits()) !== expected) tally.divergences.push(`${name}: the answer has changed`);
        if (listings() !== count) continue;
        trusted++;
        break;
      }
      if (job.saving !== "appended") before = word;
    }
  } finally {
    await Promise.all([writer.end(), noise.end()]);
  }
  if (trusted === 0 && fileSystemKind(workspace) === "local") {
    tally.errors.push("no search trusted the watcher");
  }
  tally.notes.push(`${trusted} changes met a watcher that had just been trusted`);
  return tally.result();
}

/** An engine that asks its watcher even if a scan is fast, and counts the scans. */
async function openCountingEngine(
  workspaceDir: string,
  folder: string,
): Promise<{ engine: Engine; listings: () => number }> {
  const now = (): Date => new Date();
  const analyzer = createAnalyzer();
  const dbPath = join(folder, "index.sqlite");
  const withLock = async <T>(work: () => T | Promise<T>): Promise<T> => await work();
  const notes = openNotes({ workspaceDir, extraPaths: [], exclude: [], timezone: "UTC", now, withLock });
  const source = createNotesSource(notes, createMask([]));
  let count = 0;
  const store = await openSqliteStore({
    path: dbPath,
    analyzerId: analyzer.id,
    tokens: ({ text }) => ({ body: analyzer.indexText(text), head: "" }),
  });
  const engine = createBuiltinEngine({
    ...{ store, dbPath, now },
    sources: [
      {
        ...source,
        list: (request) => {
          count++;
          return source.list(request);
        },
      },
    ],
    chunker: createChunker({ tokens: 400, overlap: 80 }),
    searcher: createSearcher({ store, analyzer, settings: searchSettings, today: () => "2026-11-15" }),
    syncOnSearch: true,
    searchWaitMs: 60_000,
    quickSyncMs: 0,
  });
  return { engine, listings: () => count };
}

/** A process that saves what it receives, and confirms it when the last call has returned. */
function startWriter() {
  const source = join(import.meta.dirname, "saving.ts");
  const child: ChildProcess = spawn(process.execPath, [source], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  return {
    async save(job: Saving): Promise<void> {
      const answered = Promise.race([
        once(child.stdout!, "data"),
        ended.then(() => Promise.reject(new Error("the writer has ended"))),
      ]);
      child.stdin!.write(`${JSON.stringify(job)}\n`);
      await answered;
    },
    async end(): Promise<void> {
      child.stdin!.end();
      await ended;
    },
  };
}
