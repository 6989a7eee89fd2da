import { keyVariableOf } from "./options.ts";
import { writtenKey } from "./origin.ts";
import type { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

/** In the order in which `auto` tries them. */
export const remoteProviders = ["openai", "gemini", "voyage"] as const;
export type RemoteProvider = (typeof remoteProviders)[number];

/** Providers are grouped under the name of the company in `models.providers`. */
const companies = { openai: "openai", gemini: "google", voyage: "voyage" } as const;

/** Who receives texts if no other address is set. */
export const serviceHosts: Readonly<Record<RemoteProvider, string>> = {
  openai: "api.openai.com",
  gemini: "generativelanguage.googleapis.com",
  voyage: "api.voyageai.com",
};

/**
 * The key for a provider, or null. `remote.apiKey` belongs to the chosen provider alone, so that no other company ever
 * receives it; with `auto` that is openai, whose API other services offer too. Next come `models.providers.*.apiKey`
 * and, already merged into it if unset, the environment.
 */
export function providerKey(
  { memorySearch, models }: Pick<Settings, "memorySearch" | "models">,
  provider: RemoteProvider,
): Secret | null {
  const chosen = memorySearch.provider === "auto" ? "openai" : memorySearch.provider;
  const own = chosen === provider ? memorySearch.remote.apiKey : undefined;
  return own ?? models.providers[companies[provider]].apiKey ?? null;
}

interface ProviderAccess {
  readonly apiKey?: Secret;
  readonly baseUrl?: string;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly model?: string;
  readonly outputDimensionality?: number;
  readonly prompts?: Settings["memorySearch"]["remote"]["prompts"];
  /** Whether a key may be sent to an `http://` address on another machine. */
  readonly allowPlainHttp?: true;
}

/**
 * How to access a provider. Like its key, `remote.*` belongs to the chosen provider alone, so that no other provider
 * ever receives its headers or model; `models.providers.*` applies to each.
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

/** The variable for the key of a service that needs one and has none; null for any other provider. */
export function lacksKey(
  settings: Pick<Settings, "memorySearch" | "models">,
  provider: string,
): string | null {
  if (!isRemote(provider)) return null;
  const { apiKey, baseUrl } = providerAccess(settings, provider);
  // Services at other addresses may not need a key.
  return apiKey === undefined && baseUrl === undefined ? keyVariableOf(companies[provider]) : null;
}

/** Keys, addresses and models of services that were not chosen. */
export interface UnusedServices {
  /** What was found, in the user's terms: `OPENAI_API_KEY`, or a key of the configuration. */
  readonly found: readonly string[];
  /** The service that could be used. */
  readonly provider: RemoteProvider;
  /** What would be sent where, and how to enable that. */
  readonly advice: string;
}

type Asked = Pick<Settings, "memorySearch" | "models" | "origins">;

/**
 * A key in the environment is not a choice: nothing is sent until a provider is named. Null if there is nothing to
 * report, also if the user has named a provider and a key is merely in the environment.
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
    // Providers other than services also use a model.
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
