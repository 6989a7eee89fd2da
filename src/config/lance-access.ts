import { expandPath, homeOf } from "./expand-path.ts";
import type { Settings } from "./settings.ts";
import { type Environment, readVariable } from "./variables.ts";

/** Where LanceDB keeps the index of an agent, and what it needs to get there. */
export interface LanceAccess {
  readonly location: string;
  readonly storageOptions: Readonly<Record<string, string>>;
  /** The storage is asked through another machine, so that nothing can be told from here. */
  readonly viaProxy?: true;
}

const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/** What of the environment concerns storage elsewhere; LanceDB calls each the same in lower case. */
const storageVariables = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "AWS_ENDPOINT",
  "AWS_ALLOW_HTTP",
];

/** `store.url`, which may be a folder or an address, each with `{agentId}`; without it, a folder beside `store.path`. */
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
