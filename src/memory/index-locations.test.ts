import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { readIndexLocations } from "./index-locations.ts";

test("Processes that use new locations at the same time record all of them", async (t) => {
  const stateDir = makeTemporaryFolder(t).dir;
  const perProcess = 40;
  const writers = ["a", "b", "c"];
  const code = (name: string) => `
    import { rememberIndexLocation } from ${moduleUrl("index-locations.ts")};
    import { withFileLock } from ${moduleUrl("../stores/lock.ts")};
    const withLock = (file, work) => withFileLock(file + ".lock", {}, work);
    for (let n = 0; n < ${perProcess}; n++)
      await rememberIndexLocation(${JSON.stringify({ stateDir, agentId: "main" })}, { driver: "sqlite", place: "/${name}/" + n }, withLock);`;
  const run = promisify(execFile);
  await Promise.all(
    writers.map((name) => run(process.execPath, ["--input-type=module", "--eval", code(name)])),
  );
  const known = readIndexLocations({ stateDir, agentId: "main" });
  assert.equal(known.length, writers.length * perProcess);
});

function moduleUrl(path: string): string {
  return JSON.stringify(pathToFileURL(join(import.meta.dirname, path)));
}
