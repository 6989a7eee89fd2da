import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LonghandError } from "../errors.ts";
import { cite, parseLocation, showsCitations } from "./location.ts";

for (const [text, location] of [
  ["MEMORY.md", { path: "MEMORY.md" }],
  ["memory/a.md:12", { path: "memory/a.md", from: 12 }],
  ["memory/a.md:12-15", { path: "memory/a.md", from: 12, to: 15 }],
  ["memory/a.md#L5", { path: "memory/a.md", from: 5, to: 5 }],
  ["memory/a.md#L5-L7", { path: "memory/a.md", from: 5, to: 7 }],
  ["memory/a.md#L5-7", { path: "memory/a.md", from: 5, to: 7 }],
  ["memory/Überblick 2.md:3", { path: "memory/Überblick 2.md", from: 3 }],
  ["memory/#L.md", { path: "memory/#L.md" }],
  ["a.md:", { path: "a.md:" }],
] as const) {
  test(`${text} is understood`, () => assert.deepEqual(parseLocation(text), location));
}

for (const text of ["a.md:0", "a.md:9-3", "a.md#L0", "a.md:99999999999999999999"]) {
  test(`${text} is refused as a usage error`, () => {
    assert.throws(
      () => parseLocation(text),
      (error) => error instanceof LonghandError && error.code === "usage",
    );
  });
}

test("any path with any range is parsed back into both", () => {
  const line = fc.integer({ min: 1, max: 1_000_000 });
  const path = fc.string({ minLength: 1 }).map((name) => `${name}.md`);
  fc.assert(
    fc.property(path, line, line, (name, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      assert.deepEqual(parseLocation(`${name}:${from}-${to}`), { path: name, from, to });
      assert.deepEqual(parseLocation(`${name}#L${from}-L${to}`), { path: name, from, to });
    }),
    { seed: 7 },
  );
});

test("A citation names one line or a range", () => {
  assert.equal(cite("MEMORY.md", 5, 5), "MEMORY.md#L5");
  assert.equal(cite("memory/2026-11-15.md", 5, 7), "memory/2026-11-15.md#L5-L7");
});

test("`auto` omits citations only in shared sessions", () => {
  for (const key of [undefined, "agent:main:main", "agent:main:direct:ada", "agent:main:cron:nightly"]) {
    assert.equal(showsCitations("auto", key), true, key ?? "no key");
  }
  for (const key of [
    "agent:main:telegram:group:42",
    "agent:main:slack:channel:general",
    "group",
    "x:channel:y",
  ]) {
    assert.equal(showsCitations("auto", key), false, key);
  }
});

test("`on` and `off` apply to every session", () => {
  for (const key of [undefined, "agent:main:main", "agent:main:slack:channel:general"]) {
    assert.equal(showsCitations("on", key), true);
    assert.equal(showsCitations("off", key), false);
  }
});
