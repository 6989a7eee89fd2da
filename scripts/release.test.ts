import assert from "node:assert/strict";
import { test } from "node:test";
import { sbomOfBundled } from "./bundled-packages.ts";
import { isPermissive, licenceTexts, packagesListed, packagesOf } from "./licences.ts";
import { changesOf, nextVersion, releaseChanges } from "./release-notes.ts";

const changelog = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- First.\n";

test("The next version is the requested one, and never an older one", () => {
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

test("A package with a choice of licences is permissive if one of them is", () => {
  assert.equal(isPermissive("MIT"), true);
  assert.equal(isPermissive("(MPL-2.0 OR Apache-2.0)"), true);
  assert.equal(isPermissive("(MIT AND GPL-3.0)"), false);
  assert.equal(isPermissive(""), false);
});

test("Licence texts list the packages that they belong to", () => {
  const listed = packagesListed(licenceTexts(["yaml", "@hono/node-server"]));
  assert.deepEqual(
    listed.map((each) => each.replace(/@[\d.]+$/, "")),
    ["@hono/node-server", "yaml"],
  );
  for (const each of listed) assert.match(each, /@\d+\.\d+\.\d+$/);
});

test("The SBOM lists what is bundled and nothing that development needs", () => {
  const component = (ref: string) => ({ "bom-ref": ref, properties: [{ name: "development" }] });
  const all = {
    metadata: { component: component("longhand@1.0.0") },
    components: ["a@1.0.0", "b@2.0.0", "lint@3.0.0", "a@0.9.0"].map(component),
    dependencies: [
      { ref: "longhand@1.0.0", dependsOn: ["a@1.0.0", "lint@3.0.0"] },
      { ref: "a@1.0.0", dependsOn: ["b@2.0.0"] },
      { ref: "b@2.0.0" },
      { ref: "lint@3.0.0", dependsOn: ["a@0.9.0"] },
    ],
  };
  const { components, dependencies } = sbomOfBundled(all, ["a@1.0.0", "b@2.0.0"]);
  assert.deepEqual(components, [{ "bom-ref": "a@1.0.0" }, { "bom-ref": "b@2.0.0" }]);
  assert.deepEqual(dependencies, [
    { ref: "longhand@1.0.0", dependsOn: ["a@1.0.0"] },
    { ref: "a@1.0.0", dependsOn: ["b@2.0.0"] },
    { ref: "b@2.0.0", dependsOn: [] },
  ]);
  assert.throws(() => sbomOfBundled(all, ["unknown@1.0.0"]), /unknown@1\.0\.0/);
});
