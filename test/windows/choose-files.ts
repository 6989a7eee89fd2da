import { globSync } from "node:fs";
import { join } from "node:path";

/**
 * `node choose-files.ts [--short | PATTERN…]`: the test files to run on Windows, one a line. Files that cannot run
 * there are lines of the reporter's form, `skip` with a reason, so that they are counted too.
 */
const root = join(import.meta.dirname, "../..");

/** A minute together: what users do first, paths and names, renames, locks, and what is given to hosts or started. */
const short = [
  "test/windows/first-steps.test.ts",
  "test/windows/spellings.test.ts",
  "src/files.test.ts",
  "src/notes/locate.test.ts",
  "src/notes/note-path.test.ts",
  "src/hosts/shell-line.test.ts",
  "src/http/token.test.ts",
  "src/doctor/probe-program.test.ts",
];

/** Not what looks at this repository, such as its documents and laws. */
const everything = [
  "src/**/*.test.ts",
  "test/windows/*.test.ts",
  "test/e2e/*.test.ts",
  "test/{cross-store,entries,forget*,hostile-notes,migrate,promises,qmd,read-only,safety-promises}.test.ts",
  "test/{sessions-crash,shared-index,vector-status,watch}.test.ts",
];

/** Beginnings of paths, with the reason why nothing below them runs under Wine here. */
const leftOut: Readonly<Record<string, string>> = {
  "src/stores/lancedb/": "the native package of LanceDB is installed for this system only",
  ...Object.fromEntries(
    ["database", "hostile-tenant", "partition-tables", "postgres-server", "postgres-store"].map((name) => [
      `src/stores/postgres/${name}.test.ts`,
      "a database server is the same whichever system asks it",
    ]),
  ),
  "src/embedders/local/local-embedder.test.ts": "node-llama-cpp is installed for this system only",
  "src/embedders/local/model-process.test.ts": "node-llama-cpp is installed for this system only",
  "src/package-files.test.ts": "the native package of rolldown is installed for this system only",
  "test/cross-store.test.ts": "the native package of LanceDB is installed for this system only",
  "test/entries.test.ts": "the native package of LanceDB is installed for this system only",
  "test/qmd.test.ts": "qmd and its native packages are installed for this system only",
  "test/e2e/postgres-load.test.ts": "a database server is the same whichever system asks it",
};

const asked = process.argv.slice(2);
const patterns = asked.includes("--short") ? short : asked.length > 0 ? asked : everything;
const files = globSync(patterns, { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .sort();
for (const file of files) {
  const found = Object.entries(leftOut).find(([start]) => file.startsWith(start));
  const isNamed = asked.includes(file);
  console.log(found && !isNamed ? `skip\t${file}\t(the whole file)\t${found[1]}` : file);
}
