import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { hasVectors, type VectorStore } from "../store.ts";
import { document, type StoreFixture } from "./fixture.ts";
import { embedAll, similarTo } from "./vector-fixture.ts";

/** Few of each, so that texts are often equal, come back, and move from one document to another. */
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

/** Two handles on one place; whatever happened to it and whenever either looked, both find what is there. */
export function checkVectorHistory(create: () => Promise<StoreFixture>): void {
  it("finds after any history what a new index would find", async (t) => {
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
        // A text that no document holds may or may not be known still; here it is taken for forgotten.
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
