import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfStale } from "./fresh-build.ts";
import { listTests, type Tier, tiers } from "./test-tiers.ts";

/**
 * `npm test [-- FILE…]`, and the other tiers: `run-tests.ts TIER`. Options of `node --test` may follow.
 *
 * Tests get a temporary home folder. At the end it is checked that nothing appeared in the real one; that fails the run
 * only in CI, because elsewhere other programs use the home folder at the same time.
 */
const root = join(import.meta.dirname, "..");
const [first, ...rest] = process.argv.slice(2);
const named = tiers.find((each) => each === first);
const given = named ? rest : process.argv.slice(2);
const tier = named ?? "unit";
const areFilesGiven = given.some((argument) => !argument.startsWith("-"));
// By default Node leaves one core free, which is half of a machine with two. Tests that start processes wait for them.
const cores = Math.max(2, availableParallelism());
const concurrency = tier === "unit" ? cores : Math.ceil(1.5 * cores);
// A few files take longer than a hundred others, so with one group per core a core would be idle for a third of the
// time. More groups would load the same modules more often.
const groupsPerCore = 4;

// Many tests of the other tiers start longhand itself, which takes a third of the time if it is built.
const isBuilt = tier !== "unit";
if (isBuilt) buildIfStale();

const home = mkdtempSync(join(tmpdir(), "longhand-test-home-"));
const groups = mkdtempSync(join(tmpdir(), "longhand-test-groups-"));
const xdg = Object.keys(process.env).filter((name) => name.startsWith("XDG_"));
const before = new Set(entriesOfHome());
const files = areFilesGiven ? [] : filesOf(tier);
const tests = spawn(process.execPath, ["--test", `--test-concurrency=${concurrency}`, ...given, ...files], {
  cwd: root,
  stdio: "inherit",
  env: {
    // Otherwise every process would strip the types of the same files again.
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/longhand-tests"),
    ...process.env,
    ...Object.fromEntries(xdg.map((name) => [name, undefined])),
    ...(isBuilt && { LONGHAND_TEST_BUILT: "1" }),
    HOME: home,
    USERPROFILE: home,
  },
});
tests.on("exit", (code, signal) => {
  rmSync(home, { recursive: true, force: true });
  rmSync(groups, { recursive: true, force: true });
  const added = entriesOfHome().filter((entry) => !before.has(entry));
  if (added.length > 0) {
    process.stderr.write(`The tests left something in the home: ${added.join(", ")}\n`);
  }
  const isClean = added.length === 0 || process.env["CI"] === undefined;
  process.exitCode = signal === null && isClean ? (code ?? 1) : code || 1;
});

function filesOf(wanted: Tier): string[] {
  const found = listTests().flatMap((test) => (test.tier === wanted ? [test.file] : []));
  return wanted === "unit" ? deal(found, groupsPerCore * concurrency).map(writeGroup) : found;
}

/** Deals the files out in turn, because neighbours often take equally long. */
function deal<T>(things: readonly T[], hands: number): T[][] {
  return Array.from({ length: hands }, (_, hand) => things.filter((_, at) => at % hands === hand));
}

/**
 * A module that runs test files in one process, each as a suite, so that its hooks apply to its own tests only. No test
 * starts before all files are loaded: a global that a test changes must not affect modules that are still loading.
 */
function writeGroup(members: readonly string[], at: number): string {
  const urls = members.map((file) => [file, pathToFileURL(join(root, file)).href]);
  const group = join(groups, `group-${at + 1}.test.mjs`);
  writeFileSync(
    group,
    `import { describe } from "node:test";
const { promise: allLoaded, resolve } = Promise.withResolvers();
const files = ${JSON.stringify(urls)};
let left = files.length;
for (const [file, url] of files) {
  describe(file, async () => {
    await import(url).finally(() => --left === 0 && resolve());
    await allLoaded;
  });
}
`,
  );
  return group;
}

/** The entries of the home folder, and of its folders for caches, settings and data. */
function entriesOfHome(): string[] {
  return ["", ".cache", ".config", ".local/share", ".local/state"].flatMap((folder) => {
    try {
      return readdirSync(join(homedir(), folder)).map((name) => join("~", folder, name));
    } catch {
      // Not every home folder has all of them.
      return [];
    }
  });
}
