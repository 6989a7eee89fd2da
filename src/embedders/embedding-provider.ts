import { LonghandError, messageOf } from "../errors.ts";
import { excerpt } from "../text/visible.ts";
import type { Embedder } from "./embedder.ts";
import { hashProvider } from "./remote/hash-provider.ts";
import { createMask, type Redact } from "./remote/mask.ts";
import { createRemoteEmbedder, type RemoteEmbedderOptions } from "./remote/remote-embedder.ts";
import type { ServiceFailure } from "./remote/service.ts";

/** An embedding provider as OpenClaw and several frameworks define it: one method for questions, one for documents. */
export interface EmbeddingProvider {
  /** Names the provider, such as `openai`. */
  readonly id?: string;
  readonly model?: string;
  /** The length at which a text is cut. */
  readonly maxInputTokens?: number;
  embedQuery(text: string, options?: { readonly signal?: AbortSignal }): PromiseLike<ArrayLike<number>>;
  embedBatch(
    texts: string[],
    options?: { readonly signal?: AbortSignal },
  ): PromiseLike<readonly ArrayLike<number>[]>;
  close?(): unknown;
}

export interface FromEmbeddingProviderOptions extends RemoteEmbedderOptions {
  /** Name of the provider, where the object has no `id`. */
  readonly id?: string;
  /** Name of the model, where the object has no `model`. Vectors of two names are never compared. */
  readonly model?: string;
  /** Distinguishes two models of the same name, such as one at another address. */
  readonly endpoint?: string;
  /** Texts in one call of `embedBatch`. */
  readonly maxBatch?: number;
}

/** An embedder of any `{embedQuery, embedBatch}`: `openMemory({ embedder: fromEmbeddingProvider(provider) })`. */
export function fromEmbeddingProvider(
  provider: EmbeddingProvider,
  options: FromEmbeddingProviderOptions = {},
): Embedder {
  const { id: givenId, model: givenModel, endpoint = "", maxBatch = 128, ...layers } = options;
  if (typeof provider?.embedQuery !== "function" || typeof provider.embedBatch !== "function") {
    throw new LonghandError(
      "not-supported",
      "fromEmbeddingProvider was not given an object with embedQuery and embedBatch.",
      { hint: "Give it the provider itself. For a model of the AI SDK use fromAiSdk." },
    );
  }
  const model = givenModel ?? provider.model;
  if (!model) {
    throw new LonghandError("not-supported", "The embedding provider does not name its model.", {
      hint: "Name it: fromEmbeddingProvider(provider, { model: … }). Vectors of different models must never be compared.",
    });
  }
  const id = givenId ?? provider.id ?? "custom";
  const mask = createMask([], options.redact);
  const embedder = createRemoteEmbedder(
    {
      provider: id,
      model,
      providerKey: hashProvider({ provider: id, baseUrl: endpoint, model }),
      dimensions: null,
      limits: { items: maxBatch, inputTokens: provider.maxInputTokens ?? 8192 },
      usdPerMillionTokens: null,
      async send(texts, { purpose, signal }) {
        try {
          const vectors =
            purpose === "query"
              ? [await provider.embedQuery(texts[0]!, { signal })]
              : await provider.embedBatch([...texts], { signal });
          return { vectors, tokens: null };
        } catch (error) {
          if (signal.aborted) throw error;
          return readFailure(error, `${id} ${model}`, mask);
        }
      },
    },
    layers,
  );
  return {
    ...embedder,
    get dimensions() {
      return embedder.dimensions;
    },
    async [Symbol.asyncDispose]() {
      await embedder[Symbol.asyncDispose]();
      await provider.close?.();
    },
  };
}

/** OpenClaw's providers leave retrying to the caller and name the HTTP status only in their message. */
function readFailure(error: unknown, from: string, mask: Redact): ServiceFailure {
  const message = messageOf(error);
  const retryable = isTransient(error, message);
  return {
    kind: retryable ? "again" : "final",
    error: new LonghandError("provider-unreachable", `${from} could not embed: ${excerpt(mask(message))}`, {
      hint: "Check the provider that was given to fromEmbeddingProvider.",
      retryable,
    }),
  };
}

/** A rate limit or an outage passes; an exhausted quota does not, although its status is the same. */
function isTransient(error: unknown, message: string): boolean {
  if (/insufficient_quota|billing/i.test(message)) return false;
  const { status, statusCode } = (error ?? {}) as {
    readonly status?: unknown;
    readonly statusCode?: unknown;
  };
  const given = status ?? statusCode;
  if (typeof given === "number") return given === 429 || given >= 500;
  return /rate[ _-]?limit|too many requests|\b(?:429|50[0234])\b/i.test(message);
}
