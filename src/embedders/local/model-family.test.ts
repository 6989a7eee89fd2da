import assert from "node:assert/strict";
import { test } from "node:test";
import { findModelFamily } from "./model-family.ts";

const cases: readonly (readonly [architecture: string, name: string, family: string])[] = [
  ["gemma-embedding", "", "embeddinggemma"],
  ["gemma3", "Embeddinggemma 300M", "embeddinggemma"],
  ["nomic-bert", "", "nomic"],
  ["nomic-bert-moe", "nomic-embed-text-v2-moe", "nomic"],
  ["bert", "Multilingual E5 Small", "e5"],
  ["bert", "multilingual-e5-large-instruct", "e5-instruct"],
  ["bert", "bge-small-en-v1.5", "bge"],
  ["bert", "Bge Large Zh V1.5", "bge-zh"],
  ["bert", "bge-m3", "plain"],
  ["bert", "mxbai-embed-large-v1", "mxbai"],
  ["bert", "snowflake-arctic-embed-m", "arctic"],
  ["bert", "snowflake-arctic-embed-l-v2.0", "arctic-2"],
  ["qwen3", "Qwen3 Embedding 0.6B", "qwen3"],
  ["bert", "all-MiniLM-L6-v2", "plain"],
  ["bert", "value5-base", "plain"],
  ["llama", "", "plain"],
];

for (const [architecture, name, family] of cases) {
  test(`${architecture} "${name}" is of the family ${family}`, () => {
    assert.equal(findModelFamily({ architecture, names: [name] }).name, family);
  });
}

test("An unknown model gets its texts unchanged", () => {
  const { document, query } = findModelFamily({ architecture: "bert", names: ["mine"] });
  assert.deepEqual([document, query], ["", ""]);
});
