/**
 * `npm run mutants`: do the tests notice when the code is wrong? Changes one thing in one source file at a time, as Node
 * loads it, and runs the tests that reach the file, the nearest first. What no test notices is printed.
 *
 * `--only PATH` (may be repeated) selects folders, files or lines (`sync/plan.ts:40`) below src/, `--count N` the number
 * of mutants in each, `--seed N` another sample, `--tests N` the maximum number of test files per mutant.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { tierOf } from "../../scripts/test-tiers.ts";
import { parseModule } from "../support/source-modules.ts";
import { findMutants } from "./find-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { nearestTests } from "./nearest-tests.ts";

interface Candidate {
  /** Relative to the root. */
  readonly path: string;
  readonly mutant: Mutant;
}

const root = join(import.meta.dirname, "..", "..");
const gate = "quality/gate.test.ts";
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: ["text", "search", "sync", "notes", "stores/sqlite"] },
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "6" },
  },
});

const modules = globSync(["{src,test/support}/**/*.ts", "test/*.test.ts"], { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => parseModule(path, readFileSync(join(root, path), "utf8")));

/** What waits for ever; on a busy machine, raise the factor. */
const hangMs = 120_000 * Number(process.env["LONGHAND_TEST_TIME_FACTOR"] || 1);

/** What loops for ever: far more time of a processor than tests need, however busy the machine is. */
const loopSeconds = "60";

/** Tests that pass without a mutant. */
const sound = new Set<string>();

const total = { noticed: 0, all: 0 };
for (const name of values.only) {
  const candidates = choose(`src/${name.replace(/^src\//, "").replace(/\/$/, "")}`);
  let noticed = 0;
  for (const candidate of candidates) {
    if (await isNoticed(candidate)) noticed += 1;
    else console.log(`${candidate.path}:${candidate.mutant.line}  ${candidate.mutant.change}`);
  }
  report(name, noticed, candidates.length);
  total.noticed += noticed;
  total.all += candidates.length;
}
if (values.only.length > 1) report("all", total.noticed, total.all);

function choose(name: string): Candidate[] {
  const [, wanted, line] = /^(.*?)(?::(\d+))?$/.exec(name)!;
  return modules
    .map(({ path }) => path)
    .filter((path) => path === wanted || path.startsWith(`${wanted}/`))
    .filter((path) => !/\.(?:test|contract)\.ts$/.test(path))
    .flatMap((path) =>
      findMutants(readFileSync(join(root, path), "utf8")).map((mutant) => ({ path, mutant })),
    )
    .filter(({ mutant }) => line === undefined || mutant.line === Number(line))
    .map((candidate) => ({ candidate, rank: rankOf(candidate) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, Number(values.count))
    .map(({ candidate }) => candidate);
}

/**
 * The nearest tests; then, if they notice nothing, as many others; last the gate that every change of ranking passes.
 * Tests that start processes take ten times as long, so only the nearest two of them are run.
 */
function testsOf(path: string): readonly (readonly string[])[] {
  const tests = nearestTests(modules, path);
  const isSlow = (test: string) => tierOf(test, readFileSync(join(root, test), "utf8")) !== "unit";
  const quick = tests.filter((test) => !isSlow(test));
  const count = Number(values.tests);
  const slow = tests.filter(isSlow).slice(0, 2);
  const isRanking = /^src\/(?:text|search|facts)\//.test(path);
  return [quick.slice(0, count), [...quick.slice(count, 2 * count), ...slow], isRanking ? [gate] : []];
}

/** At random, but the same for a mutant whatever changes in other files. */
function rankOf({ path, mutant: { start, change } }: Candidate): string {
  return createHash("sha256").update(`${values.seed} ${path} ${start} ${change}`).digest("hex");
}

/** A mutant that makes a test wait for ever is noticed as well. */
async function isNoticed(candidate: Candidate): Promise<boolean> {
  for (const tests of testsOf(candidate.path).filter(({ length }) => length > 0)) {
    const failing = await findFailing(tests, mutatedEnvironment(candidate));
    if (failing.length === 0) continue;
    await refuseFailing(failing);
    return true;
  }
  return false;
}

/** Tests that fail as it is would notice everything. */
async function refuseFailing(tests: readonly string[]): Promise<void> {
  const key = tests.join(" ");
  if (sound.has(key)) return;
  if ((await findFailing(tests)).length > 0) throw new Error(`These tests fail without any mutant: ${key}`);
  sound.add(key);
}

/** The first test file that fails, or all of them if they hang or break; none if they pass. */
function findFailing(
  tests: readonly string[],
  environment: Record<string, string> = {},
): Promise<readonly string[]> {
  const files = tests.map((name) => join(root, name));
  // Tests that are stopped leave folders and processes behind.
  const temporary = mkdtempSync(join(tmpdir(), "longhand-mutant-"));
  // Some tests act as an ordinary user.
  chmodSync(temporary, 0o777);
  const node = [process.execPath, "--test", "--test-isolation=none", "--test-reporter=tap", ...files];
  const run = spawn("sh", ["-c", 'ulimit -t "$0" && exec "$@"', loopSeconds, ...node], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
    env: {
      NODE_COMPILE_CACHE: join(root, "node_modules/.cache/longhand-tests"),
      ...process.env,
      TMPDIR: temporary,
      ...environment,
    },
  });
  const endGroup = () => {
    try {
      process.kill(-run.pid!, "SIGKILL");
    } catch {
      // All of them have ended.
    }
  };
  const timer = setTimeout(endGroup, hangMs);
  let output = "";
  let failing: string | undefined;
  run.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    failing ??= /^ *not ok [\s\S]*?^ *location: '(?<file>.+):\d+:\d+'$/m.exec(output)?.groups?.["file"];
    if (failing !== undefined) endGroup();
  });
  return new Promise((resolve, reject) => {
    run.on("error", reject);
    run.on("exit", endGroup);
    run.on("close", (code) => {
      clearTimeout(timer);
      rmSync(temporary, { recursive: true, force: true });
      const named = tests.filter((_, at) => files[at] === failing);
      resolve(code === 0 ? [] : named.length > 0 ? named : tests);
    });
  });
}

/** Tests that start processes of their own see the mutant as well. */
function mutatedEnvironment({ path, mutant }: Candidate): Record<string, string> {
  const url = pathToFileURL(join(root, path)).href;
  const loader = pathToFileURL(join(import.meta.dirname, "load-mutant.ts")).href;
  return { LONGHAND_MUTANT: JSON.stringify({ url, mutant }), NODE_OPTIONS: `--import=${loader}` };
}

function report(name: string, noticed: number, all: number): void {
  const share = Math.round((100 * noticed) / Math.max(1, all));
  console.log(`${name}: ${noticed} of ${all} mutants noticed, ${share} %`);
}
