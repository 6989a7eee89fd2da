import { LonghandError } from "../errors.ts";
import { parseJson } from "../text/parse-json.ts";
import { excerpt } from "../text/visible.ts";
import type { Embedder } from "./embedder.ts";
import { classifyRefusal } from "./remote/classify-refusal.ts";
import { hashProvider } from "./remote/hash-provider.ts";
import { createMask, type Redact } from "./remote/mask.ts";
import { createRemoteEmbedder, type RemoteEmbedderOptions } from "./remote/remote-embedder.ts";
import type { ServiceFailure } from "./remote/service.ts";

/** The part of an AI SDK embedding model that is used; the package itself is not needed. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: number | undefined | PromiseLike<number | undefined>;
  doEmbed(options: { values: string[]; abortSignal?: AbortSignal }): PromiseLike<{
    readonly embeddings: readonly (readonly number[])[];
    readonly usage?: { readonly tokens: number } | undefined;
  }>;
}

export interface FromAiSdkOptions extends RemoteEmbedderOptions {
  /** Distinguishes two models of the same provider and name, for example at another address. */
  readonly endpoint?: string;
  /** The length at which a text is cut. */
  readonly inputTokens?: number;
}

/** An embedder of any AI SDK embedding model: `openMemory({ embedder: fromAiSdk(model) })`. */
export function fromAiSdk(model: AiSdkEmbeddingModel, options: FromAiSdkOptions = {}): Embedder {
  const { inputTokens = 8192, endpoint = "", ...layers } = options;
  if (typeof model?.doEmbed !== "function") {
    throw new LonghandError("not-supported", "fromAiSdk was not given an embedding model of the AI SDK.", {
      hint: "Give it the object that a provider's textEmbeddingModel(…) or embeddingModel(…) returns, not its name.",
    });
  }
  const { provider, modelId } = model;
  const mask = createMask([], options.redact);
  const limits = Promise.resolve(model.maxEmbeddingsPerCall).then((items) => ({
    items: items ?? Infinity,
    inputTokens,
  }));
  // The first call reports it; until then a rejection must not count as unhandled.
  limits.catch(() => {});
  return createRemoteEmbedder(
    {
      provider,
      model: modelId,
      providerKey: hashProvider({ provider, baseUrl: endpoint, model: modelId }),
      dimensions: null,
      limits,
      usdPerMillionTokens: null,
      async send(texts, { signal }) {
        try {
          const { embeddings, usage } = await model.doEmbed({ values: [...texts], abortSignal: signal });
          return { vectors: embeddings, tokens: usage?.tokens ?? null };
        } catch (error) {
          if (signal.aborted) throw error;
          return classifyFailure(error, `${provider} ${modelId}`, mask);
        }
      },
    },
    layers,
  );
}

/** Errors of the AI SDK have the HTTP status and the message of the service; others only a message. */
function classifyFailure(error: unknown, from: string, mask: Redact): ServiceFailure {
  const { statusCode, responseBody, responseHeaders, isRetryable, message } = (error ?? {}) as {
    readonly statusCode?: unknown;
    readonly responseBody?: unknown;
    readonly responseHeaders?: Readonly<Record<string, string>>;
    readonly isRetryable?: unknown;
    readonly message?: unknown;
  };
  const shown = excerpt(mask(String(message ?? error)));
  if (typeof statusCode === "number") {
    const retryAfter = responseHeaders?.["retry-after"] ?? null;
    return classifyRefusal({
      from,
      status: statusCode,
      retryAfter,
      body: typeof responseBody === "string" ? (parseJson(responseBody) ?? responseBody) : responseBody,
      shown,
    });
  }
  const retryable = isRetryable === true;
  return {
    kind: retryable ? "again" : "final",
    error: new LonghandError("provider-unreachable", `${from} could not embed: ${shown}`, {
      hint: "Check the model that was given to fromAiSdk.",
      retryable,
    }),
  };
}
