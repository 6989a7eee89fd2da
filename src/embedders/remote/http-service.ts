import { LonghandError } from "../../errors.ts";
import { hashProvider } from "./hash-provider.ts";
import { createMask, type Redact } from "./mask.ts";
import { misunderstood, postJson } from "./post-json.ts";
import {
  type EmbeddingService,
  isFailure,
  type Purpose,
  type ServiceAnswer,
  type ServiceLimits,
  type ServiceOptions,
} from "./service.ts";

/** What tells one provider from another; everything else about HTTP is the same for all. */
export interface HttpProvider {
  readonly provider: string;
  readonly baseUrl: string;
  /** The first is the default. A model that is not listed works too. */
  readonly models: Readonly<Record<string, KnownModel>>;
  readonly limits: ServiceLimits;
  /** Environment variable of the key, for the hint. */
  readonly keyVariable: string;
  readonly authorise: (key: string) => readonly [header: string, value: string];
  readonly ask: (request: HttpRequest) => { readonly path: string; readonly body: unknown };
  /** Null when the answer is not as documented. */
  readonly read: (json: unknown, request: HttpRequest) => ServiceAnswer | null;
}

export interface KnownModel {
  readonly dimensions: number;
  /** List price when this was written, for estimates. */
  readonly usdPerMillionTokens: number;
}

export interface HttpRequest {
  readonly texts: readonly string[];
  readonly model: string;
  readonly purpose: Purpose;
  readonly dimensions: number | undefined;
}

/** Numbers of an answer are text: so many bytes for each vector cover 8,000 dimensions with all their digits. */
const bytesPerVector = 256 * 1024;
const leastBytes = 2 ** 20;
const mostBytes = 256 * 2 ** 20;

/** A provider at an address, with what the user has set. Throws when the key is missing or cannot be sent. */
export function createHttpService(
  provider: HttpProvider,
  options: ServiceOptions,
  redact?: Redact,
): EmbeddingService {
  const { provider: name, models, authorise, ask, read } = provider;
  const model = options.model ?? Object.keys(models)[0]!;
  const isOwnAddress = options.baseUrl === undefined || sameAddress(options.baseUrl, provider.baseUrl);
  const baseUrl = options.baseUrl ?? provider.baseUrl;
  const dimensions = options.outputDimensionality;
  const known = isOwnAddress ? models[model] : undefined;
  const key = options.apiKey?.reveal().trim() || undefined;
  const given = Object.entries(options.headers ?? {}).map(
    ([header, value]) => [header, value.reveal()] as const,
  );
  if (key === undefined && isOwnAddress && given.length === 0) throw keyMissing(provider);
  const headers = makeHeaders(
    [["content-type", "application/json"], ...(key === undefined ? [] : [authorise(key)]), ...given],
    name,
  );
  const queryValues = [...new URL(baseUrl).searchParams.values()];
  const mask = createMask(
    [...(key === undefined ? [] : [key]), ...given.map(([, value]) => value), ...queryValues],
    redact,
  );
  const from = `${name} ${model}`;

  return {
    provider: name,
    model,
    providerKey: hashProvider({
      provider: name,
      baseUrl,
      model,
      headerNames: given.map(([header]) => header),
      dimensions,
    }),
    dimensions: dimensions ?? known?.dimensions ?? null,
    limits: provider.limits,
    usdPerMillionTokens: known?.usdPerMillionTokens ?? null,
    async send(texts, { purpose, signal }) {
      const request: HttpRequest = { texts, model, purpose, dimensions };
      const { path, body } = ask(request);
      const maxBytes = Math.min(mostBytes, leastBytes + texts.length * bytesPerVector);
      const url = addressOf(baseUrl, path);
      const answer = await postJson({ from, url, headers, body, maxBytes, mask, signal });
      if (isFailure(answer)) return answer;
      return read(answer.json, request) ?? misunderstood(from, "it has no list of vectors");
    },
  };
}

/** Below the base address, whatever query that has. */
function addressOf(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  url.hash = "";
  return url;
}

function sameAddress(a: string, b: string): boolean {
  return a.replace(/\/+$/, "") === b;
}

/** Later ones replace earlier ones of the same name, so a header of the user's own wins. */
function makeHeaders(entries: readonly (readonly [string, string])[], provider: string): Headers {
  const headers = new Headers();
  for (const [name, value] of entries) {
    try {
      headers.set(name, value);
    } catch {
      // The error of the platform shows the value.
      throw new LonghandError(
        "config-invalid",
        `The header "${name}" of ${provider} cannot be sent: its name or value has characters that no header may have.`,
        {
          hint: "Check remote.apiKey, remote.headers and the key in the environment for line breaks and quotes.",
        },
      );
    }
  }
  return headers;
}

function keyMissing({ provider, keyVariable }: HttpProvider): LonghandError {
  return new LonghandError("key-missing", `The provider ${provider} needs a key, and there is none.`, {
    hint: `Set ${keyVariable} in the environment, or remote.apiKey in the configuration.`,
  });
}
