import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { openMemory } from "../src/index.ts";
import { createConceptEmbedder } from "./support/concept-embedder.ts";
import { skipWithoutLance } from "./support/platform.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

test("An index moves from SQLite to LanceDB and back, and nothing is embedded again", {
  skip: skipWithoutLance,
}, async (t) => {
  const folder = makeTemporaryFolder(t, {
    "notes/MEMORY.md": "The quokka is our mascot.\n",
    "notes/memory/2026-01-02.md": "# Friday\n\nThe rollout was postponed because of rain.\n",
    "notes/memory/costs.md": "Invoices are paid on Mondays.\n",
  });
  const asked: string[] = [];
  const stateDir = folder.at("state");
  const open = (driver: "sqlite" | "lancedb") => {
    const { embedDocuments } = createConceptEmbedder();
    const counting = createConceptEmbedder({
      embedDocuments: (texts, options) => {
        asked.push(...texts);
        return embedDocuments(texts, options);
      },
    });
    return openMemory({
      workspace: folder.at("notes"),
      stateDir,
      agent: "main",
      embedder: counting,
      config: { agents: { defaults: { memorySearch: { store: { driver } } } } },
    });
  };
  const question = "Which animal do we have?";
  const lance = folder.at("state/memory/main.longhand.lance");

  await using sqlite = await open("sqlite");
  await sqlite.sync();
  assert.equal(asked.splice(0).length, 3);
  const expected = (await sqlite.search(question)).results;
  const there = await sqlite.migrate({ to: "lancedb" });
  assert.deepEqual(asked, []);
  assert.deepEqual([there.vectors, there.documents, there.embedded, there.degraded], [3, 3, 0, []]);
  assert.deepEqual(there.to, { driver: "lancedb", place: lance });
  assert.equal(there.configuration, 'store: { driver: "lancedb" }');
  assert.ok(existsSync(there.from.place) && existsSync(lance));

  await using moved = await open("lancedb");
  assert.equal((await moved.sync()).embedded, 0);
  assert.deepEqual((await moved.search(question)).results, expected);
  await assert.rejects(moved.migrate({ to: "lancedb" }), { code: "not-supported" });
  await assert.rejects(moved.migrate({ to: "postgres" }), { code: "config-invalid" });
  await assert.rejects(moved.migrate({ to: "lancedb", url: ["$", "{NOT_SET_ANYWHERE}"].join("") }), {
    code: "config-invalid",
  });

  const copy = folder.at("elsewhere");
  await moved.migrate({ to: "lancedb", url: copy });
  assert.ok(existsSync(copy));
  const back = await moved.migrate({ to: "sqlite" });
  assert.equal(back.embedded, 0);
  assert.deepEqual(asked, []);
  assert.deepEqual((await sqlite.search(question)).results, expected);
});
