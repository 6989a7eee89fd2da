import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkRecall, plainTokens } from "../../../test/support/store-recall.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { prepareLance } from "../../config/lance-access.ts";
import { createRandom } from "../../eval/compare.ts";
import { document, named, vectorOf } from "../contract/fixture.ts";
import { contractTokens, storeContract } from "../store.contract.ts";
import { openLanceStore } from "./lance-store.ts";

prepareLance();

storeContract("LanceDB", {
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), "longhand-lance-"));
    return {
      open: (options) =>
        openLanceStore({
          ...options,
          location: join(folder, "deep", "index.lance"),
          analyzerId: "contract",
          tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
        }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  },
});

test("chooses nearly the same chunks as SQLite", async (t) => {
  const folder = makeTemporaryFolder(t);
  await using store = await openLanceStore({
    location: folder.at("index.lance"),
    analyzerId: "contract",
    tokens: plainTokens,
  });
  await checkRecall(store, { sqlitePath: folder.at("index.sqlite"), random: createRandom(3) });
});

test("refuses to compare chunks with an invalid vector, whether vectors are exact or coded", async (t) => {
  await using store = await openLanceStore({
    location: makeTemporaryFolder(t).at("index.lance"),
    analyzerId: "contract",
    tokens: plainTokens,
  });
  await store.put([document("a.md", ["pear"])], "cut-1");
  const [chunk] = await store.chunksOf("memory", "a.md");
  for (const vectorsPerText of ["one", "several"] as const) {
    const entries = [{ hash: "hash of pear", vectors: [vectorOf("pear")] }];
    await store.putVectors(named(vectorsPerText), entries, { vectorsPerText });
    await assert.rejects(store.similarities(vectorsPerText, Float32Array.of(1, 2), [chunk!.id]), {
      code: "vectors-invalid",
    });
  }
});

test("an older longhand adds nothing once a newer one has rebuilt the tokens", async (t) => {
  const location = makeTemporaryFolder(t).at("index.lance");
  await using older = await openLanceStore({ location, analyzerId: "old", tokens: plainTokens });
  await older.put([document("a.md", ["fig"])], "cut-1");
  await using newer = await openLanceStore({ location, analyzerId: "new", tokens: plainTokens });
  assert.equal((await newer.versions("memory")).size, 1);
  await assert.rejects(older.put([document("b.md", ["plum"])], "cut-1"), {
    code: "index-newer",
    message: /another longhand now uses it/,
  });
  assert.equal((await newer.versions("memory")).size, 1);
  await newer.put([document("b.md", ["plum"])], "cut-1");
});
