import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";

/*
 * Writes models/builtin/near-words.txt: for each whole word of the model's vocabulary the words nearest to it, with
 * their cosine in hundredths. Finding them while a question waits would compare 21,000 rows for each of its words.
 * Takes some minutes; run it when the model files change: node scripts/near-words.ts
 */
const leastSimilarity = 0.4;
const mostNeighbours = 10;

const folder = path.join(import.meta.dirname, "..", "models", "builtin");
const tokenizer = JSON.parse(readFileSync(path.join(folder, "tokenizer.json"), "utf8"));
const words = Object.keys((tokenizer as { model: { vocab: object } }).model.vocab)
  .filter((word) => /^[a-z]{3,}$/.test(word))
  .sort();
const embedder = await openBuiltinEmbedder();
const embedded = await embedder.embedDocuments(words);
const { dimensions } = embedder;
const table = new Float32Array(words.length * dimensions!);
for (const [row, vectors] of embedded.entries()) if (vectors[0]) table.set(vectors[0], row * dimensions!);

const near = words.map((): { word: string; similarity: number }[] => []);
for (let left = 0; left < words.length; left++) {
  const row = table.subarray(left * dimensions!, (left + 1) * dimensions!);
  for (let right = left + 1; right < words.length; right++) {
    const similarity = dot(row, table, right * dimensions!);
    if (similarity < leastSimilarity) continue;
    near[left]!.push({ word: words[right]!, similarity });
    near[right]!.push({ word: words[left]!, similarity });
  }
}
const lines = near.flatMap((neighbours, row) => {
  const kept = neighbours.sort((a, b) => b.similarity - a.similarity).slice(0, mostNeighbours);
  const parts = kept.map(({ word, similarity }) => `${word} ${Math.floor(similarity * 100)}`);
  return parts.length === 0 ? [] : [`${words[row]} ${parts.join(" ")}`];
});
writeFileSync(path.join(folder, "near-words.txt"), `${lines.join("\n")}\n`);
console.log(`${lines.length} words with ${lines.join(" ").split(" ").length} entries`);

/** Four sums at a time: the processor need not wait for one before it begins the next. */
function dot(row: Float32Array, all: Float32Array, offset: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < row.length; i += 4) {
    a += row[i]! * all[offset + i]!;
    b += row[i + 1]! * all[offset + i + 1]!;
    c += row[i + 2]! * all[offset + i + 2]!;
    d += row[i + 3]! * all[offset + i + 3]!;
  }
  return a + b + c + d;
}
