/**
 * `npm run check:package`, after a build: what would be published is complete, small, and runs nothing when it is
 * installed. The promises of the package to its users are declared here and nowhere else.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hostPackages } from "./host-packages.ts";
import { permissive } from "./licences.ts";

const maxPackedBytes = 20_000_000;
/** Packages that come with ours, itself left out. */
const maxPackages = 30;

const root = join(import.meta.dirname, "..");
const problems: string[] = [];
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
  /** To a workspace of this repository. */
  readonly link?: boolean;
}

const { bin, exports, scripts } = readJson("package.json");
const packing = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const [packed] = JSON.parse(packing) as [Packed];
const paths = new Set(packed.files.map(({ path }) => path));

const targets = [...Object.values(bin), ...Object.values(exports).flatMap((each) => targetsOf(each))];
const required = [
  ...targets.map((path) => String(path).replace(/^\.\//, "")),
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "models/builtin/embeddings.safetensors",
  "models/builtin/tokenizer.json",
  "models/builtin/SOURCES.md",
  "dist/builtin-model.bin",
  "dist/cli/bin.js.map",
  "dist/embedders/local/child.js",
  "dist/web/page/index.html",
  "dist/web/page/licences.txt",
  "dist/openclaw-plugin/openclaw.js",
  "plugins/openclaw/index.js",
  "plugins/openclaw/openclaw.plugin.json",
  "plugins/openclaw/package.json",
  ...Object.keys(hostPackages()),
];
for (const path of required) if (!paths.has(path)) problems.push(`${path} is missing`);
for (const path of paths) {
  if (/^(?:src|test|bench|quality|scripts|tools)\/|\.test\./.test(path)) problems.push(`${path} is packed`);
}
if (packed.size > maxPackedBytes) {
  problems.push(`the package has ${packed.size} bytes, over ${maxPackedBytes}`);
}

const locked = Object.entries(readJson("package-lock.json").packages as Record<string, Locked>);
const installed = locked.filter(([name, each]) => {
  const isOurs = !name.startsWith("node_modules/");
  return !isOurs && !each.dev && !each.optional && !each.devOptional && !each.peer;
});
for (const [name] of installed.filter(([, { hasInstallScript }]) => hasInstallScript)) {
  problems.push(`${name} runs a script when it is installed`);
}
for (const [name, { license }] of installed.filter(([, { link }]) => !link)) {
  if (!permissive.has(license ?? "")) problems.push(`${name} is under ${license ?? "no licence"}`);
}
for (const name of ["preinstall", "install", "postinstall"]) {
  if (name in scripts) problems.push(`the package itself has a script ${name}`);
}
if (installed.length > maxPackages) {
  problems.push(`${installed.length} packages come with it, over ${maxPackages}`);
}

for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else {
  const megabytes = (packed.size / 1e6).toFixed(1);
  console.log(`${paths.size} files, ${megabytes} MB packed, ${installed.length} packages with it`);
}

function targetsOf(target: unknown): unknown[] {
  return typeof target === "string" ? [target] : Object.values(target as object).flatMap(targetsOf);
}
