import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { statSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { skipWithoutLinks, skipWithoutModes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { openToken } from "./token.ts";

test("A token is created once, stays the same, and only its owner can read it", (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("state/http-token");
  const token = openToken(path);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(openToken(path), token);
  if (!skipWithoutModes) assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("A token file that others could read is restricted to its owner", { skip: skipWithoutModes }, (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.write("http-token", "a-token-that-was-chosen\n");
  assert.equal(openToken(path), "a-token-that-was-chosen");
  if (!skipWithoutModes) assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("A link, a folder or a token that is too short is refused, and the message does not contain the token", (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("elsewhere", "a-token-that-was-chosen\n");
  const links = skipWithoutLinks ? [] : [folder.at("link")];
  for (const link of links) symlinkSync(folder.at("elsewhere"), link);
  for (const path of [...links, folder.makeFolder("folder"), folder.write("short", "guess")]) {
    assert.throws(() => openToken(path), { code: "token-unusable", message: /^(?!.*guess)/ });
  }
});

test("Many processes that start at once share one token, even without hard links", async (t) => {
  const path = makeTemporaryFolder(t).at("state/http-token");
  const source = `import { openToken } from ${JSON.stringify(new URL("token.ts", import.meta.url).href)};
    process.stdout.write(openToken(process.argv[1]));`;
  const processes = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", source, path]),
  );
  const tokens = (await Promise.all(processes)).map(({ stdout }) => stdout);
  assert.deepEqual([...new Set(tokens)], [openToken(path)]);
});
