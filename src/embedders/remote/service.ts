import type { LonghandError } from "../../errors.ts";
import type { OwnPrompts } from "../local/model-family.ts";

/**
 * An embedding service as the layers see it: one request at a time and nothing else. Batching, retrying, deadlines and
 * checking are wrapped around it by `remote-embedder.ts`, the same for every service.
 */
export interface EmbeddingService {
  readonly provider: string;
  readonly model: string;
  /** Hash of all that tells this service from another; see `hashProvider`. */
  readonly providerKey: string;
  /** Null where only its answers tell. */
  readonly dimensions: number | null;
  readonly limits: ServiceLimits | PromiseLike<ServiceLimits>;
  /** List price; null where it is not known. */
  readonly usdPerMillionTokens: number | null;
  readonly send: SendTexts;
}

export interface ServiceLimits {
  /** Texts in one request. */
  readonly items: number;
  /** Tokens of one text; longer ones are cut. */
  readonly inputTokens: number;
}

export type Purpose = "query" | "document";

export interface SendOptions {
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/** A failure is an answer too, so that it can be classified; only an aborted signal rejects. */
export type SendTexts = (
  texts: readonly string[],
  options: SendOptions,
) => Promise<ServiceAnswer | ServiceFailure>;

export interface ServiceAnswer {
  /** In the order of the texts, as they came: not checked, not normalised. */
  readonly vectors: readonly ArrayLike<number>[];
  /** As the service counted them; null where it does not say. */
  readonly tokens: number | null;
}

export interface ServiceFailure {
  /**
   * `again`: the same request may succeed later. `limit`: it has too many texts or tokens. `input`: something in it is
   * not accepted, perhaps one text. `final`: no request of this kind will succeed.
   */
  readonly kind: "again" | "limit" | "input" | "final";
  /** Which limit, of a failure of kind `limit`; absent where the service does not say. */
  readonly limit?: "items" | "tokens";
  readonly error: LonghandError;
  /** Of HTTP; absent when there was no answer. */
  readonly status?: number;
  /** How long the service wants to be left alone. */
  readonly retryAfterMs?: number;
}

export function isFailure<Answer extends object>(answer: Answer | ServiceFailure): answer is ServiceFailure {
  return "kind" in answer;
}

/** A key, or another value that must not be seen. */
export interface Hidden {
  reveal(): string;
}

/** Options of a network service; everything has a default but the number of requests at once. */
export interface ServiceOptions {
  readonly baseUrl?: string;
  readonly apiKey?: Hidden;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, Hidden>>;
  readonly model?: string;
  readonly outputDimensionality?: number;
  /** Instead of the usual prompts of the model; only where the service takes texts as they are. */
  readonly prompts?: OwnPrompts;
  /** Keys may be sent to an `http://` address on another machine. */
  readonly allowPlainHttp?: boolean;
}
