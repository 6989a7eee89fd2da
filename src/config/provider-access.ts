import { writtenKey } from "./origin.ts";
import type { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

/** In the order in which `auto` tries them. */
export const remoteProviders = ["openai", "gemini", "voyage"] as const;
export type RemoteProvider = (typeof remoteProviders)[number];

/** Providers are grouped under the name of the company in `models.providers`. */
const companies = { openai: "openai", gemini: "google", voyage: "voyage" } as const;

/** Who is sent texts when no other address is set. */
export const serviceHosts: Readonly<Record<RemoteProvider, string>> = {
  openai: "api.openai.com",
  gemini: "generativelanguage.googleapis.com",
  voyage: "api.voyageai.com",
};

/**
 * The key for a provider, or null. `remote.apiKey` belongs to the chosen provider alone, so that no
 * other company is ever sent it; with `auto` that is openai, whose interface other services offer too.
 * Then come `models.providers.*.apiKey` and, already in its place when that is not set, the environment.
 */
export function providerKey(
  { memorySearch, models }: Pick<Settings, "memorySearch" | "models">,
  provider: RemoteProvider,
): Secret | null {
  const chosen = memorySearch.provider === "auto" ? "openai" : memorySearch.provider;
  const own = chosen === provider ? memorySearch.remote.apiKey : undefined;
  return own ?? models.providers[companies[provider]].apiKey ?? null;
}

export interface ProviderAccess {
  readonly apiKey?: Secret;
  readonly baseUrl?: string;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly model?: string;
  readonly outputDimensionality?: number;
  readonly prompts?: Settings["memorySearch"]["remote"]["prompts"];
  /** A key may be sent to an `http://` address on another machine. */
  readonly allowPlainHttp?: true;
}

/**
 * How to reach a provider. `remote.*` belongs to the chosen provider alone, as its key does, so that neither a header nor
 * a model of one is ever sent to another; `models.providers.*` holds for each.
 */
export function providerAccess(
  settings: Pick<Settings, "memorySearch" | "models">,
  provider: RemoteProvider,
): ProviderAccess {
  const { provider: asked, remote, model, outputDimensionality } = settings.memorySearch;
  const ofCompany = settings.models.providers[companies[provider]];
  const isChosen = asked === provider || (asked === "auto" && provider === "openai");
  const apiKey = providerKey(settings, provider);
  const baseUrl = (isChosen ? remote.baseUrl : undefined) ?? ofCompany.baseUrl;
  const isMeant = asked === provider || asked === "auto";
  const hasPrompts = Object.values(remote.prompts).some((prompt) => prompt !== undefined);
  return {
    ...(isChosen && hasPrompts ? { prompts: remote.prompts } : {}),
    ...(remote.allowPlainHttp ? { allowPlainHttp: true } : {}),
    ...(apiKey === null ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    headers: { ...ofCompany.headers, ...(isChosen ? remote.headers : {}) },
    ...(isMeant && model !== undefined ? { model } : {}),
    ...(isMeant && outputDimensionality !== undefined ? { outputDimensionality } : {}),
  };
}

/** The variable for the key of a service that has none and needs one; null for any other provider. */
export function lacksKey(
  settings: Pick<Settings, "memorySearch" | "models">,
  provider: string,
): string | null {
  if (!isRemote(provider)) return null;
  const { apiKey, baseUrl } = providerAccess(settings, provider);
  // Services at other addresses may do without a key.
  return apiKey === undefined && baseUrl === undefined ? keyVariables[provider] : null;
}

const keyVariables: Readonly<Record<RemoteProvider, string>> = {
  openai: "OPENAI_API_KEY",
  gemini: "GEMINI_API_KEY",
  voyage: "VOYAGE_API_KEY",
};

/** Keys, addresses and models of services that were not chosen. */
export interface UnusedServices {
  /** What was found, as the user knows it: `OPENAI_API_KEY`, or a key of the configuration. */
  readonly found: readonly string[];
  /** The service that could be used. */
  readonly provider: RemoteProvider;
  /** What would be sent where, and what to do to have it so. */
  readonly advice: string;
}

type Asked = Pick<Settings, "memorySearch" | "models" | "origins">;

/**
 * A key in the environment is not a choice: nothing is sent until a provider is named. Null when there is nothing to say,
 * also when the user has named a provider and a key is merely in the environment.
 */
export function findUnusedServices({ memorySearch, models, origins }: Asked): UnusedServices | null {
  const { provider, fallback, remote, model } = memorySearch;
  if (provider === "auto" || isRemote(provider) || isRemote(fallback)) return null;
  const isDefault = (origins.get("memorySearch.provider")?.from ?? "default") === "default";
  const found: string[] = [];
  const withKey: RemoteProvider[] = [];
  for (const name of remoteProviders) {
    const key = `models.providers.${companies[name]}.apiKey`;
    if (models.providers[companies[name]].apiKey === undefined) continue;
    const origin = origins.get(key);
    const isFromEnvironment = origin?.from === "environment";
    if (isFromEnvironment && !isDefault) continue;
    found.push(isFromEnvironment ? origin.variable : writtenKey(key, origin));
    withKey.push(name);
  }
  const remoteKey = remote.apiKey?.reveal() === "" ? undefined : remote.apiKey;
  const settings = { "remote.apiKey": remoteKey, "remote.baseUrl": remote.baseUrl, model };
  for (const [name, value] of Object.entries(settings)) {
    const key = `memorySearch.${name}`;
    // Other providers than services have a use for a model, too.
    const isUsed = value === undefined || (name === "model" && !isDefault);
    if (!isUsed) found.push(writtenKey(key, origins.get(key)));
  }
  if (found.length === 0) return null;
  const offered = withKey[0] ?? "openai";
  return { found, provider: offered, advice: describeChoice(offered, memorySearch, models) };
}

function describeChoice(
  provider: RemoteProvider,
  { remote }: Settings["memorySearch"],
  models: Settings["models"],
): string {
  const address = remote.baseUrl ?? models.providers[companies[provider]].baseUrl;
  const host = address === undefined ? serviceHosts[provider] : new URL(address).host;
  return (
    `To use ${provider}: longhand init --provider ${provider}, or memorySearch.provider: "${provider}" in the ` +
    `configuration. Then the text of your notes and questions, with known secrets masked, is sent to ${host}.`
  );
}

/** One line for people. */
export function describeUnused({ found, advice }: UnusedServices): string {
  const are = found.length === 1 ? "is" : "are";
  return `${found.join(", ")} ${are} set but not used: nothing is sent. ${advice}`;
}

function isRemote(provider: string): provider is RemoteProvider {
  return (remoteProviders as readonly string[]).includes(provider);
}
