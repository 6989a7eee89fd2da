import assert from "node:assert/strict";
import { test } from "node:test";
import { createMask } from "./mask.ts";

test("A known secret is masked in every encoding, the longest first", () => {
  const secret = 'p"ss/wörd';
  const mask = createMask([secret, "p", `${secret}-and-more`]);
  const spelled = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
  ];
  for (const text of spelled) assert.ok(mask(`<${text}>`).replaceAll('"', "") === "<[secret]>", mask(text));
  assert.equal(mask(`${secret}-and-more`), "[secret]");
  assert.equal(mask("a simple sentence"), "a simple sentence");
});

test("A likely key is masked even if no setting names it", () => {
  const mask = createMask([]);
  for (const key of ["sk-proj-abcdefgh1234ABCD5678efgh", "AIzaSyA1234567890abcdefghijklmnopqrstuv"]) {
    assert.equal(mask(`given: ${key}.`).includes(key), false);
  }
});
