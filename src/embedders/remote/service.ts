import type { LonghandError } from "../../errors.ts";
import type { OwnPrompts } from "../local/model-family.ts";

/**
 * An embedding service: one request at a time. `remote-embedder.ts` adds batching, retries, deadlines and checks for all
 * services.
 */
export interface EmbeddingService {
  readonly provider: string;
  readonly model: string;
  /** Hash of everything that identifies this service; see `hashProvider`. */
  readonly providerKey: string;
  /** Null if only its responses show it. */
  readonly dimensions: number | null;
  readonly limits: ServiceLimits | PromiseLike<ServiceLimits>;
  /** List price; null if unknown. */
  readonly usdPerMillionTokens: number | null;
  readonly send: SendTexts;
}

export interface ServiceLimits {
  /** Texts in one request. */
  readonly items: number;
  /** Tokens per text; longer texts are cut. */
  readonly inputTokens: number;
}

export type Purpose = "query" | "document";

interface SendOptions {
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/** A failure is a result, so that it can be classified; only an aborted signal rejects. */
type SendTexts = (texts: readonly string[], options: SendOptions) => Promise<ServiceAnswer | ServiceFailure>;

export interface ServiceAnswer {
  /** In the order of the texts, as received: not checked, not normalised. */
  readonly vectors: readonly ArrayLike<number>[];
  /** As the service counted them; null if it does not say. */
  readonly tokens: number | null;
}

export interface ServiceFailure {
  /**
   * `again`: the same request may succeed later. `limit`: it has too many texts or tokens. `input`: something in it is
   * not accepted, perhaps one text. `final`: no request of this kind will succeed.
   */
  readonly kind: "again" | "limit" | "input" | "final";
  /** Which limit, for the kind `limit`; absent if the service does not say. */
  readonly limit?: "items" | "tokens";
  readonly error: LonghandError;
  /** The HTTP status; absent if there was no response. */
  readonly status?: number;
  /** The delay that the service asks for. */
  readonly retryAfterMs?: number;
}

export function isFailure<Answer extends object | null>(
  answer: Answer | ServiceFailure,
): answer is ServiceFailure {
  return answer !== null && "kind" in answer;
}

/** A key, or another value that must not be shown. */
interface Hidden {
  reveal(): string;
}

/** Options of a network service; everything but the concurrency has a default. */
export interface ServiceOptions {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: Hidden | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, Hidden>> | undefined;
  readonly model?: string | undefined;
  readonly outputDimensionality?: number | undefined;
  /** Replace the model's default prompts; only for services that embed texts as they are. */
  readonly prompts?: OwnPrompts | undefined;
  /** Keys may be sent to an `http://` address on another machine. */
  readonly allowPlainHttp?: boolean | undefined;
}
