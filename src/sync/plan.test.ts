import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import type { Listing, SkipReason } from "../sources/source.ts";
import type { IndexedVersion } from "../stores/store.ts";
import { planSync } from "./plan.ts";

const listing = (versions: Record<string, string>, rest: Partial<Listing> = {}): Listing => ({
  entries: Object.entries(versions).map(([path, version]) => ({ path, version })),
  skipped: [],
  ...rest,
});
const known = (versions: Record<string, string>, chunker = "c1"): Map<string, IndexedVersion> =>
  new Map(Object.entries(versions).map(([path, version]) => [path, { version, hash: "h", chunker }]));
const options = { chunkerId: "c1", force: false };
const paths = (entries: readonly { path: string }[]): string[] => entries.map(({ path }) => path);

suite("planSync", () => {
  test("distinguishes added, changed, vanished and unchanged documents", () => {
    const plan = planSync(
      listing({ new: "1", same: "1", other: "2" }),
      known({ same: "1", other: "1", old: "1" }),
      options,
    );
    assert.deepEqual(paths(plan.added), ["new"]);
    assert.deepEqual(paths(plan.changed), ["other"]);
    assert.deepEqual(plan.vanished, ["old"]);
    assert.equal(plan.unchanged, 1);
  });

  test("treats a document of another chunker as changed", () => {
    assert.deepEqual(paths(planSync(listing({ a: "1" }), known({ a: "1" }, "c0"), options).changed), ["a"]);
  });

  test("treats everything as changed when forced", () => {
    const plan = planSync(listing({ a: "1", b: "1" }), known({ a: "1", b: "1" }), {
      ...options,
      force: true,
    });
    assert.deepEqual(paths(plan.changed), ["a", "b"]);
  });

  test("reports nothing as missing below a folder that could not be read, only elsewhere", () => {
    for (const reason of ["unreadable", "missing"] as const) {
      const skipped = [{ path: "extra/0", reason }];
      const before = known({ "extra/0/a.md": "1", "extra/0b/a.md": "1", "memory/a.md": "1" });
      const plan = planSync(listing({}, { skipped }), before, options);
      assert.deepEqual(plan.vanished, ["extra/0b/a.md", "memory/a.md"]);
      assert.deepEqual(plan.removed, []);
      const all = planSync(listing({}, { skipped: [{ path: "", reason }] }), before, options);
      assert.deepEqual(all.vanished, []);
    }
  });

  const reasons: [SkipReason, "removed" | "unreadable" | "none of them"][] = [
    ["symlink", "removed"],
    ["too-large", "removed"],
    ["binary", "removed"],
    ["excluded", "removed"],
    ["not-a-file", "removed"],
    ["duplicate", "removed"],
    ["unreadable", "unreadable"],
    ["missing", "none of them"],
  ];
  for (const [reason, where] of reasons) {
    test(`puts a known document that was skipped as ${reason} under ${where}`, () => {
      const plan = planSync(listing({}, { skipped: [{ path: "a", reason }] }), known({ a: "1" }), options);
      const found = { removed: plan.removed, vanished: plan.vanished, unreadable: paths(plan.unreadable) };
      const expected = where === "none of them" ? {} : { [where]: ["a"] };
      assert.deepEqual(found, { removed: [], vanished: [], unreadable: [], ...expected });
    });
  }

  test("puts every document into exactly one category", () => {
    const versions = fc.dictionary(fc.constantFrom(..."abcdefgh"), fc.constantFrom("1", "2"));
    fc.assert(
      fc.property(versions, versions, fc.boolean(), (here, before, force) => {
        const plan = planSync(listing(here), known(before), { chunkerId: "c1", force });
        const fresh = Object.keys(here).filter((path) => !(path in before));
        const both = Object.keys(here).filter((path) => path in before);
        const changed = both.filter((path) => force || here[path] !== before[path]);
        assert.deepEqual(paths(plan.added), fresh);
        assert.deepEqual(paths(plan.changed), changed);
        assert.equal(plan.unchanged, both.length - changed.length);
        const gone = Object.keys(before).filter((path) => !(path in here));
        assert.deepEqual(plan.vanished, gone);
      }),
      { seed: 20260101, numRuns: 500 },
    );
  });
});
