/**
 * What a question costs in an index of many chunks, by words alone and warm: opening the store, then a few kinds of
 * question, each asked many times with other words. Texts are made up, with words as rare as natural text has them.
 *
 *     node bench/search-scale.ts [--chunks 10000] [--words 70]
 */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../src/eval/random.ts";
import { createSearcher } from "../src/search/searcher.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { IndexedDocument, Store } from "../src/stores/store.ts";
import { createAnalyser } from "../src/text/analyse.ts";
import { sha256 } from "../src/text/hash.ts";
import { searchSettings } from "../test/support/search-place.ts";

const { values } = parseArgs({
  options: {
    chunks: { type: "string", default: "10000" },
    words: { type: "string", default: "70" },
  },
});
const chunkCount = Number(values.chunks);
const wordsPerChunk = Number(values.words);
const chunksPerNote = 10;
const notesPerPut = 100;
const wordsPerLine = 12;
const questionsPerKind = 40;
const vocabularySize = 200_000;
const functionWords = "the of and to in a is that for it was on with as be at by this we not are from".split(
  " ",
);

const random = createRandom(42);
const vocabulary = createVocabulary();
const analyser = createAnalyser();
const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));

try {
  const path = join(folder, "scale.sqlite");
  await fill(path);
  const began = performance.now();
  await using store = await open(path);
  const { chunks } = await store.stats();
  const openedMs = performance.now() - began;
  console.log(
    `${chunks} chunks, ${(statSync(path).size / 1e6).toFixed(0)} MB, opened in ${openedMs.toFixed(1)} ms`,
  );
  await ask(store);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function open(path: string): Promise<Store> {
  return openSqliteStore({
    path,
    analyserId: analyser.id,
    tokens: ({ text, path, headings }) => ({
      body: analyser.indexText(text),
      head: analyser.indexText(`${path} ${headings.join(" / ")}`),
    }),
  });
}

async function fill(path: string): Promise<void> {
  const began = performance.now();
  const notes = Math.ceil(chunkCount / chunksPerNote);
  await using store = await open(path);
  for (let first = 0; first < notes; first += notesPerPut) {
    const count = Math.min(notesPerPut, notes - first);
    await store.put(
      Array.from({ length: count }, (_, at) => createNote(first + at)),
      "bench",
    );
    if (process.stderr.isTTY) process.stderr.write(`\r${first + count} of ${notes} notes `);
  }
  console.log(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function ask(store: Store): Promise<void> {
  const searcher = createSearcher({
    store,
    analyser,
    settings: { ...searchSettings, minScore: 0.35 },
    today: () => "2026-01-01",
  });
  const kinds: Record<string, () => string> = {
    // Ranks of words: 0..21 are function words, the next hundred stand in a large part of all chunks.
    "natural question": () =>
      `what is the ${pick(200, 3000)} of ${pick(500, 20_000)} that we ${pick(22, 200)} for the ${pick(200, 5000)}`,
    "rare words": () => `${pick(20_000, 100_000)} ${pick(20_000, 100_000)}`,
    "common words": () => `${pick(22, 60)} ${pick(22, 60)} ${pick(60, 200)} ${pick(60, 200)}`,
    "function words": () => "what is it that we are not to be with",
    "with a typing error": () => `${pick(1000, 20_000)}x of the ${pick(200, 3000)}`,
    "long question": () => Array.from({ length: 40 }, () => randomWord()).join(" "),
  };
  for (const [name, question] of Object.entries(kinds)) {
    await searcher.search(question());
    const times: number[] = [];
    let hits = 0;
    for (let round = 0; round < questionsPerKind; round++) {
      const query = question();
      const began = performance.now();
      hits += (await searcher.search(query)).results.length;
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const at = (part: number): string => times[Math.floor(part * (times.length - 1))]!.toFixed(1).padStart(7);
    console.log(
      `${name.padEnd(20)} p50 ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)} ms  ${hits / questionsPerKind} hits`,
    );
  }
}

function createNote(number: number): IndexedDocument {
  const lines: string[] = [];
  const chunks: IndexedDocument["chunks"][number][] = [];
  for (let index = 0; index < chunksPerNote; index++) {
    const start = lines.length + 1;
    for (let left = wordsPerChunk; left > 0; left -= wordsPerLine) {
      lines.push(Array.from({ length: Math.min(left, wordsPerLine) }, randomWord).join(" "));
    }
    const text = lines.slice(start - 1).join("\n");
    const headings = [`Topic ${number % 500}`, `Part ${index}`];
    chunks.push({ lines: { start, end: lines.length }, headings, text, hash: sha256(text) });
  }
  const text = lines.join("\n");
  const path = `memory/folder-${number % 97}/note-${number}.md`;
  const fields = { source: "memory", scope: "shared", version: "1", modifiedAt: new Date(0) } as const;
  return { document: { ...fields, path, text, hash: sha256(text), sizeBytes: text.length }, chunks };
}

/** Zipf: the n-th most common word stands about n times as rarely as the first. */
function randomWord(): string {
  return vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
}

/** A word whose rank of commonness is in this range. */
function pick(from: number, to: number): string {
  return vocabulary[from + Math.floor(random() * (to - from))]!;
}

function createVocabulary(): string[] {
  const syllables = "ka ro mi ten sol ver din pra lu che fo nar bis ty gam ho zel qui wo jan".split(" ");
  const made = new Set<string>(functionWords);
  while (made.size < vocabularySize) {
    const length = 2 + Math.floor(random() * 4);
    made.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(""));
  }
  return [...made];
}
