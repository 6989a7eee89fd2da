import assert from "node:assert/strict";
import { test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { ChunkFilter } from "../store.ts";

test("a filter that was used before sees documents that came, changed or went since", async (t) => {
  await using store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const put = async (path: string, date: string) => {
    const { document: made, chunks } = document(path, ["fig"], date);
    await store.put([{ document: { ...made, date }, chunks }], "cut-1");
  };
  const find = async (filter: ChunkFilter) => {
    const ids = await store.byKeyword(["fig"], { limit: 100, filter });
    return (await store.chunks(ids)).map(({ path }) => path).sort();
  };
  const spring = { since: "2026-03-01", until: "2026-05-31" };
  await put("march.md", "2026-03-10");
  await put("june.md", "2026-06-10");
  assert.deepEqual(await find(spring), ["march.md"]);
  await put("april.md", "2026-04-10");
  assert.deepEqual(await find(spring), ["april.md", "march.md"]);
  // More filters than are remembered.
  for (let day = 10; day < 30; day++) {
    const since = `2026-04-${day}`;
    assert.deepEqual(await find({ since }), day === 10 ? ["april.md", "june.md"] : ["june.md"]);
  }
  assert.deepEqual(await find(spring), ["april.md", "march.md"]);
  await put("march.md", "2026-07-10");
  await store.remove("memory", ["june.md"]);
  assert.deepEqual(await find(spring), ["april.md"]);
  assert.deepEqual(await find({ since: "2026-06-01" }), ["march.md"]);
});
