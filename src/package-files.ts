import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { LonghandError } from "./errors.ts";

/**
 * The path of a file of the package that is not imported, relative to the folder of `package.json`. That folder is
 * searched upwards, because the build moves modules into bundles elsewhere.
 */
export function packageFile(...path: readonly string[]): string {
  let folder = dirname(ownFile());
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, ...path);
}

/** The path of a file that the build writes beside the code; null if the code runs unbuilt. */
export function builtFile(name: string): string | null {
  return isBuilt() ? packageFile("dist", name) : null;
}

/**
 * The path of a module that runs in a process of its own, given by its path in `src/` without extension; it must be an
 * entry point of the build.
 */
export function programFile(module: string): string {
  return isBuilt() ? packageFile("dist", `${module}.js`) : packageFile("src", `${module}.ts`);
}

function isBuilt(): boolean {
  return !ownFile().endsWith(".ts");
}

/** Bundles in CommonJS format leave `import.meta` empty. */
function ownFile(): string {
  const file = import.meta.filename as string | undefined;
  if (file !== undefined) return file;
  throw new LonghandError(
    "not-supported",
    "longhand cannot find its own files: its code is part of a bundle.",
    {
      hint: "Leave longhand out of the bundle and install it beside it; with esbuild: --external:longhand.",
    },
  );
}
