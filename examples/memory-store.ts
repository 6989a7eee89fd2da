/** A custom store: an index in memory. It passes the contract suite for stores. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openMemory } from "longhand";
import { storeContract } from "longhand/testing";
import { createShelf, openMemoryStore } from "./memory-store/memory-store.ts";

test("a memory with a custom store finds the same as one with the default store", async () => {
  const workspace = path.join(import.meta.dirname, "workspace");
  const folder = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));
  try {
    await using usual = await openMemory({ workspace, stateDir: path.join(folder, "usual") });
    await using own = await openMemory({
      workspace,
      stateDir: path.join(folder, "own"),
      store: openMemoryStore(createShelf()),
    });
    for (const question of ["how long does restoring from a backup take?", "who is on call", "deploi"]) {
      const [expected, found] = await Promise.all(
        [usual, own].map(async (memory) => {
          const { mode, results } = await memory.search(question);
          const [hit] = results;
          return { mode, place: `${hit?.path}:${hit?.startLine}-${hit?.endLine}` };
        }),
      );
      assert.deepEqual(found, expected, question);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

storeContract("a store in memory", {
  async create() {
    const shelf = createShelf();
    return { open: async () => openMemoryStore(shelf), async [Symbol.asyncDispose]() {} };
  },
});
