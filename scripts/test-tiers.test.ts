import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listTests, tierOf, tiers } from "./test-tiers.ts";

const root = join(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");

test("every test file belongs to one tier", () => {
  const exclude = (name: string) => /^(?:node_modules|dist|\.git)$/.test(name);
  const present = globSync("**/*.test.*", { cwd: root, exclude }).map((file) => file.replaceAll("\\", "/"));
  assert.deepEqual(
    listTests().map(({ file }) => file),
    present.sort(),
  );
});

test("every tier has a command, and .ci/run runs it", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const ci = read(".ci/run");
  for (const tier of tiers.filter((each) => each !== "unit")) {
    assert.match(scripts[`test:${tier}`] ?? "", new RegExp(`^node scripts/run-tests\\.ts ${tier}\\b`));
    assert.match(ci, new RegExp(`npm run --silent test:${tier}\\b`));
  }
  assert.equal(scripts["test"], "node scripts/run-tests.ts");
  assert.match(ci, /npm ci && npm test\b/);
});

test("the tier of a file follows from its path and its imports", () => {
  const examples = [
    ["src/text/slug.test.ts", 'import { slug } from "./slug.ts";', "unit"],
    ["src/notes/append.test.ts", 'import { spawn } from "node:child_process";', "processes"],
    [
      "src/notes/read.test.ts",
      'import { openCliFixture } from "../../test/support/run-cli.ts";',
      "processes",
    ],
    ["test/watch.test.ts", 'import { startProgram } from "./support/child-process.ts";', "processes"],
    ["test/e2e/mcp.test.ts", "", "processes"],
    ["quality/fusion.test.ts", "", "quality"],
    ["quality/gate.test.ts", "", "unit"],
    ["test/page/page.test.ts", 'import { openCliFixture } from "../support/run-cli.ts";', "page"],
    ["test/faults/faults.test.ts", "", "faults"],
    ["src/stores/load.test.ts", 'const url = process.env["LONGHAND_TEST_POSTGRES_URL"];', "postgres"],
  ] as const;
  for (const [file, text, tier] of examples) assert.equal(tierOf(file, text), tier, file);
});
