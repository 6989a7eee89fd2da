import assert from "node:assert/strict";
import { test } from "node:test";
import { toConnectionUrl } from "./connection-url.ts";

test("A connection that is to be encrypted is checked, and only who asks for libpq's rules gets those", () => {
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
