import assert from "node:assert/strict";
import { test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { document } from "../stores/contract/fixture.ts";
import type { FullStore } from "../stores/store.ts";
import { createGroup } from "./group.ts";

test("Documents are written in groups as large as the store asks for, and all of them", async (t) => {
  const folder = makeTemporaryFolder(t);
  const sizesWith = async (name: string, wish: Pick<FullStore, "groupBytes">): Promise<number[]> => {
    await using store = await openAt(folder.at(name));
    const sizes: number[] = [];
    const asOf = await store.documentState();
    const put: FullStore["put"] = (documents, chunkerId, options) => {
      sizes.push(documents.length);
      return store.put(documents, chunkerId, options);
    };
    const group = createGroup({ ...store, ...wish, put }, { source: "memory", chunkerId: "cut", asOf });
    for (let number = 0; number < 600; number++) await group.put(document(`${number}.md`, ["pear"]));
    await group.flush();
    assert.equal((await store.stats()).files, 600);
    return sizes;
  };
  assert.deepEqual(await sizesWith("a.sqlite", {}), [256, 256, 88]);
  assert.deepEqual(await sizesWith("b.sqlite", { groupBytes: 8 * 1024 * 1024 }), [600]);
});
