import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type Check, document, type StoreFixture, search } from "./fixture.ts";

/** All handles, opened in sequence or at once, see one index. */
export function checkHandles(check: Check, create: () => Promise<StoreFixture>): void {
  check("keeps facts", async (store) => {
    assert.equal(await store.readFact("last"), null);
    await store.writeFact("last", "one");
    await store.writeFact("last", "two 'quoted' 日本");
    assert.equal(await store.readFact("last"), "two 'quoted' 日本");
    assert.equal(await store.readFact("other"), null);
  });

  it("is the same after it is opened again", async () => {
    await using fixture = await create();
    {
      await using store = await fixture.open();
      await store.put([document("a.md", ["alpha beta"], { version: "9" })], "cut-1");
      await store.writeFact("last", "sync");
    }
    await using store = await fixture.open();
    assert.equal((await store.versions("memory")).get("a.md")?.version, "9");
    assert.deepEqual(await search(store, ["beta"]), ["alpha beta"]);
    assert.equal(await store.readFact("last"), "sync");
    assert.equal((await store.documentFrequencies(["alpha"])).get("alpha"), 1);
  });

  check("shows every handle what another has committed", async (first, fixture) => {
    await using second = await fixture.open();
    await first.put([document("a.md", ["alpha"])], "cut-1");
    assert.deepEqual(await search(second, ["alpha"]), ["alpha"]);
    assert.equal((await second.documentFrequencies(["alpha"])).get("alpha"), 1);
    await second.put([document("a.md", ["beta"]), document("b.md", ["alpha alpha"])], "cut-1");
    await second.writeFact("by", "second");
    assert.deepEqual(await search(first, ["alpha", "beta"]).then((found) => found.sort()), [
      "alpha alpha",
      "beta",
    ]);
    assert.equal((await first.documentFrequencies(["alpha"])).get("alpha"), 1);
    assert.equal(await first.readFact("by"), "second");
    assert.equal((await first.versions("memory")).get("b.md")?.version, "1");
    await second.touch("memory", new Map([["b.md", "2"]]));
    assert.equal((await first.versions("memory")).get("b.md")?.version, "2");
    assert.equal((await first.stats()).files, 2);
    await second.remove("memory", ["a.md", "b.md"]);
    assert.equal((await first.versions("memory")).size, 0);
    assert.equal((await first.stats()).files, 0);
  });

  check("never shows half a document while it is written", async (store, fixture) => {
    await using other = await fixture.open();
    const versionOf = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word} number${index}`);
    await store.put([document("a.md", versionOf("old"))], "cut-1");
    let isWriting = true;
    const writing = store.put([document("a.md", versionOf("new"))], "cut-1").then(() => {
      isWriting = false;
    });
    let looks = 0;
    do {
      for (const reader of [store, other]) {
        const found = await reader.chunksOf("memory", "a.md");
        const words = new Set(found.map((chunk) => chunk.text.split(" ")[0]));
        assert.equal(found.length, 2000);
        assert.equal(words.size, 1);
      }
      looks++;
      await setImmediate();
    } while (isWriting);
    await writing;
    assert.ok(looks > 0);
    assert.equal((await store.documentFrequencies(["new"])).get("new"), 2000);
    assert.equal((await other.documentFrequencies(["old"])).get("old"), 0);
  });

  check("takes writes that come at the same time from several handles", async (first, fixture) => {
    await using second = await fixture.open();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? first : second).put([document(`${index}.md`, [`shared own${index}`])], "cut-1"),
      ),
    );
    for (const store of [first, second]) {
      assert.equal((await store.stats()).files, 40);
      assert.equal((await store.documentFrequencies(["shared"])).get("shared"), 40);
    }
  });

  it("finishes the running write when it is closed", async () => {
    await using fixture = await create();
    const store = await fixture.open();
    const many = Array.from({ length: 1500 }, (_, index) => `word${index}`);
    const writing = store.put([document("a.md", many)], "cut-1");
    await Promise.all([writing, store[Symbol.asyncDispose]()]);
    await using again = await fixture.open();
    assert.equal((await again.stats()).chunks, 1500);
    await assert.rejects(store.versions("memory"), "a closed store does not answer");
  });
}
