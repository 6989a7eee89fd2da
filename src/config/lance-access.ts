import { availableParallelism } from "node:os";
import { expandPath, homeOf } from "./expand-path.ts";
import type { Settings } from "./settings.ts";
import { type Environment, readVariable } from "./variables.ts";

/** Where LanceDB keeps the index of an agent, and what it needs to access it. */
interface LanceAccess {
  readonly location: string;
  readonly storageOptions: Readonly<Record<string, string>>;
  /** Requests go through a proxy, so nothing about the storage can be checked from here. */
  readonly viaProxy?: true;
}

const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/** Environment variables for remote storage; LanceDB's option names are the same in lower case. */
const storageVariables = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "AWS_ENDPOINT",
  "AWS_ALLOW_HTTP",
];

/**
 * `store.url`, which may be a folder or an address, with `{agentId}` replaced; without it, a folder beside
 * `store.path`.
 */
export function lanceAccess(
  { memorySearch, agentId, stateDir }: Pick<Settings, "memorySearch" | "agentId" | "stateDir">,
  env: Environment = process.env,
): LanceAccess {
  const { url, path } = memorySearch.store;
  const text = url?.reveal();
  if (text === undefined) return { location: path.replace(/(?:\.sqlite)?$/, ".lance"), storageOptions: {} };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    const location = expandPath(text, { home: homeOf(env), stateDir, agentId, baseDir: stateDir });
    return { location, storageOptions: {} };
  }
  const options = storageVariables.flatMap((name) => {
    const value = readVariable(env, name);
    return value === null ? [] : [[name.toLowerCase(), value]];
  });
  return {
    location: text.replaceAll(/\{agentId\}|%7BagentId%7D/gi, () => agentId),
    storageOptions: Object.fromEntries(options),
    ...(proxyVariables.some((name) => readVariable(env, name) !== null) ? { viaProxy: true } : {}),
  };
}

/**
 * LanceDB's native code reads these from the environment when it is loaded, so they are set before. Existing values are
 * kept.
 *
 * - It writes routine warnings to standard error, which belongs to our own messages.
 * - With few threads, building a full-text index can deadlock: the tasks that build its parts hold all threads, and those
 *   that would merge the parts get none. By default it has two threads fewer than the machine has processors, and as
 *   many builders as threads.
 */
export function prepareLance(env: Record<string, string | undefined> = process.env): void {
  env["LANCEDB_LOG"] ??= "error";
  env["LANCE_CPU_THREADS"] ??= `${Math.max(4, availableParallelism())}`;
  env["LANCE_FTS_NUM_SHARDS"] ??= "1";
}
