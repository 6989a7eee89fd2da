import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPg, toConnectionUrl } from "./database.ts";

test("A missing package is one error that says how to install it", async () => {
  await assert.rejects(loadPg("pg-that-is-not-there"), {
    code: "dependency-missing",
    message: 'store.driver "postgres" needs the package pg-that-is-not-there, which is not installed.',
    hint: /npm install pg-that-is-not-there/,
  });
});

test("An encrypted connection is verified, unless the address asks for libpq's rules", () => {
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
    assert.equal(
      toConnectionUrl(`postgresql://u:p@h/d?a=1&sslmode=${mode}&b=2`),
      "postgresql://u:p@h/d?a=1&sslmode=verify-full&b=2",
    );
  }
  for (const query of [
    "",
    "?sslmode=disable",
    "?sslmode=no-verify",
    "?sslmode=require&uselibpqcompat=true",
  ]) {
    assert.equal(toConnectionUrl(`postgresql://u:p@h/d${query}`), `postgresql://u:p@h/d${query}`);
  }
});
