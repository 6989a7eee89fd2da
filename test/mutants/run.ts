/**
 * `npm run mutants`: do the tests notice when the code is wrong? Changes one thing in one source file at a time, as Node
 * loads it, and runs the tests that run the changed code, the nearest first. What no test notices is printed.
 *
 * `--only PATH` (may be repeated) selects folders, files or lines (`sync/plan.ts:40`) below src/, `--count N` the number
 * of mutants in each, `--seed N` another sample, `--tests N` the maximum number of test files per mutant, `--jobs N`
 * the mutants at a time.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { programArguments } from "../../scripts/program-arguments.ts";
import { tierOf } from "../../scripts/test-tiers.ts";
import { parseModule } from "../support/source-modules.ts";
import { type HasRun, readCoverage } from "./coverage.ts";
import { findMutants } from "./find-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { nearestTests } from "./nearest-tests.ts";

interface Candidate {
  /** Relative to the root. */
  readonly path: string;
  readonly mutant: Mutant;
}

/** A test file without any mutant. */
interface Baseline {
  readonly hasRun: HasRun;
  readonly seconds: number;
}

interface TestRun {
  readonly environment: Record<string, string>;
  /** Of a processor. */
  readonly limitSeconds: number;
}

const root = join(import.meta.dirname, "..", "..");
const gate = "quality/gate.test.ts";
const { values } = programArguments(import.meta.filename, {
  options: {
    only: { type: "string", multiple: true, default: ["text", "search", "sync", "notes", "stores/sqlite"] },
    count: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "8" },
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});

const modules = globSync(["{src,test/support}/**/*.ts", "test/*.test.ts"], { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => parseModule(path, readFileSync(join(root, path), "utf8")));

/** What waits for ever; on a busy machine, raise the factor. */
const hangMs = 120_000 * Number(process.env["LONGHAND_TEST_TIME_FACTOR"] || 1);

const baselines = new Map<string, Promise<Baseline>>();

const total = { noticed: 0, all: 0 };
for (const name of values.only) {
  const candidates = choose(`src/${name.replace(/^src\//, "").replace(/\/$/, "")}`);
  const left = candidates.values();
  let noticed = 0;
  const work = async () => {
    for (const candidate of left) {
      if (await isNoticed(candidate)) noticed += 1;
      else console.log(`${candidate.path}:${candidate.mutant.line}  ${candidate.mutant.change}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
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

/** At random, but the same for a mutant whatever changes in other files. */
function rankOf({ path, mutant: { start, change } }: Candidate): string {
  return createHash("sha256").update(`${values.seed} ${path} ${start} ${change}`).digest("hex");
}

/** A mutant that makes a test wait for ever is noticed as well. */
async function isNoticed(candidate: Candidate): Promise<boolean> {
  for await (const [test, { seconds }] of testsOf(candidate)) {
    // What loops for ever needs far more time of a processor than the test, however busy the machine is.
    const run = { environment: mutatedEnvironment(candidate), limitSeconds: 10 + 5 * Math.ceil(seconds) };
    if (!(await passes(test, run))) return true;
  }
  return false;
}

/**
 * The nearest tests that run the changed code; last the gate that every change of ranking passes. Tests that start
 * processes take ten times as long, so only the nearest two of them are run.
 */
async function* testsOf({ path, mutant }: Candidate): AsyncGenerator<[test: string, baseline: Baseline]> {
  const tests = nearestTests(modules, path);
  const isSlow = (test: string) => tierOf(test, readFileSync(join(root, test), "utf8")) !== "unit";
  const isRanking = /^src\/(?:text|search|facts)\//.test(path);
  const url = pathToFileURL(join(root, path)).href;
  // V8 counts an operator as part of its right side, which need not have run.
  const before = readFileSync(join(root, path), "utf8").slice(0, mutant.start).trimEnd().length - 1;
  const groups = [
    { group: tests.filter((test) => !isSlow(test)), max: Number(values.tests) },
    { group: tests.filter(isSlow), max: 2 },
    { group: isRanking ? [gate] : [], max: 1 },
  ];
  for (const { group, max } of groups) {
    let count = 0;
    for (const test of group) {
      if (count === max) break;
      const baseline = await baselineOf(test);
      if (!baseline.hasRun(url, mutant.start) && !baseline.hasRun(url, before)) continue;
      count += 1;
      yield [test, baseline];
    }
  }
}

function baselineOf(test: string): Promise<Baseline> {
  const known = baselines.get(test) ?? measure(test);
  baselines.set(test, known);
  return known;
}

/** Refuses a test that fails without any mutant: it would notice everything. */
async function measure(test: string): Promise<Baseline> {
  const folder = mkdtempSync(join(tmpdir(), "longhand-coverage-"));
  chmodSync(folder, 0o777);
  const start = performance.now();
  try {
    if (!(await passes(test, { environment: { NODE_V8_COVERAGE: folder }, limitSeconds: 600 }))) {
      throw new Error(`${test} fails without any mutant.`);
    }
    const sources = pathToFileURL(join(root, "src/")).href;
    const hasRun = readCoverage(folder, (url) => url.startsWith(sources));
    return { hasRun, seconds: (performance.now() - start) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stops at the first failure. */
function passes(test: string, { environment, limitSeconds }: TestRun): Promise<boolean> {
  // Tests that are stopped leave folders and processes behind.
  const temporary = mkdtempSync(join(tmpdir(), "longhand-mutant-"));
  // Some tests act as an ordinary user.
  chmodSync(temporary, 0o777);
  const node = [process.execPath, "--test", "--test-isolation=none", "--test-reporter=tap", join(root, test)];
  const run = spawn("sh", ["-c", 'ulimit -t "$0" && exec "$@"', String(limitSeconds), ...node], {
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
  let hasFailed = false;
  createInterface({ input: run.stdout }).on("line", (line) => {
    if (!/^ *not ok /.test(line)) return;
    hasFailed = true;
    endGroup();
  });
  return new Promise((resolve, reject) => {
    run.on("error", reject);
    run.on("exit", endGroup);
    run.on("close", (code) => {
      clearTimeout(timer);
      rmSync(temporary, { recursive: true, force: true });
      resolve(code === 0 && !hasFailed);
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
