import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import { openFlushProgress } from "../../src/flush/flush-progress.ts";
import { createTranscriptFlush } from "../../src/flush/flush-transcript.ts";
import { type Memory, openMemory, openSessionStore } from "../../src/index.ts";
import { hangLimitMs } from "../support/hang-limit.ts";
import { noteTexts } from "../support/index-fixture.ts";
import { entryText, traceOf, uniqueWord } from "./entries.ts";
import { progressFolder, writeTranscript } from "./flushed.ts";
import { workOnOneNote } from "./one-note-work.ts";
import type { Work, WorkerJob } from "./processes.ts";
import { workAtRandom } from "./random-work.ts";
import type { Setting } from "./setting.ts";

/*
 * A process that uses longhand like any program, and may be killed at any moment. It prints `"ready"` when everything is
 * loaded, reads one job from standard input and prints what was acknowledged, as lines of JSON that are written at once.
 */

const say = (value: unknown): void => {
  writeSync(1, `${JSON.stringify(value)}\n`);
};

const works: Record<Work, (memory: Memory, setting: Setting) => Promise<void>> = {
  async "first-open"(memory) {
    say({ done: (await memory.sync()).added });
  },

  /** Changes notes in every way, with a sync after each change. */
  async sync(memory, { job, random, goesOn }) {
    // Not those that others append to: overwriting them would be this process's own fault.
    const texts = Object.entries(noteTexts(6)).filter(([name]) => name !== "MEMORY.md");
    for (let round = 0; goesOn(round); round++) {
      for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
        const [name, text] = texts[Math.floor(random() * texts.length)]!;
        const words = Array.from(
          { length: Math.floor(random() * 200) },
          () => `word${Math.floor(random() * 500)}`,
        );
        const cut = Math.floor(random() * text.length);
        writeFileSync(
          join(job.workspace, name),
          `${text.slice(0, cut)}\n\n${words.join(" ")}\n${text.slice(cut)}`,
        );
      }
      const { added, updated, failed } = await memory.sync({ force: random() < 0.2 });
      say({ round, added, updated, failed });
    }
  },

  async add(memory, { random, name, goesOn }) {
    for (let round = 0; goesOn(round); round++) {
      const text = entryText(`${name}-${round}`, random() < 0.2 ? 9000 : Math.floor(random() * 60));
      const to = ["daily", "long-term", "memory/log.md", `memory/${name}.md`][Math.floor(random() * 4)]!;
      const { path, indexed } = await memory.add(text, { to });
      say({ path, text, indexed });
    }
  },

  /** Adds two entries and removes one again. */
  async forget(memory, { name, goesOn }) {
    for (let round = 0; goesOn(round); round++) {
      const kept = entryText(`${name}-kept-${round}`, 40);
      const word = uniqueWord(`${name}-${round}`);
      const secret = entryText(word, 40);
      const added = await memory.add(kept, { to: "memory/log.md" });
      say({ kept: { path: added.path, text: kept } });
      const { path, startLine, endLine } = await memory.add(secret, { to: "memory/log.md" });
      say({ forgetting: traceOf(word) });
      await memory.forget({ path, startLine, endLine });
      say({ forgotten: traceOf(word) });
    }
  },

  /** Applies a consolidation and undoes it, repeatedly. */
  async consolidate(memory, { goesOn }) {
    for (let round = 0; goesOn(round); round++) {
      say({ consolidating: true });
      const { receipt } = await memory.consolidation.apply({ steps: "all" });
      say({ receipt });
      if (receipt !== null) await memory.consolidation.undo({ receipt });
    }
  },

  async search(memory, { goesOn }) {
    for (let round = 0; goesOn(round); round++) {
      const { results, degraded, stale } = await memory.search("ship on Fridays");
      say({ path: results[0]?.path ?? null, degraded, stale });
      await sleep(20);
    }
  },

  async watch(memory, { goesOn }) {
    let passes = 0;
    await using _ = await memory.watch({
      onEvent: (event) => {
        if (event.kind === "synced") passes++;
        if (event.kind === "warning") say({ warning: event.message });
      },
    });
    say({ watching: true });
    for (let round = 0; goesOn(round); round++) await sleep(200);
    say({ passes });
  },

  /** The host is about to compact a conversation in which something was decided. */
  async flush(memory, { job, name }) {
    const decision = `We decided to use ${uniqueWord(name)} for the ledger.`;
    const session = writeTranscript(job, decision);
    say({ planted: decision });
    const flush = createTranscriptFlush({ memory, progress: openFlushProgress(progressFolder(job)) });
    flush.markPending(session);
    const { written } = await flush.finish();
    say({ written: written.length });
  },

  "one-note": workOnOneNote,
  random: workAtRandom,

  async sessions(_memory, { job, random, name, goesOn }) {
    const store = openSessionStore({ stateDir: job.stateDir, waitMs: hangLimitMs });
    for (let round = 0; goesOn(round); round++) {
      const key = `agent:main:${["main", "side"][Math.floor(random() * 2)]}`;
      const content = entryText(`${name}-${round}`, Math.floor(random() * 3000));
      await store.append(key, { role: "user", content });
      say({ key, content });
      if (random() < 0.3) {
        const model = `model-${name}-${round}`;
        await store.update(key, (entry) => ({ ...entry, model }));
        say({ key, model });
      }
    }
  },
};

say("ready");
const [line] = await createInterface({ input: process.stdin })
  [Symbol.asyncIterator]()
  .next()
  .then(({ value }) => [value]);
const job = JSON.parse(String(line)) as WorkerJob;
const { workspace, stateDir, config, seed = 1, seconds, rounds } = job;
const endsAtMs = performance.now() + (seconds ?? Number.POSITIVE_INFINITY) * 1000;
await using memory = await openMemory({ workspace, stateDir, ...(config ? { config } : {}) });
await works[job.work](memory, {
  job,
  random: createRandom(seed),
  name: job.name ?? "a",
  goesOn: (round) => round < (rounds ?? Number.POSITIVE_INFINITY) && performance.now() < endsAtMs,
  say,
});
process.stdin.destroy();
