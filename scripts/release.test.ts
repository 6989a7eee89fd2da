import assert from "node:assert/strict";
import { test } from "node:test";
import { packagesOf } from "./licences.ts";
import { changesOf, nextVersion, releaseChanges } from "./release-notes.ts";

const changelog = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- First.\n";

test("The next version is the one that was asked for, and never an older one", () => {
  assert.equal(nextVersion("0.1.9", "patch"), "0.1.10");
  assert.equal(nextVersion("0.1.9", "minor"), "0.2.0");
  assert.equal(nextVersion("0.1.9", "major"), "1.0.0");
  assert.equal(nextVersion("0.1.9", "0.1.10"), "0.1.10");
  assert.equal(nextVersion("0.10.0", "0.9.9"), null);
  assert.equal(nextVersion("0.1.9", "0.1.9"), null);
  assert.equal(nextVersion("0.1.9", "soon"), null);
});

test("A release takes the unreleased changes and leaves an empty section for the next ones", () => {
  const released = releaseChanges(changelog, "0.2.0", "2026-12-01")!;
  assert.equal(changesOf(released, "0.2.0"), "- New.");
  assert.equal(changesOf(released, "0.1.0"), "- First.");
  assert.match(released, /^## 0\.2\.0 \(2026-12-01\)$/m);
  assert.equal(releaseChanges(released, "0.3.0", "2026-12-02"), null);
  assert.equal(changesOf(released, "0.3.0"), null);
});

test("Bundled packages are found by their path, nested and scoped ones too", () => {
  const modules = [
    "/a/src/x.ts",
    "/a/node_modules/@b/c/d.js",
    "/a/node_modules/e/node_modules/f/g.js",
    "\0h",
  ];
  assert.deepEqual(packagesOf(modules), ["@b/c", "f"]);
});
