import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTokenizerFile } from "../../src/embedders/builtin/tokenizer-file.ts";
import { createWordPieceTokenizer } from "../../src/embedders/builtin/word-piece.ts";
import { openBuiltModel } from "../built-package.ts";
import { inTemporaryFolder, median, medianInTurns, timeMs } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";
import { runModule } from "../run-module.ts";

const noteCount = 2000;
const characters = 1600;

/**
 * The model of the built package. The first embedding is timed in new processes, because everything is faster the second
 * time; the first process only fills the compile cache.
 */
export async function measure({ rounds }: Sizes): Promise<PartResult> {
  const first = await inTemporaryFolder((cacheDir) =>
    medianInTurns(2 * rounds, {
      embedding: () => runModule<number>("children/first-embedding.ts", { cacheDir }),
    }),
  );

  const chunks = await inTemporaryFolder(async (folder) => {
    writeNotes(folder, { count: noteCount, charactersPerNote: characters });
    return Array.from({ length: noteCount }, (_, index) => {
      const name = join(folder, "memory", `f${Math.floor(index / 100)}`, `n${index}.md`);
      return readFileSync(name, "utf8").slice(0, characters);
    });
  });
  const before = usedBytes();
  await using embedder = await openBuiltModel();
  await embedder.embedDocuments(chunks.slice(0, 64));
  const heldBytes = usedBytes() - before;

  const pieces = countPieces(chunks);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ms = await timeMs(async () => {
      for (let at = 0; at < chunks.length; at += embedder.maxBatch)
        await embedder.embedDocuments(chunks.slice(at, at + embedder.maxBatch));
    });
    rates.push((pieces / ms) * 1000);
  }
  const questionsMs = await timeMs(async () => {
    for (const chunk of chunks) await embedder.embedQuery(chunk.slice(20, 80));
  });
  const question = `a question of 60 characters ${((questionsMs / chunks.length) * 1000).toFixed(0)} µs`;
  return {
    figures: {
      "model-speed": { ours: median(rates), detail: `one core; ${question}` },
      "model-first": { ours: first.embedding },
      "model-memory": { ours: heldBytes },
    },
  };
}

function countPieces(texts: readonly string[]): number {
  const file = join(import.meta.dirname, "../../models/builtin/tokenizer.json");
  const tokenizer = createWordPieceTokenizer(parseTokenizerFile(readFileSync(file, "utf8"), file));
  return texts.reduce((sum, text) => sum + tokenizer.tokenize(text).length, 0);
}

/** Heap and array buffers, after garbage collection. */
function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
