import type { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

/** In the order in which `auto` tries them. */
export const remoteProviders = ["openai", "gemini", "voyage"] as const;
export type RemoteProvider = (typeof remoteProviders)[number];

/** Providers are grouped under the name of the company in `models.providers`. */
export const companies = { openai: "openai", gemini: "google", voyage: "voyage" } as const;

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
