import assert from "node:assert/strict";
import { test } from "node:test";
import { cite, showsCitations } from "./location.ts";

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
