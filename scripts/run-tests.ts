import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `npm test [-- FILE…]`. Node leaves one core free, which on a machine with two leaves half of it idle: most tests wait
 * for processes and files, so that two at a time is the least.
 *
 * Tests get a home of their own, which is removed. That nothing appears in the real one is checked at the end, and fails
 * the run in CI; elsewhere other programs use the home at the same time.
 */
const everything = [
  "src/**/*.test.ts",
  "test/**/*.test.ts",
  "quality/**/*.test.ts",
  "bench/**/*.test.ts",
  "scripts/**/*.test.ts",
];
const asked = process.argv.slice(2);
const concurrency = Math.max(2, availableParallelism() - 1);
const files = asked.some((argument) => !argument.startsWith("-")) ? [] : everything;

const home = mkdtempSync(join(tmpdir(), "longhand-test-home-"));
const xdg = Object.keys(process.env).filter((name) => name.startsWith("XDG_"));
const before = new Set(entriesOfHome());
const tests = spawn(process.execPath, ["--test", `--test-concurrency=${concurrency}`, ...asked, ...files], {
  stdio: "inherit",
  env: {
    ...process.env,
    ...Object.fromEntries(xdg.map((name) => [name, undefined])),
    HOME: home,
    USERPROFILE: home,
  },
});
tests.on("exit", (code, signal) => {
  rmSync(home, { recursive: true, force: true });
  const added = entriesOfHome().filter((entry) => !before.has(entry));
  if (added.length > 0) {
    process.stderr.write(`The tests left something in the home: ${added.join(", ")}\n`);
  }
  const isClean = added.length === 0 || process.env["CI"] === undefined;
  process.exitCode = signal === null && isClean ? (code ?? 1) : code || 1;
});

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
