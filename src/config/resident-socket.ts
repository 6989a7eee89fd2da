import { isPrivateFolder } from "./private-folder.ts";
import { type Environment, readVariable } from "./variables.ts";

/** The socket of the process that answers for others that use the same state folder. */
export function residentSocketIn(stateDir: string): { readonly folder: string; readonly socket: string } {
  const { join } = process.getBuiltinModule("node:path");
  const folder = join(stateDir, "resident");
  return { folder, socket: join(folder, "socket") };
}

/** Whether processes may answer for each other. Only on Linux can a process tell how it is confined. */
export function allowsResident(env: Environment = process.env): boolean {
  return process.platform === "linux" && readVariable(env, "LONGHAND_RESIDENT") !== "0";
}

/**
 * The socket that this command line may ask; null if there is none. Every cold start pays for this, so the state folder
 * is only guessed: a resident answers for its own state folder alone, and checks.
 */
export function findResidentSocket(
  argv: readonly string[],
  env: Environment = process.env,
  nodeArguments: readonly string[] = process.execArgv,
): string | null {
  // Node prints a warning about contradictory colours, which only a new process repeats.
  if (!allowsResident(env) || env["FORCE_COLOR"] !== undefined || nodeArguments.length > 0) return null;
  try {
    const { resolve } = process.getBuiltinModule("node:path");
    const { lstatSync } = process.getBuiltinModule("node:fs");
    const home = readVariable(env, "HOME");
    if (home === null) return null;
    const named = optionIn(argv, "--state-dir") ?? readVariable(env, "LONGHAND_STATE_DIR") ?? "~/.longhand";
    const { folder, socket } = residentSocketIn(resolve(named.replace(/^~(?=\/|$)/, () => home)));
    const found = lstatSync(socket, { throwIfNoEntry: false });
    const isOwn = found?.isSocket() && found.uid === process.getuid?.() && isPrivateFolder(folder);
    return isOwn ? socket : null;
  } catch {
    // An unreadable or deleted folder, which the command itself reports.
    return null;
  }
}

/** The last value of an option, without parsing the whole command line. */
export function optionIn(argv: readonly string[], name: string): string | undefined {
  const at = argv.findLastIndex((word) => word === name || word.startsWith(`${name}=`));
  const word = argv[at];
  return word === name ? argv[at + 1] : word?.slice(name.length + 1);
}
