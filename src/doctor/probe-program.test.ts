import assert from "node:assert/strict";
import { test } from "node:test";
import { writeProgram } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { locateHosts } from "../config/host-locations.ts";
import { probeProgram } from "./probe-program.ts";

test("a program is looked up on the PATH, never in the project's folder", async (t) => {
  const folder = makeTemporaryFolder(t);
  for (const [name, version] of Object.entries({ "my bin": "1.2.3", clone: "6.6.6" })) {
    const echo = `echo longhand ${version}`;
    writeProgram(folder.makeFolder(name), "longhand", { sh: echo, cmd: echo });
  }
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(folder.at("clone"));
  const found = locateHosts({ ...process.env, PATH: folder.at("my bin") });
  assert.deepEqual(await probeProgram(["longhand"], found), { version: "1.2.3" });
  const missing = locateHosts({ ...process.env, PATH: folder.makeFolder("empty") });
  assert.deepEqual(await probeProgram(["longhand"], missing), { problem: "it is not on the PATH" });
});
