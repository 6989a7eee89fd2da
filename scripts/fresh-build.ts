import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const sources = ["src", "models", "scripts", "package.json", "package-lock.json", "tsconfig.build.json"];
/** One output file of each build step, in the order of writing. */
const products = ["dist/cli/bin.js", "dist/index.d.ts", "dist/web/page/index.html"];

/** Runs `npm run build` unless dist/ is newer than everything it is made of. */
export function buildIfStale(): void {
  if (!isStale(root, { sources, products })) return;
  const { status } = spawnSync("npm run --silent build", {
    cwd: root,
    shell: true,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm run build failed with ${status}.`);
}

/** Whether an output is missing, or a source is newer than the first output. Deleting a file makes its folder newer. */
export function isStale(
  folder: string,
  paths: { readonly sources: readonly string[]; readonly products: readonly string[] },
): boolean {
  const [first, ...others] = paths.products.map((path) => join(folder, path));
  if (first === undefined || ![first, ...others].every((path) => existsSync(path))) return true;
  const madeAtMs = lstatSync(first).mtimeMs;
  return paths.sources.some((path) => newestMs(join(folder, path)) >= madeAtMs);
}

function newestMs(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return path.endsWith(".test.ts") ? 0 : found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
