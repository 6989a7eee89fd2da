import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");

test("Every dependency has its reason on the page of decisions", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const page = readFileSync(join(root, "docs/decisions/2026-11-15-dependencies.md"), "utf8");
  const names = ["devDependencies", "peerDependencies"].flatMap((kind) => Object.keys(manifest[kind]));
  const isNamed = (name: string) =>
    [name, name.replace(/^@electric-sql\//, "")].some((each) => page.includes(`\`${each}\``));
  assert.deepEqual(
    names.filter((name) => !isNamed(name)),
    [],
  );
});
