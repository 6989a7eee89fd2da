import assert from "node:assert/strict";
import { test } from "node:test";
import { readFilter } from "./filter.ts";
import type { SearchOptions } from "./search.ts";

test("An absent option does not filter", () => {
  assert.deepEqual(readFilter({}), {});
  assert.deepEqual(readFilter({ maxResults: 3, minScore: 0.5, explain: true }), {});
  assert.deepEqual(readFilter({ sessionKey: "agent:main:main" }), {});
});

test("Source, days, path and a shared session become a filter", () => {
  assert.deepEqual(
    readFilter({
      source: "memory",
      since: "2026-01-01",
      until: "2026-12-31",
      path: "memory/*.md",
      sessionKey: "agent:main:slack:channel:general",
    }),
    { source: "memory", since: "2026-01-01", until: "2026-12-31", pathGlob: "memory/*.md", sharedOnly: true },
  );
  assert.equal(readFilter({ since: "2024-02-29" }).since, "2024-02-29");
});

test("A period that ends before it begins is refused", () => {
  assert.throws(() => readFilter({ since: "2026-03-02", until: "2026-03-01" }), {
    code: "query-invalid",
    message: /since and until: 2026-03-02 comes after 2026-03-01/,
    hint: "Swap the two dates.",
  });
  const day = { since: "2026-03-01", until: "2026-03-01" };
  assert.deepEqual(readFilter(day), day);
});

test("A path outside the memory is refused, and one below the current folder is meant", () => {
  for (const path of ["..", "../x", "a/../b", "notes/..", "/etc/*", "C:/x", "c:x", ""]) {
    assert.throws(() => readFilter({ path }), { code: "query-invalid" }, path);
  }
  for (const path of ["...", "a..b/*", "..a/**", "memory/*.md"]) {
    assert.equal(readFilter({ path }).pathGlob, path);
  }
  assert.equal(readFilter({ path: "./memory/**" }).pathGlob, "memory/**");
  assert.equal(readFilter({ path: ".//./memory/**" }).pathGlob, "memory/**");
});

test("An invalid day or source is refused with the reason", () => {
  const days = [
    "",
    "today",
    "2026-13-01",
    "2026-00-10",
    "2026-02-30",
    "2023-02-29",
    "2026-1-1",
    "20260101",
    "2026-01-01T00:00",
    " 2026-01-01",
    "2026-01-99",
    "٢٠٢٦-٠١-٠١",
  ];
  for (const day of days) {
    for (const options of [{ since: day }, { until: day }]) {
      assert.throws(() => readFilter(options), { name: "LonghandError", code: "query-invalid" }, day);
    }
  }
  for (const source of ["notes", "", "Memory"]) {
    assert.throws(
      () => readFilter({ source } as unknown as SearchOptions),
      { code: "query-invalid" },
      source,
    );
  }
});
