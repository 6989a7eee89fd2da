import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { Secret, showAddress } from "./secret.ts";

test("a secret shows its text only on request", () => {
  const key = new Secret("sk-very-private");
  assert.equal(key.reveal(), "sk-very-private");
  const seen = [
    String(key),
    `${key}`,
    JSON.stringify({ key }),
    inspect({ key }, { showHidden: true, depth: 9 }),
    Object.values(key).join(),
  ];
  for (const text of seen) assert.doesNotMatch(text, /private/);
  assert.equal(`${key}`, "[secret]");
  assert.equal(JSON.stringify({ key }), '{"key":"[secret]"}');
  assert.equal(inspect(key), "[secret]");
});

test("an address is shown without user, password, query and fragment", () => {
  assert.equal(
    showAddress("postgres://ann:pw@db.example:5432/notes"),
    "postgres://[secret]@db.example:5432/notes",
  );
  assert.equal(showAddress("https://api.example/v1?key=abc#x"), "https://api.example/v1?[secret]");
  assert.equal(showAddress("https://api.example"), "https://api.example");
  assert.equal(showAddress("host=db password=pw"), "[secret]");
});
