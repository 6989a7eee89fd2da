import { sha256 } from "../../text/hash.ts";

interface ProviderIdentity {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly headerNames?: readonly string[];
  /** The requested number; absent for the model's default. */
  readonly dimensions?: number | undefined;
  /** Identifies the prompts; absent if there are none. */
  readonly prompts?: string | undefined;
}

/**
 * Identifies a source of vectors: SHA-256 of everything that determines them. Values of headers and of the query string
 * are left out, because they may be keys.
 */
export function hashProvider(identity: ProviderIdentity): string {
  const { provider, baseUrl, model, headerNames = [], dimensions, prompts } = identity;
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
