import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { test } from "node:test";
import { isWindows } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { locateHosts } from "../config/host-locations.ts";
import { probeProgram } from "./probe-program.ts";

const file = isWindows ? "longhand.cmd" : "longhand";
const scriptFor = (version: string) =>
  isWindows ? `@echo longhand ${version}\r\n` : `#!/bin/sh\necho longhand ${version}\n`;

test("a program is looked for on the PATH, never in the folder of the project", async (t) => {
  const folder = makeTemporaryFolder(t);
  chmodSync(folder.write(`my bin/${file}`, scriptFor("1.2.3")), 0o755);
  chmodSync(folder.write(`clone/${file}`, scriptFor("6.6.6")), 0o755);
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(folder.at("clone"));
  const found = locateHosts({ ...process.env, PATH: folder.at("my bin") });
  assert.deepEqual(await probeProgram(["longhand"], found), { version: "1.2.3" });
  const missing = locateHosts({ ...process.env, PATH: folder.makeFolder("empty") });
  assert.deepEqual(await probeProgram(["longhand"], missing), { problem: "it is not on the PATH" });
});
