import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { hasVectors, type VectorStore } from "../store.ts";
import {
  type CachingStore,
  type Check,
  document,
  embedAll,
  embedSingly,
  named,
  one,
  type StoreFixture,
  similarTo,
} from "./fixture.ts";

const dayMs = 24 * 3600 * 1000;

/** Vectors of several embedders side by side, and their usage figures. */
export function checkVectorSets(check: Check<CachingStore>): void {
  check("keeps the vectors of several embedders apart", async (store, fixture) => {
    await using other = await fixture.open();
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    await embedAll(store, "old");
    assert.deepEqual(await embedAll(store, "new 'quoted'"), ["pear", "apple"]);
    assert.deepEqual(await similarTo(other, "pear", { embedderId: "old" }), ["pear"]);
    await store.collectGarbage(named("new 'quoted'"));
    assert.deepEqual(await similarTo(other, "pear", { embedderId: "old" }), ["pear"]);
    assert.deepEqual(await store.missingVectors("old", 9), []);
  });

  check("drops a set that was unused for a week, when the one in use is complete", async (first, fixture) => {
    let time = 100 * dayMs;
    await using store = await fixture.open({ now: () => time });
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    await embedAll(store, "old");
    await embedSingly(store, "searched");
    time += 6 * dayMs;
    await embedAll(store, "new");
    await store.collectGarbage(named("new"));
    assert.equal((await store.vectorSets()).length, 3);
    // Usage is recorded alongside the search; the next write waits for it.
    await similarTo(store, "pear", { embedderId: "searched" });
    await store.writeFact("later", "1");
    time += 2 * dayMs;
    await store.put([document("b.md", ["plum"])], "cut-1");
    await store.collectGarbage(named("new"));
    assert.equal((await store.vectorStatistics("old")).texts, 2, "the new set is not complete");
    await embedAll(store, "new");
    await store.collectGarbage(named("new"));
    assert.equal((await store.vectorStatistics("old")).texts, 0);
    assert.equal((await store.vectorStatistics("searched")).texts, 2);
    assert.deepEqual(await similarTo(first, "pear", { embedderId: "old" }), []);
    assert.deepEqual(await similarTo(first, "pear", { embedderId: "new" }), ["pear"]);
    // Again, with other dimensions.
    const plum = [{ hash: "hash of plum", vectors: [Float32Array.of(1, 0)] }];
    await store.putVectors(named("old"), plum, one);
    const { candidates } = await first.byVector("old", Float32Array.of(1, 0), { limit: 5 });
    assert.equal(candidates.length, 1);
  });

  check("keeps three sets at most, those that were used last", async (_, fixture) => {
    let time = 0;
    await using store = await fixture.open({ now: () => ++time });
    await store.put([document("a.md", ["pear"])], "cut-1");
    for (const id of ["one", "two", "three", "four", "five"]) {
      await embedAll(store, id);
      await store.collectGarbage(named(id));
    }
    assert.deepEqual((await store.vectorSets()).map(({ id }) => id).sort(), ["five", "four", "three"]);
  });

  check("restores a dropped set from the cache", async (_, fixture) => {
    let time = 0;
    await using store = await fixture.open({ now: () => ++time });
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    for (const id of ["single", "two", "three", "four"]) await embedSingly(store, id);
    assert.deepEqual((await store.missingVectors("single", 9)).length, 2);
    assert.deepEqual(await embedSingly(store), []);
    assert.deepEqual(await similarTo(store, "apple", { embedderId: "single" }), ["apple"]);
  });

  check(
    "adds up what embedders were asked for, also from several handles at once",
    async (store, fixture) => {
      await using other = await fixture.open();
      const nothing = { requests: 0, tokens: 0, texts: 0, costUsd: 0 };
      assert.deepEqual((await store.vectorStatistics("paid")).usage, nothing);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).addUsage("paid", {
            requests: 1,
            tokens: 100,
            texts: 2,
            costUsd: 0.25,
          }),
        ),
      );
      const sum = { requests: 20, tokens: 2000, texts: 40, costUsd: 5 };
      assert.deepEqual((await other.vectorStatistics("paid")).usage, sum);
      await store.addUsage("unknown price", { requests: 1, tokens: 5, texts: 1, costUsd: null });
      await store.addUsage("unknown price", { requests: 1, tokens: 5, texts: 1, costUsd: 1 });
      const { costUsd, tokens } = (await store.vectorStatistics("unknown price")).usage;
      assert.deepEqual([costUsd, tokens], [null, 10]);
      await store.put([document("a.md", ["pear"])], "cut-1");
      await store.remove("memory", ["a.md"]);
      assert.deepEqual((await store.vectorStatistics("paid")).usage, sum);
    },
  );
}

/** Few distinct values, so that texts often repeat, return, and move between documents. */
const path = fc.constantFrom("a.md", "b.md", "c.md");
const text = fc.constantFrom("pear", "apple", "plum", "fig", "pear apple", "plum fig");
const texts = fc.array(text, { maxLength: 4 });

type Step =
  | { readonly put: readonly { readonly path: string; readonly texts: readonly string[] }[] }
  | { readonly remove: string }
  | { readonly embed: "some" | "all" }
  | { readonly look: "first" | "second" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ put: fc.array(fc.record({ path, texts }), { minLength: 1, maxLength: 2 }) }),
  fc.record({ remove: path }),
  fc.record({ embed: fc.constantFrom("some" as const, "all" as const) }),
  fc.record({ look: fc.constantFrom("first" as const, "second" as const) }),
);

/** Two handles to one index: after any history, both see the current contents. */
export function checkVectorHistory(create: () => Promise<StoreFixture>): void {
  it("after any history finds what a new index would find", async (t) => {
    await using tried = await create();
    await using sample = await tried.open();
    if (!hasVectors(sample)) return t.skip("the store has no vectors");
    const holds = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await using fixture = await create();
      await using first = (await fixture.open()) as VectorStore;
      await using second = (await fixture.open()) as VectorStore;
      const documents = new Map<string, readonly string[]>();
      const embedded = new Set<string>();
      const check = async (store: VectorStore) => {
        const all = [...documents.values()].flat();
        const expected = all.filter((each) => embedded.has(each)).sort();
        assert.deepEqual((await similarTo(store, "pear", { limit: 100 })).sort(), expected);
        const missing = (await store.missingVectors("model", 100)).map((each) => each.text).sort();
        assert.deepEqual(missing, [...new Set(all.filter((each) => !embedded.has(each)))].sort());
        const like = all.filter((each) => embedded.has(each) && each.split(" ").includes("pear")).sort();
        assert.deepEqual((await similarTo(store, "pear", { limit: like.length })).sort(), like);
      };
      for (const each of steps) {
        if ("put" in each) {
          for (const put of each.put) documents.set(put.path, put.texts);
          await first.put(
            each.put.map((put) => document(put.path, put.texts)),
            "cut-1",
          );
        } else if ("remove" in each) {
          documents.delete(each.remove);
          await second.remove("memory", [each.remove]);
        } else if ("embed" in each) {
          const asked = await embedAll(first, "model", each.embed === "some" ? 2 : Number.POSITIVE_INFINITY);
          for (const done of asked) embedded.add(done);
        } else {
          await check(each.look === "first" ? first : second);
        }
        // A text that no document contains may still be cached; the model assumes that it is not.
        for (const known of embedded) {
          if (![...documents.values()].flat().includes(known)) embedded.delete(known);
        }
      }
      await check(first);
      await check(second);
    });
    await fc.assert(holds, { seed: 11, numRuns: 40 });
  });
}
