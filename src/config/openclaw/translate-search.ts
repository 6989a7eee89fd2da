import { type Fields, fieldsOf, isFields } from "../../text/fields.ts";
import { pick } from "./fields.ts";

/** Reports why a setting of OpenClaw is not imported; the key is relative to the current section. */
type LeaveOut = (key: string, reason: string) => void;

interface SearchContext {
  readonly providers: Fields;
  readonly leaveOut: LeaveOut;
  /** The key of a service other than OpenAI, as written into our file; empty if it cannot be. */
  readonly takeKey: (key: string, value: unknown) => string;
}

const ownProviders = new Set(["auto", "local", "openai", "gemini", "voyage", "none", "builtin"]);

interface CompatibleService {
  readonly baseUrl: string;
  /** OpenClaw's default if no model is set. */
  readonly model: string;
  /** The environment variable of its key; absent if none is needed. */
  readonly variable?: string;
}

/** Services with OpenAI's API, under OpenClaw's names. */
const compatibleServices: Readonly<Record<string, CompatibleService>> = {
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", model: "nomic-embed-text" },
  lmstudio: { baseUrl: "http://127.0.0.1:1234/v1", model: "text-embedding-nomic-embed-text-v1.5" },
  mistral: { baseUrl: "https://api.mistral.ai/v1", model: "mistral-embed", variable: "MISTRAL_API_KEY" },
  deepinfra: {
    baseUrl: "https://api.deepinfra.com/v1/openai",
    model: "BAAI/bge-m3",
    variable: "DEEPINFRA_API_KEY",
  },
};

/** OpenClaw's placeholder for local servers that need no key. */
const noKey = "ollama-local";

/**
 * Settings of `memorySearch` (since 2026.9 `memory.search`) in our configuration: the same names, apart from the
 * exceptions here.
 */
export function translateSearch(search: Fields, context: SearchContext): Fields {
  const { leaveOut } = context;
  const { rememberAcrossConversations, extraPaths, store, ...rest } = search;
  return {
    ...rest,
    ...(store === undefined ? {} : { store: translateStore(fieldsOf(store), leaveOut) }),
    ...(Array.isArray(extraPaths) ? { extraPaths: translatePaths(extraPaths, leaveOut) } : {}),
    ...translateSources(search, leaveOut),
    ...translateProvider(search, context),
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

/** OpenClaw trims paths, and ignores empty ones. */
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

function translateProvider(search: Fields, { providers, leaveOut, takeKey }: SearchContext): Fields {
  const { provider, fallback, model } = search;
  const remote = fieldsOf(search["remote"]);
  const kept = { ...translateFallback(fallback, leaveOut), model: isBlank(model) ? undefined : model };
  if (typeof provider !== "string" || ownProviders.has(provider)) {
    if (remote["apiKey"] === undefined || !isBlank(remote["apiKey"])) return kept;
    return { ...kept, remote: { ...remote, apiKey: undefined } };
  }
  const custom = fieldsOf(providers[provider]);
  const api = custom["api"];
  const service = serviceNamed(api) ?? serviceNamed(provider);
  const baseUrl = remote["baseUrl"] ?? custom["baseUrl"] ?? service?.baseUrl;
  const isOwn = isFields(providers[provider]) && (api === undefined || /^openai\b/.test(String(api)));
  const isCompatible = service !== undefined || isOwn || provider === "openai-compatible";
  if (!isCompatible || baseUrl === undefined) {
    leaveOut("provider", `${JSON.stringify(provider)} is not supported; the builtin model is used`);
    return { ...kept, provider: undefined, model: undefined, remote: undefined };
  }
  const address =
    service === compatibleServices["ollama"] && typeof baseUrl === "string"
      ? baseUrl.replace(/(?:\/v1)?\/*$/, "/v1")
      : baseUrl;
  const prefix = `${provider}/`;
  const named = typeof kept.model === "string" ? kept.model.trim() : kept.model;
  return {
    ...kept,
    provider: "openai",
    model:
      typeof named === "string" && named.startsWith(prefix)
        ? named.slice(prefix.length)
        : (named ?? service?.model),
    remote: { ...pick(custom, ["headers"]), ...remote, baseUrl: address, apiKey: translateKey() },
  };

  /** Never OpenAI's key from the environment: this is another service. */
  function translateKey(): string {
    for (const [key, value] of [
      ["remote.apiKey", remote["apiKey"]],
      [`models.providers.${provider}.apiKey`, custom["apiKey"]],
    ] as const) {
      if (isBlank(value)) continue;
      return isPlaceholder(value) ? "" : takeKey(key, value);
    }
    return service?.variable === undefined ? "" : `\${${service.variable}}`;
  }
}

function serviceNamed(name: unknown): CompatibleService | undefined {
  return typeof name === "string" && Object.hasOwn(compatibleServices, name)
    ? compatibleServices[name]
    : undefined;
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && value.replaceAll(/\s/g, "") === noKey;
}

function translateFallback(fallback: unknown, leaveOut: LeaveOut): Fields {
  if (typeof fallback !== "string" || (ownProviders.has(fallback) && fallback !== "auto")) return {};
  leaveOut("fallback", `${JSON.stringify(fallback)} is not supported`);
  return { fallback: undefined };
}
