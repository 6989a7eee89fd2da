import assert from "node:assert/strict";
import { test } from "node:test";
import { loadLance } from "./lance-package.ts";

test("A missing package is one error that names who needs it and how to install it", async () => {
  await assert.rejects(loadLance({ user: "memory_store", packageName: "@lancedb/not-there" }), {
    code: "dependency-missing",
    message: "memory_store needs the package @lancedb/not-there, which is not installed.",
    hint: /npm install @lancedb\/not-there/,
  });
});
