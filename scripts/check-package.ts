/**
 * `npm run check:package`, after a build: checks that the package is complete, small, and runs nothing when it is
 * installed. The promises of the package to its users are declared only here.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "./bundled-packages.ts";
import { hostPackages } from "./host-packages.ts";
import { isPermissive } from "./licences.ts";

const maxPackedBytes = 20_000_000;

const root = join(import.meta.dirname, "..");
const problems: string[] = [];
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
}

const { bin, exports, scripts, dependencies } = readJson("package.json");
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
  "dist/licences.txt",
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

// Dependencies are bundled: users install one package, and nothing that its author did not choose.
for (const name of Object.keys(dependencies ?? {})) problems.push(`${name} would be installed with it`);
const locked = Object.entries(readJson("package-lock.json").packages as Record<string, Locked>);
const bundled = bundledPackages(join(root, "dist"));
for (const name of bundled) {
  const isIt = ([path, { version }]: (typeof locked)[number]): boolean =>
    `${path.replace(/.*node_modules\//, "")}@${version}` === name;
  const license = locked.find(isIt)?.[1].license;
  if (!isPermissive(license ?? "")) problems.push(`${name} is under ${license ?? "no licence"}`);
}
for (const name of ["preinstall", "install", "postinstall"]) {
  if (name in scripts) problems.push(`the package itself has a script ${name}`);
}

for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else {
  const megabytes = (packed.size / 1e6).toFixed(1);
  console.log(`${paths.size} files, ${megabytes} MB packed, code of ${bundled.length} packages in it`);
}

function targetsOf(target: unknown): unknown[] {
  return typeof target === "string" ? [target] : Object.values(target as object).flatMap(targetsOf);
}
