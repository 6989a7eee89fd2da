import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { LonghandError } from "../errors.ts";
import { chooseEmbedder, type EmbedderFactory } from "./choose-embedder.ts";

const broken = new LonghandError("key-missing", "It has no key.", { hint: "Set one." });

function factoriesOf(states: Readonly<Record<string, "ready" | "lacking" | "broken">>) {
  return new Map(
    Object.entries(states).map(([name, state]): [string, EmbedderFactory] => [
      name,
      {
        missing: () => (state === "lacking" ? () => "a key" : null),
        open: async () => {
          if (state !== "ready") throw broken;
          return createConceptEmbedder({ provider: name });
        },
      },
    ]),
  );
}

suite("auto", () => {
  test("stays with the provider of the index, whatever else this process could use", async () => {
    const chosen = await chooseEmbedder({
      provider: "auto",
      fallback: "none",
      factories: factoriesOf({ best: "ready", good: "ready", builtin: "ready" }),
      indexedWith: "good",
    });
    assert.equal(chosen.embedder?.provider, "good");
  });

  test("chooses builtin and says why if this process lacks what the provider of the index needs", async () => {
    const { embedder, fallback } = await chooseEmbedder({
      provider: "auto",
      fallback: "none",
      factories: factoriesOf({ best: "ready", good: "lacking", builtin: "ready" }),
      indexedWith: "good",
    });
    assert.equal(embedder?.provider, "builtin");
    assert.deepEqual(fallback, { from: "good", reason: "good needs a key" });
  });

  test("chooses builtin or nothing for a process that must not call a service", async () => {
    const factories = factoriesOf({ best: "ready", builtin: "ready" });
    for (const provider of ["auto", "best", "builtin"]) {
      const { embedder } = await chooseEmbedder({
        provider,
        fallback: "best",
        factories,
        asksNoService: true,
      });
      assert.equal(embedder?.provider, provider === "builtin" ? "builtin" : undefined);
    }
  });

  test("chooses the first available one, and says what the better ones lack", async () => {
    const factories = factoriesOf({ best: "lacking", good: "ready", fair: "ready" });
    const { embedder, better, fallback } = await chooseEmbedder({
      provider: "auto",
      fallback: "none",
      factories,
    });
    assert.deepEqual(
      [embedder?.provider, await better?.(), fallback],
      ["good", "best needs a key", undefined],
    );
  });

  test("continues after one that fails unexpectedly, and says so", async () => {
    const factories = factoriesOf({ best: "broken", fair: "ready" });
    const { embedder, fallback } = await chooseEmbedder({ provider: "auto", fallback: "none", factories });
    assert.deepEqual(
      [embedder?.provider, fallback],
      ["fair", { from: "best", reason: "It has no key. Set one." }],
    );
  });

  test("leaves search to keywords if none is available", async () => {
    const factories = factoriesOf({ best: "lacking" });
    const { embedder, why } = await chooseEmbedder({ provider: "auto", fallback: "none", factories });
    assert.deepEqual([embedder, why], [undefined, "auto: no provider can be used"]);
  });
});

suite("a named provider", () => {
  const factories = factoriesOf({ asked: "broken", second: "ready", third: "broken" });

  test("is replaced by its fallback alone, with the reason", async () => {
    const { embedder, fallback } = await chooseEmbedder({ provider: "asked", fallback: "second", factories });
    assert.deepEqual([embedder?.provider, fallback?.from], ["second", "asked"]);
    assert.match(fallback?.reason ?? "", /It has no key/);
  });

  test("without a working fallback leaves keyword search, with the reasons", async () => {
    for (const fallback of ["none", "asked", "third", "unheard-of"]) {
      const chosen = await chooseEmbedder({ provider: "asked", fallback, factories });
      assert.equal(chosen.embedder, undefined);
      assert.equal(chosen.fallback?.from, "asked");
      assert.match(chosen.fallback.reason, /It has no key/);
    }
  });

  test("none means no embedder", async () => {
    assert.equal(
      (await chooseEmbedder({ provider: "none", fallback: "second", factories })).embedder,
      undefined,
    );
  });

  test("that fails unexpectedly is an error", async () => {
    const open = () => Promise.reject(new TypeError("a fault"));
    const faulty = new Map([["asked", { missing: () => null, open }]]);
    await assert.rejects(
      chooseEmbedder({ provider: "asked", fallback: "none", factories: faulty }),
      TypeError,
    );
  });
});
