import assert from "node:assert/strict";
import { matchesGlob } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { ChunkFilter } from "../store.ts";
import { prepareFileFilter } from "./file-filter.ts";

test("a cached filter sees documents that were added, changed or removed since", async (t) => {
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
  // More filters than are cached.
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

test("any filter gives the matching documents, as the shorter of the two lists", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const scopes = ["shared", "private"] as const;
  const dates = [undefined, "2026-01-01", "2026-01-02", "2026-01-03"];
  const files = Array.from({ length: 23 }, (_, number) => ({
    path: `${"ab"[number % 2]}/${number}.md`,
    source: number % 3 === 0 ? "sessions" : "memory",
    date: dates[number % 4],
    scope: scopes[number % 5 === 0 ? 1 : 0]!,
  }));
  {
    await using store = await openAt(path);
    for (const { date, ...file } of files) {
      const made = document(file.path, ["fig"]);
      const head = { ...made.document, ...file, ...(date && { date }) };
      await store.put([{ ...made, document: head }], "cut-1");
    }
  }
  using db = new DatabaseSync(path);
  const idOf = new Map(
    db
      .prepare("SELECT id, path FROM files")
      .all()
      .map((row) => [row["path"] as string, row["id"] as number]),
  );
  const select = prepareFileFilter(db, () => 1);
  const day = fc.constantFrom(undefined, "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04");
  const filter = fc.record({
    source: fc.constantFrom(undefined, "memory", "sessions", "other"),
    since: day,
    until: day,
    sharedOnly: fc.constantFrom(undefined, false, true),
    pathGlob: fc.constantFrom(undefined, "a/**", "*/1*.md", "none/*"),
    paths: fc.constantFrom(
      undefined,
      [],
      ["a/0.md", "b/1.md"],
      files.map((file) => file.path),
    ),
  });
  fc.assert(
    fc.property(filter, (asked) => {
      const { source, since, until, sharedOnly, pathGlob, paths } = asked;
      const isWanted = Object.values(asked).some((value) => value !== undefined && value !== false);
      const isInside = (file: (typeof files)[number]): boolean =>
        (source === undefined || file.source === source) &&
        (since === undefined || (file.date !== undefined && file.date >= since)) &&
        (until === undefined || (file.date !== undefined && file.date <= until)) &&
        (!sharedOnly || file.scope === "shared") &&
        (pathGlob === undefined || matchesGlob(file.path, pathGlob)) &&
        (paths === undefined || paths.includes(file.path));
      const found = files.filter(isInside);
      const isShort = found.length * 2 <= files.length;
      const listed = isShort ? found : files.filter((file) => !isInside(file));
      const ids = listed.map((file) => idOf.get(file.path)!).sort((a, b) => a - b);
      const selection = select(asked as ChunkFilter);
      const given = selection && { mode: selection.mode, ids: selection.ids.toSorted((a, b) => a - b) };
      assert.deepEqual(given, isWanted ? { mode: isShort ? "only" : "not", ids } : null);
    }),
    { seed: 7, numRuns: 400 },
  );
});

test("a selection is recomputed only after the index has changed", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  {
    await using store = await openAt(path);
    await store.put([document("a.md", ["fig"])], "cut-1");
  }
  using db = new DatabaseSync(path);
  let revision = 1;
  const select = prepareFileFilter(db, () => revision);
  const first = select({ source: "memory" });
  assert.equal(select({ source: "memory" }), first);
  revision = 2;
  assert.notEqual(select({ source: "memory" }), first);
});

test("sixteen selections are cached, and the next one clears the cache", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  {
    await using store = await openAt(path);
    await store.put([document("a.md", ["fig"])], "cut-1");
  }
  using db = new DatabaseSync(path);
  const select = prepareFileFilter(db, () => 1);
  const filters = Array.from({ length: 17 }, (_, day) => ({ since: `2026-01-${10 + day}` }));
  const sixteen = filters.slice(0, 16);
  const made = sixteen.map(select);
  assert.deepEqual(
    sixteen.map((filter, at) => select(filter) === made[at]),
    sixteen.map(() => true),
  );
  const last = select(filters[16]!);
  assert.equal(select(filters[16]!), last);
  assert.notEqual(select(filters[0]!), made[0]);
});

test("in an empty index no document matches", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await (await openAt(path)).versions("memory");
  using db = new DatabaseSync(path);
  const select = prepareFileFilter(db, () => 1);
  for (const filter of [{ source: "memory" }, { paths: ["a.md"] }, { sharedOnly: true }]) {
    const { mode, ids, keys } = select(filter)!;
    assert.deepEqual([mode, ids, keys()], ["only", [], new Set()]);
  }
  for (const filter of [undefined, {}, { sharedOnly: false }]) assert.equal(select(filter), null);
});
