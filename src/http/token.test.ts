import assert from "node:assert/strict";
import { statSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { openToken } from "./token.ts";

test("A token is made once, stays the same, and only its owner can read it", (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("state/http-token");
  const token = openToken(path);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(openToken(path), token);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("A file that others could read is closed to them", (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.write("http-token", "a-token-that-was-chosen\n");
  assert.equal(openToken(path), "a-token-that-was-chosen");
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("A link, a folder or a text that is too short is refused, and the token is not in the message", (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("elsewhere", "a-token-that-was-chosen\n");
  symlinkSync(folder.at("elsewhere"), folder.at("link"));
  for (const path of [folder.at("link"), folder.makeFolder("folder"), folder.write("short", "guess")]) {
    assert.throws(() => openToken(path), { code: "token-unusable", message: /^(?!.*guess)/ });
  }
});
