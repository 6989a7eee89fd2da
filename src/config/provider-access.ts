import { companies, providerKey, type RemoteProvider } from "./provider-key.ts";
import type { Secret } from "./secret.ts";
import type { Settings } from "./settings.ts";

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
