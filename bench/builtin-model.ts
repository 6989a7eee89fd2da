import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";
import { parseTokenizerFile } from "../src/embedders/builtin/tokenizer-file.ts";
import { createWordPieceTokenizer } from "../src/embedders/builtin/word-piece.ts";

/**
 * What the builtin model costs: `node --expose-gc bench/builtin-model.ts [FOLDER OF NOTES]`.
 * The first embedding is timed in processes of its own, because everything is faster the second time.
 */
const repository = fileURLToPath(new URL("..", import.meta.url));
const chunkCharacters = 1600;

/** What it takes for alike, and what it does not. */
const pairs = [
  ["physician", "doctor"],
  ["physician", "bread"],
  ["how do I delete files", "rm removes them"],
  ["car repair", "automobile mechanic"],
  ["when is the deadline", "due date is Friday"],
  ["settings", "configuration"],
  ["puppy", "dog"],
] as const;

if (process.argv[2] === "--first") {
  const began = performance.now();
  const embedder = await openBuiltinEmbedder();
  await embedder.embedQuery("Which physician did we recommend?");
  console.log(performance.now() - began);
} else {
  await measure(process.argv[2] ?? path.join(repository, "quality/workspace"));
}

async function measure(folder: string): Promise<void> {
  const first = Array.from({ length: 11 }, () =>
    Number(execFileSync(process.execPath, [import.meta.filename, "--first"], { encoding: "utf8" })),
  ).sort((a, b) => a - b);
  print(
    "first embedding of a process, with loading",
    `${first[5]!.toFixed(1)} ms (best ${first[0]!.toFixed(1)})`,
  );

  const notes = readChunks(folder);
  // Enough of them that a round takes about a second.
  const chunks = Array.from({ length: Math.ceil(5000 / notes.length) }, () => notes).flat();
  const before = usedBytes();
  const embedder = await openBuiltinEmbedder();
  await embedder.embedDocuments(chunks.slice(0, 64));
  print("memory held after loading", `${((usedBytes() - before) / 1e6).toFixed(1)} MB`);

  const pieceCount = countPieces(chunks);
  const rates = [];
  let vectorCount = 0;
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    vectorCount = 0;
    for (let at = 0; at < chunks.length; at += embedder.maxBatch) {
      const embedded = await embedder.embedDocuments(chunks.slice(at, at + embedder.maxBatch));
      for (const vectors of embedded) vectorCount += vectors.length;
    }
    rates.push((pieceCount / (performance.now() - began)) * 1000);
  }
  rates.sort((a, b) => a - b);
  print("chunks of 1,600 characters", `${chunks.length}, ${pieceCount} word pieces, ${vectorCount} windows`);
  print("word pieces a second", `${Math.round(rates[2]!)} (best ${Math.round(rates[4]!)})`);

  const questions = chunks.map((chunk) => chunk.slice(0, 60));
  const began = performance.now();
  for (const question of questions) await embedder.embedQuery(question);
  print(
    "one question of 60 characters",
    `${(((performance.now() - began) / questions.length) * 1000).toFixed(1)} µs`,
  );

  for (const [question, note] of pairs) {
    const asked = await embedder.embedQuery(question);
    const [[vector] = []] = await embedder.embedDocuments([note]);
    const cosine = asked?.reduce((sum, value, at) => sum + value * (vector?.[at] ?? 0), 0) ?? 0;
    print(`"${question}" and "${note}"`, cosine.toFixed(2));
  }
}

function readChunks(folder: string): string[] {
  const texts = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
  return texts.flatMap((text) =>
    Array.from({ length: Math.ceil(text.length / chunkCharacters) }, (_, i) =>
      text.slice(i * chunkCharacters, (i + 1) * chunkCharacters),
    ),
  );
}

function countPieces(texts: readonly string[]): number {
  const file = path.join(repository, "models/builtin/tokenizer.json");
  const tokenizer = createWordPieceTokenizer(parseTokenizerFile(fs.readFileSync(file, "utf8"), file));
  return texts.reduce((sum, text) => sum + tokenizer.tokenize(text).length, 0);
}

/** JavaScript objects and the memory of typed arrays, after what is no longer used has gone. */
function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(48)} ${value}`);
}
