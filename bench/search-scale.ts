/**
 * What a question by words costs in an index of many chunks, warm: a few kinds of questions, each asked many times with
 * other words. The natural ones are also on the curve of `npm run bench -- --curve`.
 *
 *     node bench/search-scale.ts [--chunks 10000] [--words 70]
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inTemporaryFolder, quantile, timeMs } from "./measure.ts";
import { megabytes } from "./megabytes.ts";
import { chunksPerNote, createScaleNotes } from "./scale-notes.ts";
import { openStore, searchByWords } from "./store-of-chunks.ts";

const { values } = parseArgs({
  options: {
    chunks: { type: "string", default: "10000" },
    words: { type: "string", default: "70" },
  },
});
const notesPerPut = 100;
const questionsPerKind = 40;

const { note, questions } = createScaleNotes({ wordsPerChunk: Number(values.words) });
await inTemporaryFolder(async (folder) => {
  const path = join(folder, "scale.sqlite");
  const filledMs = await timeMs(() => fill(path, Math.ceil(Number(values.chunks) / chunksPerNote)));
  await using store = await openStore(path);
  const { chunks } = await store.stats();
  console.log(
    `${chunks} chunks, ${megabytes(statSync(path).size)} MB, filled in ${(filledMs / 1000).toFixed(1)} s`,
  );
  const search = searchByWords(store);
  for (const [kind, question] of Object.entries(questions)) {
    await search(question());
    const times: number[] = [];
    let hits = 0;
    for (let round = 0; round < questionsPerKind; round++) {
      const query = question();
      times.push(
        await timeMs(async () => {
          hits += (await search(query)).results.length;
        }),
      );
    }
    const at = (share: number): string => quantile(times, share).toFixed(1).padStart(7);
    console.log(
      `${kind.padEnd(20)} p50 ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)} ms  ${hits / questionsPerKind} hits`,
    );
  }
});

async function fill(path: string, notes: number): Promise<void> {
  await using store = await openStore(path);
  for (let first = 0; first < notes; first += notesPerPut) {
    const count = Math.min(notesPerPut, notes - first);
    await store.put(
      Array.from({ length: count }, (_, at) => note(first + at)),
      "bench",
    );
    if (process.stderr.isTTY) process.stderr.write(`\r${first + count} of ${notes} notes `);
  }
}
