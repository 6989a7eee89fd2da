import { writtenKey } from "./origin.ts";
import { companies, type RemoteProvider, remoteProviders, serviceHosts } from "./provider-key.ts";
import type { Settings } from "./settings.ts";

/** Keys, addresses and models of services that nobody chose. */
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
 * A key that lies about is not a choice: nothing is sent until a provider is named. Null when there is nothing to say,
 * also when the user has named a provider and a key merely stands in the environment.
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
  const settings = { "remote.apiKey": remote.apiKey, "remote.baseUrl": remote.baseUrl, model };
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
