import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { LonghandError } from "./errors.ts";

/**
 * A file of the package that is not imported, by its path from the folder of `package.json`. That folder is looked for
 * upwards, because building puts modules together in files elsewhere.
 */
export function packageFile(...path: readonly string[]): string {
  let folder = dirname(ownFile());
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, ...path);
}

/** A file that the build makes beside the code; null where the code runs unbuilt. */
export function builtFile(name: string): string | null {
  return isBuilt() ? packageFile("dist", name) : null;
}

/** A module to be run by a process of its own, by its path in `src/` without ending; it must be an entry of the build. */
export function programFile(module: string): string {
  return isBuilt() ? packageFile("dist", `${module}.js`) : packageFile("src", `${module}.ts`);
}

function isBuilt(): boolean {
  return !ownFile().endsWith(".ts");
}

/** Bundles in the format of CommonJS leave `import.meta` empty. */
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
