import assert from "node:assert/strict";
import { rmSync, utimesSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../test/support/temporary-folder.ts";
import { isStale } from "./fresh-build.ts";

test("a build is stale if an output is missing or a source has changed", (t) => {
  const folder = makeTemporaryFolder(t);
  const paths = { sources: ["src"], products: ["dist/a.js", "dist/a.d.ts"] };
  const stale = () => isStale(folder.dir, paths);
  const touch = (name: string, seconds: number) => utimesSync(folder.at(name), seconds, seconds);
  for (const name of ["src/deep/a.ts", "src/a.test.ts", "dist/a.js"]) folder.write(name, "");
  const atRest = () => {
    for (const name of ["src/deep/a.ts", "src/deep", "src", "src/a.test.ts"]) touch(name, 100);
    for (const name of ["dist/a.js", "dist/a.d.ts"]) touch(name, 200);
  };
  assert.equal(stale(), true, "without types");
  folder.write("dist/a.d.ts", "");
  atRest();
  assert.equal(stale(), false);

  touch("src/deep/a.ts", 300);
  assert.equal(stale(), true, "a source has changed");
  atRest();
  touch("src/a.test.ts", 300);
  assert.equal(stale(), false, "a test is not a source");
  rmSync(folder.at("src/deep/a.ts"));
  assert.equal(stale(), true, "a source is gone");
});
