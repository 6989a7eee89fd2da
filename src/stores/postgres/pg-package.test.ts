import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPg } from "./pg-package.ts";

test("A missing package is one error that says how to install it", async () => {
  await assert.rejects(loadPg("pg-that-is-not-there"), {
    code: "dependency-missing",
    message: 'store.driver "postgres" needs the package pg-that-is-not-there, which is not installed.',
    hint: /npm install pg-that-is-not-there/,
  });
});
