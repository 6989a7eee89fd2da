import type { HttpAccess, ProviderFacts } from "./http-access.ts";
import { misunderstood, postJson } from "./post-json.ts";
import { type EmbeddingService, isFailure, type Purpose, type ServiceAnswer } from "./service.ts";

/** What tells one provider from another; everything else about HTTP is the same for all. */
export interface HttpProvider extends ProviderFacts {
  readonly ask: (request: HttpRequest) => { readonly path: string; readonly body: unknown };
  /** Null when the answer is not as documented. */
  readonly read: (json: unknown, request: HttpRequest) => ServiceAnswer | null;
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

/** Asks a provider for vectors, one request at a time. */
export function createHttpService({ ask, read }: HttpProvider, access: HttpAccess): EmbeddingService {
  const { provider, model, from, providerKey, limits, headers, mask, urlOf } = access;
  return {
    provider,
    model,
    providerKey,
    dimensions: access.dimensions,
    limits,
    usdPerMillionTokens: access.usdPerMillionTokens,
    async send(texts, { purpose, signal }) {
      const request: HttpRequest = { texts, model, purpose, dimensions: access.askedDimensions };
      const { path, body } = ask(request);
      const maxBytes = Math.min(mostBytes, leastBytes + texts.length * bytesPerVector);
      const answer = await postJson({ from, url: urlOf(path), headers, body, maxBytes, mask, signal });
      if (isFailure(answer)) return answer;
      return read(answer.json, request) ?? misunderstood(from, "it has no list of vectors");
    },
  };
}
