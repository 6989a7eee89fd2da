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
 * Tests get a home of their own, which is removed. That nothing appears in the real one is checked at the end, and fails
 * the run in CI; elsewhere other programs use the home at the same time.
 */
const root = join(import.meta.dirname, "..");
const [first, ...rest] = process.argv.slice(2);
const named = tiers.find((each) => each === first);
const given = named ? rest : process.argv.slice(2);
const tier = named ?? "unit";
const areFilesGiven = given.some((argument) => !argument.startsWith("-"));
// Node leaves one core free, which on a machine with two leaves half of it idle. Who starts processes waits for them.
const cores = Math.max(2, availableParallelism());
const concurrency = tier === "unit" ? cores : Math.ceil(1.5 * cores);
// A few files take longer than a hundred others, so one group per core would leave a core idle for a third of the time.
// More groups would load the same modules more often.
const groupsPerCore = 4;

// Many tests of the other tiers start longhand itself, and built it starts in a third of the time.
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
    // Every process would strip the types of the same files again.
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

/** Neighbours, which often take equally long, end up in different hands. */
function deal<T>(things: readonly T[], hands: number): T[][] {
  return Array.from({ length: hands }, (_, hand) => things.filter((_, at) => at % hands === hand));
}

/**
 * A module that runs test files in one process, each as a suite, so that its hooks are for its own tests. No test starts
 * before all files are loaded: what one of them changes meanwhile, such as a variable, must not meet half a module.
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

/** Its own entries, and those of the folders in which programs keep caches, settings and data. */
function entriesOfHome(): string[] {
  return ["", ".cache", ".config", ".local/share", ".local/state"].flatMap((folder) => {
    try {
      return readdirSync(join(homedir(), folder)).map((name) => join("~", folder, name));
    } catch {
      // Not every home has each of them.
      return [];
    }
  });
}
