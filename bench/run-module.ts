import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Messages of a module's process: the folders that it creates, and finally its result. */
export type ModuleMessage = { readonly folder: string } | { readonly outcome: unknown };

/** A process that measures may not handle signals for minutes, so it is killed after this. */
const graceMs = 1000;

/**
 * Calls `measure` of a module in this folder in a new process, so that nothing is warm that should not be, and its
 * memory is measured alone. The result must be JSON.
 */
export async function runModule<Result>(file: string, input: unknown): Promise<Result> {
  const entry = join(import.meta.dirname, "module-process.ts");
  const argv = ["--expose-gc", "--no-warnings", entry, file, JSON.stringify(input)];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const folders: string[] = [];
  let result: { outcome: Result } | undefined;
  child.on("message", (message: ModuleMessage) => {
    if ("folder" in message) folders.push(message.folder);
    else result = message as { outcome: Result };
  });
  const closed = once(child, "close");
  const end = (): void => void child.kill("SIGKILL");
  const stop = async (): Promise<void> => {
    child.kill();
    await Promise.race([closed, sleep(graceMs)]);
    end();
    await closed;
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stop);
  process.once("exit", end);
  const [code] = await closed;
  for (const signal of signals) process.removeListener(signal, stop);
  process.removeListener("exit", end);
  if (result === undefined) throw new Error(`${file} ended with code ${code} and without a result.`);
  return result.outcome;
}
