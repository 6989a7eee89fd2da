/** For hosts in TypeScript: OpenClaw's search manager over a memory, a provider of their own, and the pure parts. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openMemory } from "longhand";
import { type EmbeddingProvider, fromEmbeddingProvider } from "longhand/embedders";
import { createSearchManager } from "longhand/openclaw";
import {
  createAnalyzer,
  createChunker,
  decayFactor,
  diversify,
  fuseScores,
  redactSecrets,
} from "longhand/parts";

const workspace = path.join(import.meta.dirname, "workspace");
const stateDir = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));

/** Stands for the provider that the host already has: counting letters is enough to see it work. */
const letters = "abcdefghijklmnopqrstuvwxyz";
const countLetters = (text: string) => [...letters].map((letter) => text.toLowerCase().split(letter).length);
const provider: EmbeddingProvider = {
  id: "host",
  model: "letters",
  embedQuery: async (text) => countLetters(text),
  embedBatch: async (texts) => texts.map(countLetters),
};

try {
  const memory = await openMemory({ workspace, stateDir, embedder: fromEmbeddingProvider(provider) });
  await using manager = await createSearchManager(memory);
  await manager.sync({ reason: "start" });

  const hits = await manager.search("how long does restoring from a backup take?", { maxResults: 3 });
  const best = hits[0];
  assert.ok(best, "there is a hit");
  const read = await manager.readFile({ relPath: best.path, from: best.startLine, lines: 5 });
  assert.equal(read.status, "ok");
  const { provider: used, model, files, vector } = manager.status();
  assert.deepEqual([used, model, vector.dims], ["host", "letters", 26]);
  console.log(`${best.path}:${best.startLine}, found with ${used} ${model} in ${files} notes`);
} finally {
  await rm(stateDir, { recursive: true, force: true });
}

const note = "# Deploys\n\nWe deploy on Tuesdays.\n\n# Keys\n\napi_key = sk_live_4eC39HqLyjWDarjtT1zdp7dc\n";
const { text, found } = redactSecrets(note);
assert.equal(found.length, 1);
const [chunk] = createChunker({ tokens: 400, overlap: 80 }).chunk(text);
assert.deepEqual(chunk?.lines, { start: 1, end: 7 });

const analyzer = createAnalyzer();
const tokensOf = (words: string) => {
  const tokens = new Set<string>();
  const visit = (token: string): unknown => tokens.add(token);
  analyzer.scan(words, visit, visit);
  return tokens;
};
assert.ok(tokensOf("deploying").has([...tokensOf("deploys")][0]!), "both have the same stem");

const fused = fuseScores(
  [
    { text: 0.9, vector: 0.5 },
    { text: null, vector: 0.8 },
  ],
  { fusion: "weighted", vectorWeight: 0.7, textWeight: 0.3, hasText: true, hasVector: true },
);
const ranked = fused.map((score, index) => ({
  score: score * decayFactor(["2026-01-01", "2026-03-02"][index], { today: "2026-03-02", halfLifeDays: 30 }),
  words: ["we deploy on tuesdays", "the office closes at six"][index]!,
}));
const [first] = diversify(
  ranked.toSorted((left, right) => right.score - left.score),
  { lambda: 0.7, tokensOf: ({ words }) => tokensOf(words) },
);
assert.equal(first?.words, "the office closes at six", "an older passage counts for less");
