/**
 * `npm run mutants`: do the tests notice when the code is wrong? Changes one thing in one source file at a time, as Node
 * loads it, and runs the tests that reach the file, the nearest first. What no test notices is printed.
 *
 * `--only PATH` (may be repeated) takes some folders or files below src/, `--count N` so many mutants, `--seed N` others
 * of them, `--tests N` the most test files for each.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { readModules } from "../support/source-modules.ts";
import { findMutants } from "./find-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { nearestTests } from "./nearest-tests.ts";

const root = join(import.meta.dirname, "..", "..");
const folders = ["text", "search", "sync", "notes", "stores/sqlite"];
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: folders },
    count: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "12" },
  },
});

/** A mutant that makes a test wait for ever is noticed as well. */
const hangMs = 300_000;

const modules = await readModules(join(root, "src"));
const chosen = modules
  .map(({ path }) => path)
  .filter((path) => !/\.(?:test|contract)\.ts$/.test(path) && values.only.some((each) => isIn(path, each)))
  .flatMap((path) =>
    findMutants(readFileSync(join(root, "src", path), "utf8")).map((mutant) => ({ path, mutant })),
  )
  .map((each) => ({ ...each, place: placeOf(each) }))
  .sort((a, b) => (a.place < b.place ? -1 : 1))
  .slice(0, Number(values.count));

/** Tests that pass without a mutant, as they are run together. */
const sound = new Set<string>();

const began = performance.now();
let killed = 0;
for (const { path, mutant } of chosen) {
  const tests = nearestTests(modules, path, Number(values.tests));
  if (await isNoticed(path, mutant, tests)) killed += 1;
  else console.log(`src/${path}:${mutant.line}  ${mutant.change}  (${tests.length} test files)`);
}
const seconds = Math.round((performance.now() - began) / 1000);
const share = Math.round((100 * killed) / Math.max(1, chosen.length));
console.log(`${killed} of ${chosen.length} mutants noticed, ${share} %, in ${seconds} s`);

/** At random, but the same for a mutant whatever else changes. */
function placeOf({ path, mutant }: { path: string; mutant: Mutant }): string {
  return createHash("sha256").update(`${values.seed} ${path} ${mutant.line} ${mutant.change}`).digest("hex");
}

function isIn(path: string, wanted: string): boolean {
  const name = wanted.replace(/^src\//, "").replace(/\/$/, "");
  return path === name || path.startsWith(`${name}/`);
}

/** In two steps: most mutants are noticed by the nearest tests, which take a second. */
async function isNoticed(path: string, mutant: Mutant, tests: readonly string[]): Promise<boolean> {
  for (const some of [tests.slice(0, 3), tests.slice(3)]) {
    if (some.length === 0) continue;
    await refuseFailing(some);
    if (!(await passes(some, { path, mutant }))) return true;
  }
  return false;
}

/** Tests that fail as it is would notice everything. */
async function refuseFailing(tests: readonly string[]): Promise<void> {
  const key = tests.join(" ");
  if (sound.has(key)) return;
  if (!(await passes(tests))) throw new Error(`These tests fail without any mutant: ${key}`);
  sound.add(key);
}

function passes(tests: readonly string[], mutated?: { path: string; mutant: Mutant }): Promise<boolean> {
  const files = tests.map((name) => join(root, "src", name));
  const run = spawn(process.execPath, ["--test", "--test-isolation=none", ...files], {
    cwd: root,
    stdio: "ignore",
    timeout: hangMs,
    killSignal: "SIGKILL",
    env: { ...process.env, ...(mutated && mutatedEnvironment(mutated)) },
  });
  return new Promise((resolve, reject) => {
    run.on("error", reject);
    run.on("exit", (code) => resolve(code === 0));
  });
}

/** Tests that start processes of their own see the mutant as well. */
function mutatedEnvironment({ path, mutant }: { path: string; mutant: Mutant }): Record<string, string> {
  const url = pathToFileURL(join(root, "src", path)).href;
  const loader = pathToFileURL(join(import.meta.dirname, "load-mutant.ts")).href;
  return { LONGHAND_MUTANT: JSON.stringify({ url, mutant }), NODE_OPTIONS: `--import=${loader}` };
}
