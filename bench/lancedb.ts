/**
 * Compares the LanceDB store with the SQLite store in one run, with the same generated notes, vectors and queries.
 *
 *     node bench/lancedb.ts [--chunks 10000] [--dims 256]
 */

import { join } from "node:path";
import { programArguments } from "../scripts/program-arguments.ts";
import { prepareLance } from "../src/config/lance-access.ts";
import { openLanceStore } from "../src/stores/lancedb/lance-store.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../src/stores/store.ts";
import { createMadeUpNotes } from "./made-up-notes.ts";
import { inTemporaryFolder, median, timeMs } from "./measure.ts";
import { megabytes } from "./megabytes.ts";

const { values } = programArguments(import.meta.filename, {
  options: { chunks: { type: "string", default: "10000" }, dims: { type: "string", default: "256" } },
});
const chunkCount = Number(values.chunks);
const dimensions = Number(values.dims);
const embedder = { id: "bench", provider: "bench", model: "bench" };
const parts = {
  analyzerId: "blanks",
  tokens: ({ text }: { text: string }) => ({ body: text.replaceAll("\n", " "), head: "" }),
};
const notesPerPut = 32;
const textsPerPut = 256;
const questions = 15;
const limit = 200;

prepareLance();
const open: Record<string, (folder: string) => Promise<FullStore>> = {
  sqlite: (folder) => openSqliteStore({ ...parts, path: join(folder, "index.sqlite") }),
  lancedb: (folder) => openLanceStore({ ...parts, location: join(folder, "index.lance") }),
};

const table: Record<string, Record<string, string>> = {};
for (const [name, openIn] of Object.entries(open)) {
  table[name] = await inTemporaryFolder((folder) => measure(() => openIn(folder)));
}
console.log(`${chunkCount} chunks, vectors of ${dimensions} numbers; milliseconds, medians of ${questions}`);
console.table(table);

async function measure(openStore: () => Promise<FullStore>): Promise<Record<string, string>> {
  const notes = createMadeUpNotes(dimensions);
  const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const shown: Record<string, string> = {};
  {
    await using store = await openStore();
    shown["put all"] = inSeconds(
      await timeMs(async () => {
        for (let at = 0; at < chunkCount; at += notesPerPut) {
          const count = Math.min(notesPerPut, chunkCount - at);
          const group = Array.from({ length: count }, (_, index) => notes.document(at + index));
          await store.put(group, "bench");
        }
      }),
    );
    shown["embed all"] = inSeconds(
      await timeMs(async () => {
        for (;;) {
          const missing = await store.missingVectors(embedder.id, textsPerPut);
          if (missing.length === 0) break;
          const entries = missing.map(({ hash }) => ({ hash, vectors: [notes.vector()] }));
          await store.putVectors(embedder, entries, { vectorsPerText: "one" });
        }
        await store.collectGarbage(embedder);
      }),
    );
  }
  await using store = await openStore();
  const repeat = async (work: (number: number) => Promise<unknown>): Promise<string> => {
    const times: number[] = [];
    for (let number = 0; number < questions; number++) times.push(await timeMs(() => work(number)));
    return median(times).toFixed(1);
  };
  const wordsOf = (number: number) => notes.questionFor(number * 97).split(" ");
  const frequencies = (number: number) => store.documentFrequencies(wordsOf(number));
  shown["first frequencies"] = (await timeMs(() => frequencies(0))).toFixed(1);
  shown["frequencies"] = await repeat(frequencies);
  shown["by word"] = await repeat((number) => store.byKeyword(wordsOf(number), { limit }));
  shown["by vector"] = await repeat(() => store.byVector(embedder.id, notes.vector(), { limit }));
  const ids = (await store.byVector(embedder.id, notes.vector(), { limit })).candidates.map(({ id }) => id);
  shown[`${limit} chunks`] = await repeat(() => store.chunks(ids));
  shown["put one"] = await repeat((number) => store.put([notes.document(chunkCount + number)], "bench"));
  shown["size"] = megabytes((await store.stats()).sizeBytes);
  return shown;
}
