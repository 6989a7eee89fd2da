import { type Fields, fieldsOf, isFields, pick } from "./fields.ts";

/** Says why a setting of OpenClaw is not taken over; the key is relative to the part at hand. */
export type LeaveOut = (key: string, reason: string) => void;

const ownProviders = new Set(["auto", "local", "openai", "gemini", "voyage", "none", "builtin"]);

/** Programs on this machine that speak OpenAI's language, with the address that they have unless one is set. */
const localServers: Readonly<Record<string, string>> = {
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
};

/** Settings of `memorySearch` (since 2026.9 `memory.search`) as ours: the same names, apart from the exceptions here. */
export function translateSearch(
  search: Fields,
  { providers, leaveOut }: { providers: Fields; leaveOut: LeaveOut },
): Fields {
  const { rememberAcrossConversations, extraPaths, store, ...rest } = search;
  return {
    ...rest,
    ...(store === undefined ? {} : { store: translateStore(fieldsOf(store), leaveOut) }),
    ...(Array.isArray(extraPaths) ? { extraPaths: translatePaths(extraPaths, leaveOut) } : {}),
    ...translateSources(search, leaveOut),
    ...translateProvider(search, providers, leaveOut),
  };
}

function translateStore({ path, ...store }: Fields, leaveOut: LeaveOut): Fields {
  if (path !== undefined) leaveOut("store.path", "it is OpenClaw's own index; longhand keeps one of its own");
  return store;
}

function translatePaths(paths: readonly unknown[], leaveOut: LeaveOut): unknown[] {
  return paths.flatMap((entry, index) => {
    if (!isFields(entry)) return trimmed(entry);
    if (entry["pattern"] === undefined) return trimmed(entry["path"]);
    leaveOut(
      `extraPaths[${index}]`,
      "a pattern is not supported; name the folder and use memorySearch.exclude",
    );
    return [];
  });
}

/** OpenClaw ignores blanks around a path, and paths that are nothing else. */
function trimmed(path: unknown): unknown[] {
  if (typeof path !== "string") return path === undefined ? [] : [path];
  return path.trim() === "" ? [] : [path.trim()];
}

function translateSources(search: Fields, leaveOut: LeaveOut): Fields {
  const { sources, rememberAcrossConversations, experimental } = search;
  const listed = Array.isArray(sources) ? sources : undefined;
  const isAllowed = fieldsOf(experimental)["sessionMemory"] === true;
  if (rememberAcrossConversations === true) {
    return {
      sources: [...new Set([...(listed ?? ["memory"]), "sessions"])],
      experimental: { sessionMemory: true },
    };
  }
  if (listed === undefined || !listed.includes("sessions") || isAllowed) return {};
  leaveOut("sources", '"sessions" needs experimental.sessionMemory, which is not set');
  const kept = listed.filter((source) => source !== "sessions");
  return { sources: kept.length === 0 ? ["memory"] : kept };
}

function translateProvider(search: Fields, providers: Fields, leaveOut: LeaveOut): Fields {
  const { provider, fallback } = search;
  const remote = fieldsOf(search["remote"]);
  const kept = translateFallback(fallback, leaveOut);
  if (typeof provider !== "string" || ownProviders.has(provider)) return kept;
  const custom = fieldsOf(providers[provider]);
  const baseUrl =
    remote["baseUrl"] ??
    custom["baseUrl"] ??
    (Object.hasOwn(localServers, provider) ? localServers[provider] : undefined);
  const speaksOpenai =
    provider === "openai-compatible" || provider in localServers || isFields(providers[provider]);
  if (!speaksOpenai || baseUrl === undefined) {
    leaveOut("provider", `${JSON.stringify(provider)} is not supported; the builtin model is used`);
    return { ...kept, provider: undefined, model: undefined, remote: undefined };
  }
  const address =
    provider === "ollama" && typeof baseUrl === "string" ? baseUrl.replace(/(?:\/v1)?\/*$/, "/v1") : baseUrl;
  return {
    ...kept,
    provider: "openai",
    remote: { ...pick(custom, ["apiKey", "headers"]), ...remote, baseUrl: address },
  };
}

function translateFallback(fallback: unknown, leaveOut: LeaveOut): Fields {
  if (typeof fallback !== "string" || (ownProviders.has(fallback) && fallback !== "auto")) return {};
  leaveOut("fallback", `${JSON.stringify(fallback)} is not supported`);
  return { fallback: undefined };
}
