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
 * another's; and those that decide which programs are started.
 */
const readAtStart =
  /^(?:(?:NODE|LC|LD|DYLD|UV|SSL|OPENSSL|ICU|MALLOC|AWS|LANCE|RUST)_.*|PG.*|LANG|LANGUAGE|TZ|HOME|PATH|USER|LOGNAME|TMPDIR|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** Equal texts for environments that make no difference to a running process. */
export function startingEnvironment(env: Environment): string {
  const kept = Object.entries(env).filter(([name]) => readAtStart.test(name));
  return JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}
