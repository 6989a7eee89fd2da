import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openBuiltinEmbedder } from "./builtin-embedder.ts";
import { createNearWords } from "./near-words.ts";

test("A word's neighbours are read from its line, and other words have none", () => {
  const near = createNearWords("doctor physician 57 surgeon 41\ndoctors doctor 54\n");
  assert.deepEqual(near("doctor"), [
    { word: "physician", similarity: 0.57 },
    { word: "surgeon", similarity: 0.41 },
  ]);
  assert.deepEqual(near("doctors"), [{ word: "doctor", similarity: 0.54 }]);
  for (const word of ["doc", "physician", "57", "", "a b", "\n", "doctor physician"])
    assert.deepEqual(near(word), []);
});

test("A file that is damaged gives what can be read of it", () => {
  const near = createNearWords("doctor physician x surgeon 41 odd");
  assert.deepEqual(near("doctor"), [{ word: "surgeon", similarity: 0.41 }]);
  assert.deepEqual(createNearWords("")("doctor"), []);
});

test("The neighbours in the package are those of the model in the package", async () => {
  const file = readFileSync(new URL("../../../models/builtin/near-words.txt", import.meta.url), "utf8");
  const lines = file.trimEnd().split("\n");
  assert.ok(lines.length > 1000);
  await using embedder = await openBuiltinEmbedder();
  for (let at = 0; at < lines.length; at += 97) {
    const word = lines[at]!.split(" ")[0]!;
    const vector = await embedder.embedQuery(word);
    for (const { word: other, similarity } of embedder.nearWords!(word)) {
      const cosine = (await embedder.embedQuery(other))!.reduce((sum, x, i) => sum + x * vector![i]!, 0);
      assert.ok(
        Math.abs(cosine - similarity) <= 0.011,
        `${word} ${other}: ${cosine} in the file as ${similarity}`,
      );
    }
  }
});
