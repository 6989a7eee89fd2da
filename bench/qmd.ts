/**
 * The cost of a warm query with qmd, through its library in a long-lived process and through its command line, compared
 * with the builtin engine's keyword search. Notes of ten generated passages each. With `--quality` instead: how many
 * questions of `quality/` each answers correctly.
 *
 *     node bench/qmd.ts [--notes 200] [--quality]
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programArguments } from "../scripts/program-arguments.ts";
import type { PartialConfig } from "../src/config/options.ts";
import { openMemory } from "../src/index.ts";
import { createMadeUpNotes } from "./made-up-notes.ts";

const { values } = programArguments(import.meta.filename, {
  options: { notes: { type: "string", default: "200" }, quality: { type: "boolean", default: false } },
});
const noteCount = Number(values.notes);
const passagesPerNote = 10;
const questions = 40;

const notes = createMadeUpNotes(1);
const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
const workspace = join(folder, "notes");
mkdirSync(join(workspace, "memory"), { recursive: true });
for (let note = 0; note < noteCount; note++) {
  const passages = Array.from({ length: passagesPerNote }, (_, i) =>
    notes.textOf(note * passagesPerNote + i),
  );
  writeFileSync(join(workspace, "memory", `${note}.md`), passages.join("\n\n"));
}
interface Question {
  readonly query: string;
  readonly gold: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
}

async function measureQuality(): Promise<void> {
  const set = join(import.meta.dirname, "../quality");
  const asked = readFileSync(join(set, "queries.jsonl"), "utf8").trim().split("\n");
  for (const backend of ["builtin", "qmd"] as const) {
    const config: PartialConfig = {
      memory: { backend, qmd: { timeoutMs: 60_000 } },
      agents: { defaults: { memorySearch: { provider: "none", query: { minScore: 0 } } } },
    };
    const stateDir = join(folder, `state-${backend}`);
    await using opened = await openMemory({ workspace: join(set, "workspace"), stateDir, config });
    await opened.sync();
    const ranks: number[] = [];
    for (const line of asked) {
      const { query, gold } = JSON.parse(line) as Question;
      const { results } = await opened.search(query, { maxResults: 10 });
      const isRight = (hit: (typeof results)[number]) =>
        gold.some((at) => at.path === hit.path && at.startLine <= hit.endLine && at.endLine >= hit.startLine);
      ranks.push(results.findIndex(isRight));
    }
    const share = (isGood: (rank: number) => boolean) =>
      `${((100 * ranks.filter(isGood).length) / ranks.length).toFixed(1)} %`;
    const first = share((rank) => rank === 0);
    const amongFive = share((rank) => rank >= 0 && rank < 5);
    console.log(`${backend.padEnd(8)} first hit right ${first}, one of the first five ${amongFive}`);
  }
}

const wrapper = join(folder, "qmd");
const program = join(import.meta.dirname, "../node_modules/@tobilu/qmd/dist/cli/qmd.js");
writeFileSync(wrapper, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
chmodSync(wrapper, 0o755);

const ways: Record<string, PartialConfig["memory"]> = {
  "builtin engine": { backend: "builtin" },
  "qmd, library": { backend: "qmd", qmd: { timeoutMs: 60_000 } },
  "qmd, command line": { backend: "qmd", qmd: { command: wrapper, timeoutMs: 60_000 } },
};
try {
  if (values.quality) await measureQuality();
  else console.log(`${noteCount} notes of ${passagesPerNote} passages\n`);
  for (const [name, memory] of values.quality ? [] : Object.entries(ways)) {
    const config: PartialConfig = { memory, agents: { defaults: { memorySearch: { provider: "none" } } } };
    const stateDir = join(folder, name.replaceAll(/\W+/g, "-"));
    await using opened = await openMemory({ workspace, stateDir, config });
    let began = performance.now();
    await opened.sync();
    const firstMs = performance.now() - began;
    // Waits until no file is so new that it could have changed again unnoticed.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await opened.search("warm");
    const times: number[] = [];
    let found = 0;
    for (let i = 0; i < questions; i++) {
      const note = Math.floor((i * noteCount) / questions);
      began = performance.now();
      const { results } = await opened.search(notes.questionFor(note * passagesPerNote + 3));
      times.push(performance.now() - began);
      if (results[0]?.path === `memory/${note}.md`) found++;
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(1);
    console.log(
      `${name.padEnd(18)} first sync ${(firstMs / 1000).toFixed(1)} s, ` +
        `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, right note first ${found}/${questions}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
