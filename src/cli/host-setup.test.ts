import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { lastingPath } from "./host-setup.ts";

test("Homebrew's Node is named by the link that updates keep", { skip: skipWithoutLinks }, (t) => {
  const folder = makeTemporaryFolder(t, {
    "Cellar/node@24/24.15.0/bin/node": "",
    "Cellar/node/26.0.0/bin/node": "",
    "Cellar/node/26.1.0/bin/node": "",
  });
  folder.makeFolder("opt");
  symlinkSync("../Cellar/node@24/24.15.0", folder.at("opt/node@24"));
  symlinkSync("../Cellar/node/26.1.0", folder.at("opt/node"));
  const node24 = folder.at("Cellar/node@24/24.15.0/bin/node");
  assert.equal(lastingPath(node24), folder.at("opt/node@24/bin/node"));
  for (const other of [
    folder.at("Cellar/node/26.0.0/bin/node"),
    folder.at("Cellar/none/1.0.0/bin/node"),
    "/usr/bin/node",
  ])
    assert.equal(lastingPath(other), other, "no link leads to it");
});
