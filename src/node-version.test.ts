import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { nodeVersionProblem } from "./node-version.ts";

test("package.json declares the range that is tried here", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.equal(manifest.engines.node, "^22.23.0 || >=24.15.0");
});

for (const version of ["22.23.0", "22.99.1", "24.15.0", "24.21.0", "25.0.0", "30.1.0"]) {
  test(`Node ${version} is accepted`, () => assert.equal(nodeVersionProblem(version), null));
}

for (const version of ["18.20.8", "20.19.2", "22.22.9", "23.11.0", "24.14.9"]) {
  test(`Node ${version} is refused in one plain sentence`, () => {
    assert.equal(
      nodeVersionProblem(version),
      `longhand needs Node 24.15 or newer, or Node 22 from 22.23 on; this is Node ${version}.`,
    );
  });
}
