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

test("A quarter of a group may be written early, and less is not", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("a.sqlite"));
  const sizes: number[] = [];
  const put: FullStore["put"] = async (documents) => {
    sizes.push(documents.length);
    return [];
  };
  const group = createGroup({ ...store, put }, { source: "memory", chunkerId: "cut", asOf: undefined });
  for (let number = 1; number <= 130; number++) {
    await group.put(document(`${number}.md`, ["pear"]));
    await group.flushEarly();
  }
  assert.deepEqual(sizes, [64, 64]);
  await group.flush();
  assert.deepEqual(sizes, [64, 64, 2]);
});

test("New versions of unchanged documents are written in groups, too, and those refused are named once", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("a.sqlite"));
  const sizes: number[] = [];
  const touch: FullStore["touch"] = async (_source, versions) => {
    sizes.push(versions.size);
    return versions.has("7.md") ? ["7.md"] : [];
  };
  const group = createGroup({ ...store, touch }, { source: "memory", chunkerId: "cut", asOf: undefined });
  for (let number = 0; number < 1500; number++) await group.touch(`${number}.md`, "2");
  assert.deepEqual(sizes, [1024]);
  await group.flushTouched();
  await group.flush();
  assert.deepEqual(sizes, [1024, 476]);
  assert.deepEqual(group.takeRefused(), ["7.md"]);
  assert.deepEqual(group.takeRefused(), []);
});

test("A group ends when it has much text, and before the next part of a document that is in it", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("a.sqlite"));
  const groups: string[][] = [];
  const put: FullStore["put"] = async (documents) => {
    groups.push(documents.map(({ document: { path } }) => path));
    return [{ path: "refused.md" }] as never;
  };
  const parts = { source: "memory" as const, chunkerId: "cut", asOf: undefined };
  const group = createGroup({ ...store, put }, parts);
  const partOf = (path: string) => {
    const { document: whole, chunks } = document(path, ["pear"]);
    return { document: { ...whole, part: { firstLine: 1, isLast: false } }, chunks };
  };
  await group.put(document("a.md", ["x".repeat(2 * 1024 * 1024)]));
  await group.put(document("b.md", ["pear"]));
  await group.put(document("b.md", ["plum"]));
  await group.put(partOf("c.md"));
  await group.put(partOf("d.md"));
  await group.put(partOf("c.md"));
  await group.flush();
  assert.deepEqual(groups, [["a.md"], ["b.md", "b.md", "c.md", "d.md"], ["c.md"]]);
  assert.deepEqual(group.takeRefused(), ["refused.md"]);
});

test("The size of a group is exact, begins anew with each, and nothing is written for none", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("a.sqlite"));
  const sizes: number[] = [];
  const put: FullStore["put"] = async (documents) => {
    sizes.push(documents.length);
    return [];
  };
  const touch: FullStore["touch"] = async () => assert.fail("nothing is to be touched");
  const parts = { source: "memory" as const, chunkerId: "cut", asOf: undefined };
  const group = createGroup({ ...store, put, touch, groupBytes: 80_000 }, parts);
  const add = (chars: number) => group.put(document("a.md", ["x".repeat(chars)]));
  await group.flush();
  assert.deepEqual(sizes, []);
  for (const round of [1, 2]) {
    await add(40_000);
    await add(39_999);
    assert.equal(sizes.length, round - 1);
    await add(1);
    assert.equal(sizes.length, round);
  }
  assert.deepEqual(sizes, [3, 3]);
});
