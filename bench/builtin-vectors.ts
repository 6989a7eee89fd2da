/**
 * Searching in the many small vectors of the builtin model: first, warm, with a filter, and right after a note was
 * changed. What an index with the model costs is measured by `npm run bench -- --only first-index`.
 *
 *     node bench/builtin-vectors.ts [chunks,chunks,…]
 */

import { join } from "node:path";
import { createRandom } from "../src/eval/compare.ts";
import type { FullStore, IndexedDocument } from "../src/stores/store.ts";
import { sha256 } from "../src/text/hash.ts";
import { inTemporaryFolder, median, timeMs } from "./measure.ts";
import { megabytes } from "./megabytes.ts";
import { openStore } from "./store-of-chunks.ts";
import { stubIdentity } from "./stub-embedder.ts";

const dimensions = 256;
const windowsPerChunk = 19;
const random = createRandom(42);

await inTemporaryFolder(async (folder) => {
  for (const count of (process.argv[2] ?? "10000,100000").split(",").map(Number)) {
    await measureSearch(join(folder, `${count}.sqlite`), count);
  }
});

async function measureSearch(path: string, count: number): Promise<void> {
  await using store = await openStore(path);
  const putMs: number[] = [];
  for (let at = 0; at < count; at += 500) {
    const numbers = Array.from({ length: Math.min(500, count - at) }, (_, index) => at + index);
    putMs.push(
      await put(
        store,
        numbers.map((number) => shortNote(number)),
      ),
    );
  }
  console.log(
    `${count} chunks, ${windowsPerChunk} windows each, ${megabytes((await store.stats()).sizeBytes)} MB`,
  );
  print("keeping the vectors of 1,000 chunks", median(putMs) * 2);
  await using reopened = await openStore(path);
  print("first search of a store", await search(reopened));
  print("search, warm", await repeat(21, () => search(store)));
  print("search with a filter, warm", await repeat(21, () => search(store, "memory/1*.md")));
  let round = 0;
  const edit = async (): Promise<number> => {
    round++;
    await put(store, [shortNote(count + (round % 3), `changed ${round}`)]);
    return await search(store);
  };
  print("search right after an edit", await repeat(11, edit));
  print("nothing is missing", await timeMs(() => store.missingVectors(stubIdentity.id, 500)));
}

/** Gives the time for the vectors alone. */
async function put(store: FullStore, documents: readonly IndexedDocument[]): Promise<number> {
  await store.put(documents, "bench");
  const missing = await store.missingVectors(stubIdentity.id, 500);
  const entries = missing.map(({ hash }) => ({ hash, vectors: randomVectors() }));
  return await timeMs(() => store.putVectors(stubIdentity, entries, { vectorsPerText: "several" }));
}

async function search(store: FullStore, pathGlob?: string): Promise<number> {
  const query = randomVector();
  const filter = pathGlob === undefined ? {} : { filter: { pathGlob } };
  return await timeMs(async () => {
    const { candidates } = await store.byVector(stubIdentity.id, query, { limit: 50, ...filter });
    const ids = candidates.map(({ id }) => id);
    await store.similarities(stubIdentity.id, query, ids);
  });
}

function shortNote(number: number, text = `note ${number}`): IndexedDocument {
  return {
    document: {
      source: "memory",
      path: `memory/${number}.md`,
      version: text,
      hash: sha256(text),
      sizeBytes: text.length,
      modifiedAt: new Date(0),
      scope: "shared",
    },
    chunks: [{ lines: { start: 1, end: 1 }, headings: [], text, hash: sha256(text) }],
  };
}

function randomVectors(): Float32Array[] {
  return Array.from({ length: windowsPerChunk }, randomVector);
}

function randomVector(): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() - 0.5);
}

async function repeat(times: number, work: () => Promise<number>): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < times; round++) results.push(await work());
  return median(results);
}

function print(what: string, ms: number): void {
  console.log(`  ${what.padEnd(42)} ${ms.toFixed(1)} ms`);
}
