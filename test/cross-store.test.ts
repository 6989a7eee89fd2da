import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openMemory } from "../src/index.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const quality = join(import.meta.dirname, "../quality");
const questions = readFileSync(join(quality, "queries.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { query: string }).query)
  .filter((_, index) => index % 8 === 0);

test("The same question gives the same hits in the same order on SQLite and on LanceDB", async (t) => {
  const folder = makeTemporaryFolder(t);
  const open = (driver: "sqlite" | "lancedb") =>
    openMemory({
      workspace: join(quality, "workspace"),
      stateDir: folder.at(driver),
      config: { agents: { defaults: { memorySearch: { store: { driver }, sync: { onSearch: false } } } } },
    });
  await using sqlite = await open("sqlite");
  await using lance = await open("lancedb");
  for (const memory of [sqlite, lance]) await memory.sync();
  assert.ok(questions.length > 20);
  for (const question of questions) {
    const [expected, found] = await Promise.all(
      [sqlite, lance].map(async (memory) => {
        const { results } = await memory.search(question);
        return results.map(({ path, startLine, endLine, score }) => ({
          place: `${path}:${startLine}-${endLine}`,
          score: score.toFixed(3),
        }));
      }),
    );
    assert.deepEqual(found, expected, question);
  }
});
