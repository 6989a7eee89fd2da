import type { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

export type RemoteProvider = "openai" | "gemini" | "voyage";

/** Providers are grouped under the name of the company in `models.providers`. */
export const companies = { openai: "openai", gemini: "google", voyage: "voyage" } as const;

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
