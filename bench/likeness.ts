/**
 * What the builtin model takes for alike, and what it does not: `node bench/likeness.ts ["ONE TEXT" "ANOTHER"]`.
 */
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";

const pairs = [
  ["physician", "doctor"],
  ["physician", "bread"],
  ["how do I delete files", "rm removes them"],
  ["car repair", "automobile mechanic"],
  ["when is the deadline", "due date is Friday"],
  ["settings", "configuration"],
  ["puppy", "dog"],
] as const;

const [question, note] = process.argv.slice(2);
await using embedder = await openBuiltinEmbedder();
for (const [one, other] of question && note ? [[question, note] as const] : pairs) {
  const asked = await embedder.embedQuery(one);
  const [[vector] = []] = (await embedder.embedDocuments([other])) as Float32Array[][];
  const cosine = asked?.reduce((sum, value, at) => sum + value * (vector?.[at] ?? 0), 0) ?? 0;
  console.log(`${`"${one}" and "${other}"`.padEnd(48)} ${cosine.toFixed(2)}`);
}
