import type { Environment } from "./variables.ts";

/** All variables of this process, for a process that answers in its place. */
export function copyEnvironment(): Record<string, string> {
  return { ...process.env } as Record<string, string>;
}

/** Makes this process one with these variables and no others. */
export function replaceEnvironment(env: Environment): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && process.env[name] !== value) process.env[name] = value;
  }
  // Node looks up the time zone of the machine again, which may have changed since it started.
  const { TZ } = env;
  process.env["TZ"] = "UTC";
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
}

/**
 * Variables that Node, its libraries or a package read when they start, so that a running process cannot take over
 * another's. The locale is not among them: everything is written in English, and sorted by code units. Programs are
 * found by the caller's own PATH. Hosts start servers with few variables, and hooks with all, so each one counts.
 */
const readAtStart =
  /^(?:(?:NODE|LD|DYLD|UV|SSL|OPENSSL|ICU|MALLOC|AWS|LANCE|RUST)_.*|PG.*|TZ|HOME|USER|LOGNAME|TMPDIR|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** Equal texts for environments that make no difference to a running process. */
export function startingEnvironment(env: Environment): string {
  const kept = Object.entries(env).filter(([name]) => readAtStart.test(name));
  return JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}
