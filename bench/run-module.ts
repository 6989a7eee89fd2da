import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/**
 * Calls `measure` of a module of this folder in a process of its own, so that nothing is warm that should not be and
 * the memory is its own. The outcome has to be JSON.
 */
export async function runModule<Result>(file: string, input: unknown): Promise<Result> {
  const entry = join(import.meta.dirname, "module-process.ts");
  const argv = ["--expose-gc", "--no-warnings", entry, file, JSON.stringify(input)];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  let result: { outcome: Result } | undefined;
  child.on("message", (message) => {
    result = message as { outcome: Result };
  });
  const [code] = await once(child, "close");
  if (result === undefined) throw new Error(`${file} ended with code ${code} and without a result.`);
  return result.outcome;
}
