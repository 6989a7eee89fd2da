import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { readCoverage } from "./coverage.ts";

test("Code that a process ran is distinguished from code that it only loaded", (t) => {
  const folder = makeTemporaryFolder(t);
  const source =
    "function f(a: number) { return a > 1 ? used() : unused(); }\nfunction used() {} function unused() {}\nf(2);\n";
  folder.write("a.ts", source);
  execFileSync(process.execPath, [folder.at("a.ts")], {
    env: { ...process.env, NODE_V8_COVERAGE: folder.at("coverage") },
  });
  const url = pathToFileURL(folder.at("a.ts")).href;
  const hasRun = readCoverage(folder.at("coverage"), (each) => each === url);
  assert.deepEqual(
    ["a > 1", "used()", "unused()", "f(2)"].map((text) => hasRun(url, source.indexOf(text))),
    [true, true, false, true],
  );
  assert.equal(hasRun(`${url}.other`, 0), false);
});
