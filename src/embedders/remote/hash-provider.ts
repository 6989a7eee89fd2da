import { sha256 } from "../../text/hash.ts";

export interface ProviderIdentity {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly headerNames: readonly string[];
  /** Asked for; undefined leaves them to the model. */
  readonly dimensions: number | undefined;
  /** Names the words that are put in front of texts; undefined where there are none. */
  readonly prompts?: string | undefined;
}

/**
 * Tells one source of vectors from another: SHA-256 of what decides about them. Values of headers and of the address's
 * query are left out, because keys travel there.
 */
export function hashProvider(identity: ProviderIdentity): string {
  const { provider, baseUrl, model, headerNames, dimensions, prompts } = identity;
  const names = headerNames.map((name) => name.toLowerCase()).sort();
  const parts = [provider, addressOf(baseUrl), model, names, dimensions ?? null];
  return sha256(JSON.stringify(prompts === undefined ? parts : [...parts, prompts]));
}

function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, host, pathname, searchParams } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, "");
  return `${protocol}//${host}${path}?${[...new Set(searchParams.keys())].sort().join("&")}`;
}
