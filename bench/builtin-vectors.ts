/**
 * What meaning costs with the builtin model and its many small vectors: searching in indexes of several sizes, warm, in
 * a new process and right after a note was added; and a sync with the builtin model against one without.
 *
 *     node bench/builtin-vectors.ts [chunks,chunks,…] [notes]
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";
import type { Embedder } from "../src/embedders/embedder.ts";
import { createRandom } from "../src/eval/random.ts";
import type { Source } from "../src/sources/source.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { IndexedDocument, Store } from "../src/stores/store.ts";
import { syncOnce } from "../src/sync/sync.ts";
import { createAnalyser } from "../src/text/analyse.ts";
import { createChunker } from "../src/text/chunk.ts";
import { sha256 } from "../src/text/hash.ts";
import { megabytes } from "./megabytes.ts";

const dimensions = 256;
const windowsPerChunk = 19;
const embedderId = "bench";
const embedder = { id: embedderId, provider: "bench", model: "bench" };
const charactersPerNote = 2000;

const random = createRandom(42);

if (process.argv[2] === "--first") {
  const began = performance.now();
  await using store = await openStore(process.argv[3]!);
  const openedMs = performance.now() - began;
  const coldMs = await timeSearch(store);
  console.log(JSON.stringify({ openedMs, coldMs, secondMs: await timeSearch(store) }));
} else {
  const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
  try {
    for (const count of (process.argv[2] ?? "10000,100000").split(",").map(Number)) {
      if (count > 0) await measureSearch(join(folder, `${count}.sqlite`), count);
    }
    await measureSync(folder, Number(process.argv[3] ?? 2000));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureSearch(path: string, count: number): Promise<void> {
  {
    await using store = await openStore(path);
    const putMs: number[] = [];
    for (let at = 0; at < count; at += 500) {
      const documents = Array.from({ length: Math.min(500, count - at) }, (_, index) =>
        shortNote(at + index),
      );
      await store.put(documents, "bench");
      const missing = await store.missingVectors(embedderId, 500);
      const entries = missing.map(({ hash }) => ({ hash, vectors: randomVectors() }));
      const began = performance.now();
      await store.putVectors(embedder, entries, { vectorsPerText: "several" });
      putMs.push(performance.now() - began);
    }
    console.log(`${count} chunks, ${windowsPerChunk} windows each, ${megabytes(statSync(path).size)} MB`);
    print("keeping the vectors of 1,000 chunks", `${(median(putMs) * 2).toFixed(1)} ms`);
    await timeSearch(store);
    const times = await repeat(21, () => timeSearch(store));
    print("search, warm", `${median(times).toFixed(1)} ms (best ${Math.min(...times).toFixed(1)})`);
    const filtered = await repeat(21, () => timeSearch(store, "memory/1*.md"));
    print("search with a filter, warm", `${median(filtered).toFixed(1)} ms`);
    const added = [];
    for (let round = 0; round < 11; round++) {
      await store.put([shortNote(count + (round % 3), `changed ${round}`)], "bench");
      const missing = await store.missingVectors(embedderId, 500);
      const entries = missing.map(({ hash }) => ({ hash, vectors: randomVectors() }));
      await store.putVectors(embedder, entries, { vectorsPerText: "several" });
      added.push(await timeSearch(store));
    }
    print("search right after an edit", `${median(added).toFixed(1)} ms`);
    const began = performance.now();
    await store.missingVectors(embedderId, 500);
    print("nothing is missing", `${(performance.now() - began).toFixed(2)} ms`);
  }
  const runs = Array.from({ length: 7 }, () => {
    const printed = execFileSync(process.execPath, [import.meta.filename, "--first", path], {
      encoding: "utf8",
    });
    return JSON.parse(printed) as { openedMs: number; coldMs: number; secondMs: number };
  });
  const of = (name: "openedMs" | "coldMs" | "secondMs") => median(runs.map((run) => run[name])).toFixed(1);
  print(
    "new process: open, first, second search",
    `${of("openedMs")}, ${of("coldMs")}, ${of("secondMs")} ms`,
  );
}

async function timeSearch(store: Store, pathGlob?: string): Promise<number> {
  const query = randomVector();
  const began = performance.now();
  const { candidates } = await store.byVector(embedderId, query, {
    limit: 50,
    ...(pathGlob === undefined ? {} : { filter: { pathGlob } }),
  });
  await store.similarities(
    embedderId,
    query,
    candidates.map(({ id }) => id),
  );
  return performance.now() - began;
}

async function measureSync(folder: string, noteCount: number): Promise<void> {
  const source = createNotes(noteCount);
  await using embedder = await openBuiltinEmbedder();
  const results: Record<string, { ms: number; cpuMs: number }[]> = { keyword: [], builtin: [] };
  for (let round = 0; round < 3; round++) {
    results["keyword"]!.push(await timeSync(join(folder, `keyword-${round}.sqlite`), source));
    results["builtin"]!.push(await timeSync(join(folder, `builtin-${round}.sqlite`), source, embedder));
  }
  console.log(`${noteCount} notes, ${megabytes(noteCount * charactersPerNote)} MB`);
  // On a machine with other work, the time of the processor says more than that of the clock.
  const best = (name: string, time: "ms" | "cpuMs") =>
    Math.min(...results[name]!.map((result) => result[time]));
  for (const name of Object.keys(results)) {
    const ratio = (time: "ms" | "cpuMs") => (best(name, time) / best("keyword", time)).toFixed(2);
    const sizeBytes = statSync(join(folder, `${name}-0.sqlite`)).size;
    const clock = `${best(name, "ms").toFixed(0)} ms (${ratio("ms")} of keyword)`;
    const cpu = `processor ${best(name, "cpuMs").toFixed(0)} ms (${ratio("cpuMs")})`;
    print(`sync, ${name}`, `${clock}, ${cpu}, ${megabytes(sizeBytes)} MB`);
  }
}

async function timeSync(
  path: string,
  source: Source,
  embedder?: Embedder,
): Promise<{ ms: number; cpuMs: number }> {
  await using store = await openStore(path);
  const chunker = createChunker({ tokens: 400, overlap: 80 });
  const parts = {
    sources: [source],
    store,
    chunker,
    now: () => new Date(),
    ...(embedder ? { embedder } : {}),
  };
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const began = performance.now();
  const cpuBegan = process.cpuUsage();
  const { chunks, embedded } = await syncOnce(parts);
  const durationMs = performance.now() - began;
  const cpu = process.cpuUsage(cpuBegan);
  lag.disable();
  const lagMs = `p99 ${(lag.percentile(99) / 1e6).toFixed(0)}, most ${(lag.max / 1e6).toFixed(0)} ms`;
  console.log(
    `  ${chunks} chunks, ${embedded} embedded, ${durationMs.toFixed(0)} ms; event loop held up ${lagMs}`,
  );
  const noChange = performance.now();
  await syncOnce(parts, { reason: "search" });
  console.log(`  the same again, nothing changed: ${(performance.now() - noChange).toFixed(1)} ms`);
  return { ms: durationMs, cpuMs: (cpu.user + cpu.system) / 1000 };
}

function openStore(path: string): Promise<Store> {
  const analyser = createAnalyser();
  return openSqliteStore({
    path,
    analyserId: analyser.id,
    tokens: ({ text, headings, path: notePath }) => ({
      body: analyser.indexText(text),
      head: analyser.indexText(`${notePath} ${headings.join(" / ")}`),
    }),
  });
}

function shortNote(number: number, text = `note ${number}`): IndexedDocument {
  return {
    document: {
      source: "memory",
      path: `memory/${number}.md`,
      version: text,
      text,
      hash: sha256(text),
      sizeBytes: text.length,
      modifiedAt: new Date(0),
      scope: "shared",
    },
    chunks: [{ lines: { start: 1, end: 1 }, headings: [], text, hash: sha256(text) }],
  };
}

/** Notes of real sentences in a random order, so that words and their pieces are as common as in real notes. */
function createNotes(count: number): Source {
  const folder = fileURLToPath(new URL("../quality/workspace", import.meta.url));
  const lines = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line.length > 0);
  const notes = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    let text = `# Note ${index}\n`;
    while (text.length < charactersPerNote) text += `${lines[Math.floor(random() * lines.length)]}\n`;
    notes.set(`memory/topic-${index % 97}/note-${index}.md`, text);
  }
  return {
    name: "memory",
    list: async () => ({
      entries: [...notes.keys()].map((path) => ({ path, version: "1" })),
      skipped: [],
      complete: true,
    }),
    read: async (path) => {
      const text = notes.get(path)!;
      const sizeBytes = Buffer.byteLength(text);
      const hash = sha256(text);
      return {
        source: "memory",
        path,
        version: "1",
        text,
        hash,
        sizeBytes,
        modifiedAt: new Date(0),
        scope: "shared",
      };
    },
  };
}

function randomVectors(): Float32Array[] {
  return Array.from({ length: windowsPerChunk }, randomVector);
}

function randomVector(): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() - 0.5);
}

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
  const results = [];
  for (let round = 0; round < times; round++) results.push(await work());
  return results;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function print(what: string, value: string): void {
  console.log(`  ${what.padEnd(42)} ${value}`);
}
