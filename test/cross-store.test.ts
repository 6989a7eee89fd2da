import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openMemory } from "../src/index.ts";
import { openPostgresStore } from "../src/stores/postgres/postgres-store.ts";
import type { FullStore } from "../src/stores/store.ts";
import { createAnalyzer } from "../src/text/words/analyze.ts";
import { createChunkTokens } from "../src/text/words/chunk-tokens.ts";
import { startPglite } from "./support/postgres.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const quality = join(import.meta.dirname, "../quality");
const questions = readFileSync(join(quality, "queries.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { query: string }).query)
  .filter((_, index) => index % 8 === 0);

test("The same question gives the same hits in the same order on SQLite, on LanceDB and on PostgreSQL", async (t) => {
  const folder = makeTemporaryFolder(t);
  await using server = await startPglite();
  const analyzer = createAnalyzer();
  const open = (driver: "sqlite" | "lancedb", store?: FullStore) =>
    openMemory({
      workspace: join(quality, "workspace"),
      stateDir: folder.at(store ? "postgres" : driver),
      config: { agents: { defaults: { memorySearch: { store: { driver }, sync: { onSearch: false } } } } },
      ...(store && { store }),
    });
  // PGlite has one session, in which a lock that is held would keep everything else waiting.
  const inDatabase = await openPostgresStore({
    ...server,
    place: "PGlite",
    owner: "quality",
    analyzerId: analyzer.id,
    tokens: createChunkTokens(analyzer),
  });
  await using sqlite = await open("sqlite");
  await using lance = await open("lancedb");
  await using postgres = await open("sqlite", inDatabase);
  for (const memory of [sqlite, lance, postgres]) await memory.sync();
  assert.ok(questions.length > 20);
  for (const question of questions) {
    const [expected, ...others] = await Promise.all(
      [sqlite, lance, postgres].map(async (memory) => {
        const { results } = await memory.search(question);
        return results.map(({ path, startLine, endLine, score }) => ({
          place: `${path}:${startLine}-${endLine}`,
          score: score.toFixed(3),
        }));
      }),
    );
    for (const found of others) assert.deepEqual(found, expected, question);
  }
});
