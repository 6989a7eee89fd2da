import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import {
  anywhere,
  findCircles,
  importersOutside,
  type Law,
  ourImports,
  outside,
  partOf,
} from "./support/source-laws.ts";
import { linesMatching, parseModule, readModules, type SourceModule } from "./support/source-modules.ts";

/**
 * The rules of ARCHITECTURE.md as tests. Each rule is first checked on a small bad example, so that a rule that no longer
 * detects anything fails here.
 */
const root = path.join(import.meta.dirname, "..");
const everything = await readModules(path.join(root, "src"));
const product = everything.filter(({ path: modulePath }) => !isTest(modulePath));
const tests = [
  ...everything.filter(({ path: modulePath }) => isTest(modulePath)),
  ...(await readModules(path.join(root, "test"))),
];

/** What every part may import: errors, time, and differences between systems and file systems. */
const ground = [
  "errors.ts",
  "node-version.ts",
  "files.ts",
  "paths.ts",
  "file-system-kind.ts",
  "task-queue.ts",
  "timing.ts",
];

/** What each part may import, besides itself and the common files. From the bottom layer to the top. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "node-version.ts": [],
  "errors.ts": [],
  "files.ts": [],
  "paths.ts": [],
  "file-system-kind.ts": [],
  "task-queue.ts": [],
  "timing.ts": [],
  "package-files.ts": [],
  "wasm-code.ts": [],
  "child-calls.ts": [],
  "program-thread.ts": ["package-files.ts"],
  text: [],
  extract: ["text"],
  facts: ["text"],
  notes: ["text"],
  sessions: ["text"],
  sources: ["notes", "sessions", "text"],
  embedders: ["child-calls.ts", "package-files.ts", "program-thread.ts", "text", "wasm-code.ts"],
  stores: ["package-files.ts", "sessions", "text", "wasm-code.ts"],
  search: ["stores", "embedders", "facts", "text"],
  sync: ["sources", "embedders", "stores", "text"],
  engines: ["child-calls.ts", "package-files.ts", "sync", "search", "sources", "embedders", "stores", "text"],
  upkeep: ["sync", "sources", "embedders", "stores", "text"],
  forget: ["engines", "search", "notes", "text"],
  entries: ["extract", "facts", "search", "embedders", "stores", "notes", "text"],
  consolidate: ["extract", "facts", "notes", "text"],
  config: ["hosts", "notes", "text"],
  memory: [
    "program-thread.ts",
    "consolidate",
    "entries",
    "facts",
    "forget",
    "config",
    "engines",
    "upkeep",
    "sync",
    "search",
    "sources",
    "embedders",
    "stores",
    "notes",
    "sessions",
    "text",
  ],
  eval: ["memory", "config", "search", "sync", "engines", "stores", "sources", "text"],
  tools: ["memory", "consolidate", "entries", "forget", "search", "text"],
  "version.ts": ["package-files.ts"],
  flush: ["memory", "extract", "tools", "config", "sessions", "notes", "text"],
  doctor: ["memory", "config", "hosts", "upkeep", "sources", "text"],
  cli: [
    "consolidate",
    "doctor",
    "memory",
    "hosts",
    "sessions",
    "version.ts",
    "package-files.ts",
    "web",
    "mcp",
    "http",
    "forget",
    "index.ts",
    "tools",
    "flush",
    "eval",
    "upkeep",
    "config",
    "search",
    "sync",
    "engines",
    "sources",
    "notes",
    "text",
  ],
  hosts: ["package-files.ts", "text"],
  http: ["text"],
  mcp: [
    "consolidate",
    "memory",
    "index.ts",
    "http",
    "tools",
    "flush",
    "config",
    "search",
    "sync",
    "notes",
    "text",
  ],
  web: [
    "consolidate",
    "memory",
    "hosts",
    "package-files.ts",
    "index.ts",
    "http",
    "mcp",
    "tools",
    "flush",
    "config",
    "upkeep",
    "forget",
    "sync",
    "search",
    "stores",
    "text",
  ],
  "open-session-store.ts": ["config", "sessions", "stores"],
  openclaw: ["memory", "tools", "flush", "config", "search", "sync", "notes", "text"],
  "openclaw.ts": ["openclaw"],
  public: [
    "open-session-store.ts",
    ...["entries", "tools", "flush", "search", "sources", "embedders", "stores", "sessions", "text"],
  ],
  "index.ts": [
    "consolidate",
    "memory",
    "entries",
    "forget",
    "open-session-store.ts",
    "tools",
    "flush",
    "eval",
    "config",
    "engines",
    "upkeep",
    "sync",
    "search",
    "sources",
    "embedders",
    "stores",
    "sessions",
    "notes",
    "text",
  ],
};

/** Type-only imports against the direction, each with its reason. */
const typesUpward: Readonly<Record<string, string>> = {
  "notes → sources/source.ts":
    "discovery reports what it skipped in the words of the interface that passes it on",
};

/** Who may change files, by part or by file. Only `notes/` writes Markdown; the others write what is named here. */
const writers: Readonly<Record<string, string>> = {
  "files.ts": "renames and replaces files for those below, and retries where Windows refuses for a moment",
  notes: "the notes themselves",
  "sessions/store/json5-file.ts": "the conversations that longhand keeps for a host",
  "sessions/transcripts/imports.ts": "the list of transcripts that an agent reads in place",
  stores:
    "moves a damaged index aside, makes the folder of a new one, and notes which files of this machine a shared one has",
  "consolidate/receipt-files.ts":
    "receipts of consolidations, and what is under way, so that it can be undone",
  "forget/purge-records.ts": "what is still to be purged, so that a killed process is finished by the next",
  "flush/flush-progress.ts":
    "how far a host's transcript was flushed, so that a killed flush is finished by the next",
  "memory/index-locations.ts":
    "where else an index of the agent lies, so that what is forgotten is purged there too",
  "memory/recall-journal.ts": "how often lines were recalled, until that is written to the index",
  upkeep: "an index to compare with, which it removes, and what crashed work has left beside the index",
  "embedders/local/install-model.ts": "model files that are fetched or copied",
  "engines/qmd/mirror.ts": "a private copy of the documents for qmd to index",
  "engines/qmd/qmd-engine.ts": "makes qmd's private folder",
  "engines/qmd/configure-qmd.ts": "qmd's configuration",
  "engines/qmd/qmd-index.ts": "removes qmd's index, so that something is forgotten or indexed again",
  "memory/choose-engine.ts": "removes what an earlier use of qmd has left",
  "memory/workspace-trust.ts": "which workspaces the user trusts",
  "hosts/settings-file.ts":
    "the settings files of agent hosts, when somebody asks to connect or disconnect one",
  "hosts/connect-host.ts": "copies of our files in the folders of agent hosts, on the same request",
  "cli/edit-config.ts":
    "the configuration file, when somebody starts a memory, changes a setting or adopts a folder",
  "cli/adoption-record.ts": "what a folder's configuration was before it was adopted, for the undo",
  "http/token.ts": "the token of the HTTP servers",
  "cli/keep-compiled-code.ts": "a private folder for compiled code",
  "cli/resident/socket-file.ts": "the socket of the resident, in a private folder",
  "cli/standard-streams.ts": "stdout and stderr, by their descriptors",
  "cli/hooks/claim-event.ts": "empty marks of events, so that two hooks do not answer the same one",
  "cli/with-memory.ts": "the folder of the default workspace, empty",
  "cli/commands/eval.ts": "the file that --results names",
  "eval/temporary-index.ts": "removes its own temporary folder",
};

/** They use the file lock, which is in `stores` because it uses SQL, but is not a store itself. */
const lockTakers = ["open-session-store.ts", "memory/workspace-trust.ts"];

const interfaceFiles = [
  "sources/source.ts",
  "embedders/embedder.ts",
  // The order in which embedders are tried, and why one failed: not an embedder itself.
  "embedders/fallback-chain.ts",
  "embedders/batch-jobs/batch-jobs.ts",
  "stores/store.ts",
  "stores/store-vectors.ts",
  "stores/work-lock.ts",
  "stores/seen-contents.ts",
  "stores/index-contents.ts",
  "stores/entry-index.ts",
  "stores/foreign-vectors.ts",
  "engines/engine.ts",
];
const contractSuites = /^(?:sources|embedders|stores|engines)\/[\w-]+\.contract\.ts$/;

/** Optional peers; their types may be named anywhere. */
const optionalPackage =
  /^(?:pg|@lancedb\/lancedb|apache-arrow|@tobilu\/qmd|node-llama-cpp|sqlite-vec)(?:\/|$)/;

const laws: Readonly<
  Record<string, { law: Law; bad: readonly SourceModule[]; good?: readonly SourceModule[] }>
> = {
  "Imports point downwards, as the diagram draws them": {
    law: (modules) =>
      ourImports(modules).flatMap(({ from, to, kind, line }) => {
        const [user, used] = [partOf(from), partOf(to)];
        if (user === used || ground.includes(used) || mayImport[user]?.includes(used)) return [];
        // The page has its own rule.
        if (isOfPage(from)) return [];
        if (kind === "type" && `${user} → ${to}` in typesUpward) return [];
        return [`${from}:${line} imports ${to}, and ${user} may not know ${used}`];
      }),
    bad: [parseModule("text/a.ts", `import { b } from "../notes/b.ts";`)],
    good: [parseModule("notes/a.ts", `import type { SkippedEntry } from "../sources/source.ts";`)],
  },
  "Only those of memory/ that choose or open, index.ts and public/ name an implementation of a source, embedder, store or engine":
    {
      law: (modules) =>
        ourImports(modules)
          .filter(({ from, to }) => {
            const part = partOf(to);
            if (!["sources", "embedders", "stores", "engines"].includes(part) || partOf(from) === part)
              return false;
            return (
              !interfaceFiles.includes(to) &&
              !contractSuites.test(to) &&
              !/^(?:memory\/(?:choose-[a-z]+|open-layer(?:-files)?|local-models|note-thread)|index|public\/[a-z]+)\.ts$/.test(
                from,
              ) &&
              !(to === "stores/lock.ts" && lockTakers.includes(from)) &&
              !(to === "stores/transcripts/read-transcript-database.ts" && from === "open-session-store.ts")
            );
          })
          .map(({ from, to, line }) => `${from}:${line} names ${to}; import the interface file instead`),
      bad: [parseModule("sync/a.ts", `import { openSqliteStore } from "../stores/sqlite/open.ts";`)],
      good: [
        parseModule("memory/choose-parts.ts", `import { openSqliteStore } from "../stores/sqlite/open.ts";`),
      ],
    },
  "Whoever uses a memory is given one, or opens one: how its parts are chosen is its own affair": {
    law: (modules) =>
      ourImports(modules)
        .filter(({ from, to }) => /^memory\/choose-/.test(to) && partOf(from) !== "memory")
        .map(({ from, to, line }) => `${from}:${line} imports ${to}`),
    bad: [parseModule("cli/a.ts", `import { openEngine } from "../memory/choose-parts.ts";`)],
  },
  "The page runs in a browser: it takes pure functions of text/, and of all else only types": {
    law: (modules) => [
      ...ourImports(modules)
        .filter(
          ({ from, to, kind }) => isOfPage(from) && !isOfPage(to) && kind !== "type" && partOf(to) !== "text",
        )
        .map(({ from, to, line }) => `${from}:${line} imports ${to}`),
      ...importersOutside(
        modules.filter(({ path: modulePath }) => isOfPage(modulePath)),
        [],
        /^node:/,
      ),
    ],
    bad: [
      parseModule("web/page/a.tsx", `import { cite } from "../../search/location.ts";`),
      parseModule("web/page/b.ts", `import { join } from "node:path";`),
    ],
    good: [
      parseModule("web/page/a.tsx", `import type { SearchHit } from "../../search/search.ts";`),
      parseModule("web/page/b.ts", `import { showHidden } from "../../text/visible.ts";`),
    ],
  },
  "Search and sync do not know each other": {
    law: (modules) =>
      ourImports(modules)
        .filter(({ from, to }) => [partOf(from), partOf(to)].sort().join() === "search,sync")
        .map(({ from, to, line }) => `${from}:${line} imports ${to}`),
    bad: [parseModule("search/a.ts", `import type { SyncReport } from "../sync/sync.ts";`)],
  },
  "Only config/ reads the environment": {
    law: outside(["config"], /\bprocess\s*\.\s*env\b|\benv\b[^;]*\}\s*=\s*process\b/),
    bad: [
      parseModule("cli/a.ts", "const colour = process.env.NO_COLOR;"),
      parseModule("cli/b.ts", "const { env } = process;"),
    ],
  },
  "SQL is spoken only under stores/": {
    law: (modules) =>
      importersOutside(modules, ["stores"], /^(?:node:sqlite|pg|@lancedb\/lancedb|sqlite-vec)$/),
    bad: [parseModule("search/a.ts", `import { DatabaseSync } from "node:sqlite";`)],
  },
  "Packages that are not installed by default are loaded when they are chosen": {
    law: (modules) =>
      modules.flatMap(({ path, imports }) =>
        imports
          .filter(({ target, kind }) => kind === "value" && optionalPackage.test(target))
          .map(({ target, line }) => `${path}:${line} imports ${target}`),
      ),
    bad: [
      parseModule("stores/a.ts", `import pg from "pg";`),
      parseModule("stores/b.ts", `import { connect } from "@lancedb/lancedb";`),
    ],
  },
  "HTTP clients live only in embedders/, and in the page for its own server": {
    law: (modules) => [
      ...outside(["embedders", "web/page/api.ts"], /(?<![.\w])fetch\s*\(/)(modules),
      ...importersOutside(modules, ["embedders", "http", "mcp", "web"], /^node:https?2?$/),
    ],
    bad: [
      parseModule("sync/a.ts", `await fetch("x");`),
      parseModule("cli/b.ts", `import http from "node:http";`),
    ],
  },
  "Printing and exiting happen only in cli/": {
    // Two programs of their own: the process guard exits as its child does, and the raw search prints what it found.
    law: outside(
      ["cli", "engines/qmd/process-guard.ts", "stores/sqlite/raw-search-child.ts"],
      /\bconsole\s*\.|\bprocess\s*\.\s*(?:stdout|stderr|exit|exitCode|abort)\b/,
    ),
    bad: [parseModule("memory/a.ts", `console.log("x");`), parseModule("sync/a.ts", "process.exit(1);")],
    good: [parseModule("memory/a.ts", `// Never console.log here.\nconst text = "console.log";`)],
  },
  "Whoever starts a process says that it opens no console window on Windows": {
    law: (modules) =>
      modules
        // Reads the mounts of macOS.
        .filter(({ path: modulePath }) => modulePath !== "file-system-kind.ts")
        .flatMap((found) => {
          const starts = linesMatching(found, /(?<![.\w])(?:spawn|fork|execFile)(?:Sync)?\)?\s*\(/);
          const hidden = linesMatching(found, /\bwindowsHide: true\b/);
          return starts.slice(hidden.length).map((line) => `${found.path}:${line}`);
        }),
    bad: [
      parseModule("cli/a.ts", `const child = spawn(process.execPath, [], { stdio: "pipe" });`),
      parseModule("cli/b.ts", `await promisify(execFile)(process.execPath, []);`),
    ],
    good: [parseModule("cli/a.ts", "const child = fork(file, [], { windowsHide: true });")],
  },
  "Elapsed time is read in timing.ts, which every cold command can afford": {
    law: outside(["timing.ts", "web/page"], /(?<![.\w])performance\s*\.|\bhrtime\b/),
    bad: [parseModule("sync/a.ts", "const startedMs = performance.now();")],
  },
  "Only the parts that are named with a reason write files": {
    law: outside(
      Object.keys(writers),
      /\b(?:writeFile|appendFile|writeSync|writeFileSync|appendFileSync|createWriteStream|rename|renameSync|renameFile|renameFileSync|replaceFileSync|unlink|unlinkSync|rm|rmSync|truncate|ftruncate|ftruncateSync|mkdir|mkdirSync|copyFile|copyFileSync|symlink)\s*\(/,
    ),
    bad: [parseModule("search/a.ts", `await writeFile("MEMORY.md", "");`)],
  },
  "No module imports itself in a circle at run time": {
    law: findCircles,
    bad: [
      parseModule("text/a.ts", `import { b } from "./b.ts";`),
      parseModule("text/b.ts", `import { c } from "./c.ts";`),
      parseModule("text/c.ts", `export { a } from "./a.ts";`),
    ],
    good: [
      parseModule("text/a.ts", `import { b } from "./b.ts";`),
      parseModule("text/b.ts", `import type { A } from "./a.ts";`),
    ],
  },
  "Nothing is exported by star or by default": {
    law: anywhere(/^\s*export\s*\*|^\s*export\s+default\b|\bas\s+default\b/),
    bad: [parseModule("text/a.ts", `export * from "./b.ts";`), parseModule("text/b.ts", "export default 1;")],
  },
  "No module keeps a variable: state belongs to whoever opened it": {
    law: anywhere(/^(?:export\s+)?(?:let|var)\s/),
    bad: [parseModule("text/a.ts", "let count = 0;")],
    good: [parseModule("text/a.ts", "function f() {\n  let count = 0;\n  return count;\n}")],
  },
  "Imports of our own files carry .ts and lead to a file that exists": {
    law: (modules) => {
      const known = new Set(modules.map(({ path: modulePath }) => modulePath));
      return ourImports(modules)
        .filter(({ to }) => !known.has(to))
        .map(({ from, to, line }) => `${from}:${line} imports ${to}, which does not exist`);
    },
    bad: [parseModule("text/a.ts", `import { b } from "./b.js";`)],
  },
};

test("There are sources to check", () => {
  const imports = product.flatMap((found) => found.imports);
  assert.ok(product.length > 50, `${product.length} modules found`);
  assert.ok(imports.length > 200, `${imports.length} imports found`);
  assert.ok(imports.some(({ kind }) => kind === "type") && imports.some(({ kind }) => kind === "value"));
  const unknown = product
    .map(({ path: modulePath }) => partOf(modulePath))
    .filter((part) => !(part in mayImport));
  assert.deepEqual([...new Set(unknown)], [], "a new folder needs its place in the diagram");
});

for (const [title, { law, bad, good }] of Object.entries(laws)) {
  test(title, () => {
    assert.ok(law(bad).length >= 1, "the law does not notice its bad example");
    if (bad.every(({ imports }) => imports.length === 0)) {
      for (const example of bad) assert.equal(law([example]).length, 1, example.path);
    }
    if (good) assert.deepEqual(law(good), []);
    assert.deepEqual(law(product), []);
  });
}

test("Tests use real parts and never a module mock", () => {
  const law = anywhere(/\bmock\s*\.\s*module\b|\b(?:jest|vi)\s*\.\s*mock\b/);
  assert.equal(law([parseModule("a.test.ts", `mock.module("./b.ts");`)]).length, 1);
  assert.deepEqual(law(tests), []);
});

test("Imports are read in all their forms", () => {
  const { imports } = parseModule(
    "a/b.ts",
    [
      `import { one, type Two } from "./one.ts";`,
      `import type { Three } from "../three.ts";`,
      `import { type Four } from 'four';`,
      `import "./five.ts";`,
      `const six = await import("./six.ts");`,
      `export { seven } from "./seven.ts";`,
      `export type { Eight } from "./eight.ts";`,
      `import * as nine from "node:nine";`,
      `// import { no } from "./comment.ts";`,
      'const no = `import { no } from "./template.ts"`;',
      `const quote = /["']/; import { ten } from "./ten.ts";`,
      `type Eleven = import("./eleven.ts").Eleven;`,
      `import {`,
      `  twelve,`,
      `} from "./twelve.ts";`,
    ].join("\n"),
  );
  const seen = imports
    .map(({ target, kind, line }) => `${line} ${target} ${kind}`)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  assert.deepEqual(seen, [
    "1 a/one.ts value",
    "2 three.ts type",
    "3 four type",
    "4 a/five.ts value",
    "5 a/six.ts lazy",
    "6 a/seven.ts value",
    "7 a/eight.ts type",
    "8 node:nine value",
    "11 a/ten.ts value",
    "12 a/eleven.ts lazy",
    "13 a/twelve.ts value",
  ]);
});

test("Files over 250 lines are named, as a reason to pause", (context) => {
  for (const { path: modulePath, lineCount } of product) {
    if (lineCount > 250)
      context.diagnostic(`${modulePath} has ${lineCount} lines: is there a second noun in it?`);
  }
});

function isOfPage(modulePath: string): boolean {
  return modulePath.startsWith("web/page/");
}

function isTest(modulePath: string): boolean {
  return modulePath.endsWith(".test.ts");
}
