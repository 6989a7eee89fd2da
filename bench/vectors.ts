/**
 * Search by one large vector a text, as strong models give, against what is usually built on sqlite-vec; all of it is
 * built and measured in the same run. Times are those of the processor, so that other work on the machine counts little.
 *
 *     node bench/vectors.ts [--quick] [--chunks 100000] [--classic 10000] [--dims 768]
 *
 * The bars of vectors are for 100,000 chunks, where codes are signs; `--quick` only shows that all of it works.
 * `--classic` is how many chunks the usual layout gets for the comparison of a whole search: it needs 40 KB for each.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "../src/embedders/embedder.ts";
import { createSearcher } from "../src/search/searcher.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { Store } from "../src/stores/store.ts";
import { createAnalyser } from "../src/text/analyse.ts";
import { searchSettings } from "../test/support/search-place.ts";
import { buildClassic, buildVec0, openReference, searchClassic, searchVec0 } from "./classic-index.ts";
import { createMadeUpNotes, type MadeUpNotes } from "./made-up-notes.ts";
import { megabytes } from "./megabytes.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    chunks: { type: "string" },
    classic: { type: "string" },
    dims: { type: "string", default: "768" },
    first: { type: "string" },
    path: { type: "string" },
  },
});
const dimensions = Number(values.dims);
const chunkCount = Number(values.chunks ?? (values.quick ? 4000 : 100_000));
const classicCount = Number(values.classic ?? (values.quick ? 1000 : 10_000));
const embedder = { id: "bench", provider: "bench", model: "bench" };
const limit = 24;
const analyser = createAnalyser();

if (values.first !== undefined) {
  console.log(await timeFirst(values.first, values.path!));
} else {
  const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
  try {
    await measureVectors(folder);
    await measureClassic(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureVectors(folder: string): Promise<void> {
  const notes = createMadeUpNotes(dimensions);
  const vectors = Array.from({ length: chunkCount }, notes.vector);
  const questions = Array.from({ length: 21 }, notes.vector);
  const [ourPath, theirPath] = [join(folder, "ours.sqlite"), join(folder, "vec0.sqlite")];
  const filling = performance.now();
  await fill(ourPath, notes, vectors);
  const filledMs = performance.now() - filling;
  buildVec0(theirPath, vectors, dimensions);
  console.log(`${chunkCount} chunks × ${dimensions} numbers (indexed in ${(filledMs / 1000).toFixed(0)} s)`);

  const ours: number[] = [];
  const theirs: number[] = [];
  let [found, expected] = [0, 0];
  const db = openReference(theirPath);
  {
    await using store = await openStore(ourPath);
    const texts = new Map(vectors.map((_, index) => [`memory/${index}.md`, index]));
    for (const [round, query] of questions.entries()) {
      const began = processorMs();
      const { candidates } = await store.byVector(embedder.id, query, { limit });
      const between = processorMs();
      searchVec0(db, query);
      if (round > 0) {
        ours.push(between - began);
        theirs.push(processorMs() - between);
      }
      const best = findBest(vectors, query);
      const chunks = await store.chunks(candidates.map(({ id }) => id));
      found += chunks.filter(({ path }) => best.has(texts.get(path)!)).length;
      expected += best.size;
    }
  }
  db.close();
  report("search, warm", median(ours), median(theirs), "vec0 MATCH", 10);
  const recall = found / expected;
  print(
    `recall@${limit} against all cosines`,
    recall.toFixed(4),
    recall >= 0.99 ? "bar .99 met" : "BAR .99 MISSED",
  );
  const first = (which: string, path: string) =>
    median(
      Array.from({ length: 5 }, () =>
        Number(
          execFileSync(
            process.execPath,
            [import.meta.filename, "--first", which, "--path", path, "--dims", `${dimensions}`],
            { encoding: "utf8" },
          ),
        ),
      ),
    );
  report("open and first search of a process", first("ours", ourPath), first("vec0", theirPath), "vec0", 1);
}

async function measureClassic(folder: string): Promise<void> {
  const notes = createMadeUpNotes(dimensions);
  const vectors = Array.from({ length: classicCount }, notes.vector);
  const [ourPath, theirPath] = [join(folder, "hybrid.sqlite"), join(folder, "classic.sqlite")];
  await fill(ourPath, notes, vectors);
  buildClassic(theirPath, notes, vectors, dimensions);
  console.log(`${classicCount} chunks × ${dimensions} numbers against the classic layout`);

  const db = openReference(theirPath);
  const rounds = classicCount > 20_000 ? 3 : 7;
  const [ours, theirs]: [number[], number[]] = [[], []];
  {
    await using store = await openStore(ourPath);
    let query = notes.vector();
    const { search } = createSearcher({
      store,
      analyser,
      settings: searchSettings,
      meaning: {
        embedder: createStub(() => query),
        waitMs: 1000,
        isHybrid: true,
        blend: { kind: "weighted", vectorWeight: 0.7, textWeight: 0.3 },
      },
      today: () => "2026-11-15",
    });
    for (let round = 0; round <= rounds; round++) {
      query = notes.vector();
      const question = notes.questionFor(Math.floor((round * classicCount) / (rounds + 1)));
      const began = processorMs();
      await search(question);
      const between = processorMs();
      searchClassic(db, question, query);
      if (round === 0) continue;
      ours.push(between - began);
      theirs.push(processorMs() - between);
    }
  }
  db.close();
  report("words and vectors, end to end", median(ours), median(theirs), "classic", 50);
  const [size, classicSize] = [statSync(ourPath).size, statSync(theirPath).size];
  const share = size / classicSize;
  const text = `${megabytes(size)} MB against ${megabytes(classicSize)} MB: ${share.toFixed(2)}`;
  print("size", text, share <= 0.25 ? "bar 0.25 met" : "BAR 0.25 MISSED");
}

/** Opening is part of it: a search from the command line has no other. */
async function timeFirst(which: string, path: string): Promise<number> {
  const query = createMadeUpNotes(dimensions, 7).vector();
  const began = processorMs();
  if (which === "vec0") {
    const db = openReference(path);
    searchVec0(db, query);
    return processorMs() - began;
  }
  await using store = await openStore(path);
  await store.byVector(embedder.id, query, { limit });
  return processorMs() - began;
}

async function fill(path: string, notes: MadeUpNotes, vectors: readonly Float32Array[]): Promise<void> {
  await using store = await openStore(path);
  for (let at = 0; at < vectors.length; at += 500) {
    const count = Math.min(500, vectors.length - at);
    const documents = Array.from({ length: count }, (_, index) => notes.document(at + index));
    await store.put(documents, "bench");
    const entries = documents.map(({ chunks }, index) => ({
      hash: chunks[0]!.hash,
      vectors: [vectors[at + index]!],
    }));
    await store.putVectors(embedder, entries, { vectorsPerText: "one" });
  }
  await store.tidyVectors(embedder);
}

function openStore(path: string): Promise<Store> {
  return openSqliteStore({
    path,
    analyserId: analyser.id,
    tokens: ({ text, path: notePath }) => ({
      body: analyser.indexText(text),
      head: analyser.indexText(notePath),
    }),
  });
}

function createStub(query: () => Float32Array): Embedder {
  return {
    ...embedder,
    dimensions,
    maxBatch: 1,
    vectorsPerText: "one",
    embedDocuments: async () => [],
    embedQuery: async () => query(),
    async [Symbol.asyncDispose]() {},
  };
}

function findBest(vectors: readonly Float32Array[], query: Float32Array): Set<number> {
  const cosines = vectors.map((vector) => {
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += vector[i]! * query[i]!;
    return sum;
  });
  return new Set([...cosines.keys()].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, limit));
}

function report(what: string, oursMs: number, theirsMs: number, name: string, bar: number): void {
  const ratio = theirsMs / oursMs;
  const text = `${oursMs.toFixed(1)} ms against ${theirsMs.toFixed(1)} (${name}): ${ratio.toFixed(1)}×`;
  const missed = values.quick ? `bar ${bar}× is for 100,000 chunks` : `BAR ${bar}× MISSED`;
  print(what, text, ratio >= bar ? `bar ${bar}× met` : missed);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

function print(what: string, value: string, verdict: string): void {
  console.log(`  ${what.padEnd(36)} ${value.padEnd(52)} ${verdict}`);
}
