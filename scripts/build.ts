/**
 * `npm run build`: the package in dist/, or in the given folder. Node takes longer to find and read many small files
 * than to run them, so the modules of src/ and the packages that they need are bundled into a few files; tsc generates
 * the types. Only optional packages are not bundled.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import remapping from "@jridgewell/remapping";
import MagicString from "magic-string";
import { type OutputAsset, type Plugin, rolldown } from "rolldown";
import { minify } from "rolldown/experimental";
import { parseAst } from "rolldown/parseAst";
import { loadModel } from "../src/embedders/builtin/load-model.ts";
import { encodePreparedModel } from "../src/embedders/builtin/prepared-model.ts";
import { rowKernelBytes } from "../src/embedders/builtin/row-kernel-bytes.ts";
import { wordKernelBytes } from "../src/embedders/builtin/word-kernel-bytes.ts";
import { kernelBytes } from "../src/stores/vectors/kernel-bytes.ts";
import { writeBuildId } from "./build-id.ts";
import { compileUsedFunctionsEagerly } from "./eager-functions.ts";
import { licenceTexts, packagesOf } from "./licences.ts";

const root = join(import.meta.dirname, "..");
const source = (path: string): string => join(root, "src", `${path}.ts`);

/** Entry points: loaded by name from outside, or by a separate process or thread. Everything else follows from them. */
const entries = [
  "index",
  "openclaw",
  "tools/ai-sdk",
  ...readdirSync(join(root, "src", "public")).map((name) => `public/${basename(name, ".ts")}`),
  "cli/bin",
  "cli/resident/process",
  "memory/note-thread",
  "embedders/builtin/embed-thread",
  "embedders/local/child",
  "stores/sqlite/raw-search-child",
  "engines/qmd/child",
  "engines/qmd/process-guard",
];

/**
 * Modules that are always loaded together, with what they import. Lazily imported modules stay in separate files, so that
 * `longhand search` does not load them.
 */
const together = {
  // Loaded before the compile cache is enabled, and by a Node that is too old for the rest.
  start: [
    "cli/is-hook-call",
    "node-version",
    "cli/v8-flags",
    "cli/keep-compiled-code",
    "cli/resident/build-id",
    // Needed with and without a resident.
    "cli/watch-signals",
    "config/resident-socket",
  ],
  // All that a process loads that another one answers for.
  caller: ["cli/resident/ask-resident"],
  memory: [
    "memory/open-memory",
    "config/settings",
    "errors",
    "package-files",
    "search/location",
    // For hooks, which need nothing else of the transcripts.
    "sessions/transcripts/inserted-text",
  ],
  engine: ["memory/choose-parts", "embedders/builtin/builtin-embedder"],
  // What most commands share, without anything that needs the engine: hooks load this, too.
  cli: [
    "cli/main",
    "cli/with-memory",
    "cli/output",
    "cli/text-width",
    "cli/progress-bar",
    "cli/parse-day",
    "cli/read-input",
    "cli/path-arguments",
    "text/figures",
    "text/note-parts",
    "hosts/shell-line",
    "cli/commands/search",
  ],
  hook: ["cli/commands/hook", "cli/hooks/answers", "cli/hooks/hook-input", "cli/workspace-advice"],
  tools: [
    "tools/memory-tools",
    "tools/entry-tools",
    "tools/quote-notes",
    "tools/recall-section",
    "text/entries",
  ],
  masking: ["text/redact"],
  transcripts: [
    "sessions/transcripts/transcripts",
    "sessions/transcripts/sessions",
    "sources/session-transcripts",
    "stores/transcripts/read-transcript-database",
  ],
};

const out = process.argv[2] ?? join(root, "dist");

/** Optional packages, which users install themselves, are not bundled. */
const optionalPackages = Object.keys(
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")).peerDependencies,
);
const isOptional = (id: string): boolean =>
  optionalPackages.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * OpenClaw copies a plugin before it loads it and accepts no code from outside its folder, so the plugin has its own
 * build.
 */
const pluginEntries = ["openclaw", ...entries.filter((entry) => /thread$|child$|guard$/.test(entry))];

rmSync(out, { recursive: true, force: true });
await writeBundle(entries, out);
await writeBundle(pluginEntries, join(out, "openclaw-plugin"));

async function writeBundle(names: readonly string[], dir: string): Promise<void> {
  await using bundle = await rolldown({
    input: Object.fromEntries(names.map((entry) => [entry, source(entry)])),
    platform: "node",
    // The oldest Node that package.json allows has no `using` yet.
    transform: { target: "node22" },
    external: isOptional,
    checks: { bundlerTimings: false },
    plugins: [
      wrapCommonJs(),
      embedKernels(),
      takeNodeModulesDirectly(),
      importWithoutDetour(),
      writeTersely(),
    ],
  });
  const { output } = await bundle.write({
    dir,
    format: "es",
    entryFileNames: "[name].js",
    // The hash keeps a process that has been running since before an update from loading parts of the new version.
    chunkFileNames: "parts/[name]-[hash].js",
    minifyInternalExports: false,
    // For `node --enable-source-maps`. The sources themselves are not in the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
    codeSplitting: {
      groups: Object.entries(together).map(([name, modules], index) => {
        const ids = new Set(modules.map(source));
        return { name, test: (id: string) => ids.has(id), priority: 10 - index };
      }),
    },
  });
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  writeFileSync(join(dir, "licences.txt"), licenceTexts(packagesOf(modules)));
}

writeFileSync(
  join(out, "builtin-model.bin"),
  encodePreparedModel(await loadModel(join(root, "models", "builtin"))),
);
// In any other folder the command would not find the other files of the package, so it cannot be run there.
if (out === join(root, "dist")) compileUsedFunctionsEagerly(out);
writeBuildId(out, join(root, "package.json"));

/**
 * If code imports a CommonJS package lazily, the bundler puts its interop helper into a separate file. With a wrapper
 * module that exports the same names, the helper is loaded with the package.
 */
function wrapCommonJs(): Plugin {
  const exportsOf: Readonly<Record<string, string>> = { ignore: "default", json5: "default", yaml: "parse" };
  const prefix = "\0wrapped:";
  return {
    name: "wrap-common-js",
    resolveId: (id, importer) => (id in exportsOf && !importer?.startsWith(prefix) ? prefix + id : null),
    load(id) {
      const name = id.slice(prefix.length);
      return id.startsWith(prefix) ? `export { ${exportsOf[name]} } from "${name}";` : null;
    },
  };
}

/** The kernels for vectors, assembled once here instead of in each process. */
function embedKernels(): Plugin {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
  const codings = ["bits", "bytes", "centred"] as const;
  const made = Object.fromEntries(codings.map((coding) => [coding, text(kernelBytes(coding))]));
  const modules: Readonly<Record<string, string>> = {
    [source("stores/vectors/kernel-bytes")]: `const made = ${JSON.stringify(made)};
      export const kernelBytes = (coding) => Buffer.from(made[coding], "base64");`,
    [source("embedders/builtin/row-kernel-bytes")]:
      `export const rowKernelBytes = () => Buffer.from("${text(rowKernelBytes())}", "base64");`,
    [source("embedders/builtin/word-kernel-bytes")]:
      `export const wordKernelBytes = () => Buffer.from("${text(wordKernelBytes())}", "base64");`,
  };
  return { name: "embed-kernels", load: (id) => modules[id] ?? null };
}

/**
 * `import … from "node:fs"` evaluates every export of that module, and some of them load further parts of Node: ten
 * milliseconds for the imports of `longhand search`. Destructuring the module object costs nothing.
 */
function takeNodeModulesDirectly(): Plugin {
  const statement =
    /^import (?:(?<whole>[\w$]+)(?:, )?)?(?:\{ (?<names>[^}]+) \})? from "(?<module>node:[\w/]+)";$/gm;
  return {
    name: "take-node-modules-directly",
    renderChunk(code) {
      const edited = new MagicString(code);
      edited.replace(statement, (_, whole: string | undefined, names: string | undefined, module: string) => {
        const parts = [whole, names && `{ ${names.replaceAll(" as ", ": ")} }`].filter(Boolean);
        // The name `process` may itself be imported.
        const taken = `globalThis.process.getBuiltinModule("${module}")`;
        return parts.map((part) => `const ${part} = ${taken};`).join("\n");
      });
      return { code: edited.toString(), map: edited.generateMap({ hires: "boundary" }) };
    },
  };
}

/**
 * For a module that is bundled with others and imported lazily, the bundler writes a facade file that only re-exports.
 * Its importers get the same names from the chunk itself, and Node has one file less to load.
 */
function importWithoutDetour(): Plugin {
  return {
    name: "import-without-detour",
    generateBundle(_, files) {
      const chunks = Object.values(files).filter((file) => file.type === "chunk");
      const passesOn = /^export \{ [\w$, ]+ \} from "[^"]+\/([^"/]+)";\s*$/;
      for (const detour of chunks.filter(({ isEntry }) => !isEntry)) {
        const target = passesOn.exec(detour.code)?.[1];
        if (target === undefined) continue;
        const name = basename(detour.fileName);
        for (const chunk of chunks) chunk.code = chunk.code.replaceAll(name, target);
        delete files[detour.fileName];
        delete files[`${detour.fileName}.map`];
      }
    },
  };
}

/**
 * Minified without renaming, and in ASCII only: Node reads a fifth less at each start, and a string with other
 * characters would take twice the memory. Names stay, for stack traces.
 */
function writeTersely(): Plugin {
  return {
    name: "write-tersely",
    async generateBundle(_, files) {
      for (const chunk of Object.values(files)) {
        if (chunk.type !== "chunk") continue;
        const { code, map, errors } = await minify(chunk.fileName, chunk.code, {
          module: true,
          compress: false,
          mangle: false,
          codegen: { removeWhitespace: true },
          sourcemap: true,
        });
        if (errors.length > 0) throw new Error(`${chunk.fileName}: ${errors[0]!.message}`);
        const terse = new MagicString(code);
        breakLines(terse);
        escapeLetters(terse);
        chunk.code = terse.toString();
        // A chunk that only re-exports has no map.
        const mapped = files[`${chunk.fileName}.map`] as OutputAsset | undefined;
        if (mapped === undefined) continue;
        const steps = [terse.generateMap({ hires: "boundary" }), map, JSON.parse(String(mapped.source))];
        chunk.code += `\n//# sourceMappingURL=${basename(chunk.fileName)}.map\n`;
        mapped.source = remapping(steps as Parameters<typeof remapping>[0], () => null).toString();
      }
    },
  };
}

/**
 * One declaration per line. Node shows the source line of an uncaught error, and one of a hundred kilobytes would scroll
 * the message itself out of sight.
 */
function breakLines(code: MagicString): void {
  // Whatever precedes the first statement, such as `#!`, already has a line of its own.
  for (const { start } of parseAst(code.original).body.slice(1)) code.appendLeft(start, "\n");
}

/** Non-ASCII characters occur only in strings and regular expressions, where an escape means the same. */
function escapeLetters(code: MagicString): void {
  if (/(?<!textPattern\()String\.raw`[^`]*[\u0080-\uffff]/.test(code.original))
    throw new Error("String.raw keeps escapes as they are.");
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
