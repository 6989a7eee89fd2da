import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Embedder } from "../embedders/embedder.ts";
import { createFallbackChain } from "../embedders/fallback-chain.ts";
import { type ErrorCode, LonghandError } from "../errors.ts";
import type { VectorSet } from "../stores/store-vectors.ts";
import { chooseQueryEmbedder, type SemanticSettings } from "./choose-query-embedder.ts";

const settingsOf = (id: string, provider: string, isSlow: boolean): SemanticSettings => ({
  embedder: { id, provider, isSlow } as Embedder,
  waitMs: 1,
  isHybrid: true,
  blend: { kind: "assist" },
});
const slow = settingsOf("openai:a", "openai", true);
const standby = settingsOf("builtin:1", "builtin", false);

async function choose(
  sets: readonly VectorSet[],
  opened: SemanticSettings | null = standby,
  total = 100,
  preferred: SemanticSettings = slow,
) {
  let opens = 0;
  const store = {
    missingVectors: async (id: string) => {
      const { missing } = sets.find((set) => set.id === id) ?? { missing: total };
      return missing === 0 ? [] : [{ hash: "", text: "" }];
    },
    vectorSets: async () => [...sets],
  };
  const open = async () => {
    opens++;
    return opened;
  };
  const links = [
    { provider: "openai", open: async () => preferred.embedder },
    { provider: "builtin", open: async () => (await open())?.embedder ?? null },
  ];
  const chain = createFallbackChain({ links, now: () => new Date(0) });
  const settingsOf = (embedder: Embedder) => [preferred, opened].find((each) => each?.embedder === embedder)!;
  const choice = await chooseQueryEmbedder({ store, semantic: { chain, settingsOf } }, total);
  return { by: choice.semantic?.embedder.id, note: choice.note, opens };
}

const chosenLacks = (missing: number): VectorSet => ({ id: "openai:a", provider: "openai", missing });
const standbyLacks = (missing: number): VectorSet => ({ id: "builtin:1", provider: "builtin", missing });

suite("Choosing the embedder of a query", () => {
  test("is the chosen embedder when it has all vectors, and the standby is not opened", async () => {
    const expected = { by: "openai:a", note: null, opens: 0 };
    assert.deepEqual(await choose([chosenLacks(0), standbyLacks(0)]), expected);
    assert.deepEqual(await choose([], standby, 0), expected);
  });

  test("is the standby while it knows more chunks, even if not all", async () => {
    const note = "40 of 100 chunks have their vectors of openai; the builtin model answers meanwhile";
    assert.deepEqual(await choose([chosenLacks(60), standbyLacks(3)]), { by: "builtin:1", note, opens: 1 });
    assert.equal((await choose([standbyLacks(99)])).by, "builtin:1");
  });

  test("is the chosen one when the standby knows no more, cannot be opened, or is another version", async () => {
    const note =
      "40 of 100 chunks have their vectors of openai; the others are found by keyword search meanwhile";
    const chosen = { by: "openai:a", note };
    assert.deepEqual(await choose([chosenLacks(60), standbyLacks(60)]), { ...chosen, opens: 0 });
    assert.deepEqual(await choose([chosenLacks(60), standbyLacks(0)], null), { ...chosen, opens: 1 });
    const newer = settingsOf("builtin:2", "builtin", false);
    assert.deepEqual(await choose([chosenLacks(60), standbyLacks(0)], newer), { ...chosen, opens: 1 });
  });

  test("is the chosen one while the index is busy, and any other failure is reported", async () => {
    const failing = (code: ErrorCode) => {
      const missingVectors = () => Promise.reject(new LonghandError(code, "locked", { hint: "wait" }));
      const store = { missingVectors, vectorSets: missingVectors };
      const chain = createFallbackChain({
        links: [{ provider: "openai", open: async () => slow.embedder }],
        now: () => new Date(0),
      });
      return chooseQueryEmbedder({ store, semantic: { chain, settingsOf: () => slow } }, 100);
    };
    const { semantic, note } = await failing("index-busy");
    assert.deepEqual([semantic?.embedder.id, note], ["openai:a", null]);
    await assert.rejects(failing("index-unusable"), { code: "index-unusable" });
  });

  test("is reported to lack vectors even if it embeds at once", async () => {
    const quick = settingsOf("openai:a", "openai", false);
    assert.match((await choose([chosenLacks(60)], standby, 100, quick)).note ?? "", /^40 of 100 chunks/);
    assert.equal((await choose([chosenLacks(0)], standby, 100, quick)).note, null);
  });

  test("is not reported when few chunks are missing", async () => {
    assert.deepEqual(await choose([chosenLacks(5)]), { by: "openai:a", note: null, opens: 0 });
    assert.match((await choose([chosenLacks(6)])).note ?? "", /^94 of 100 chunks/);
  });
});
