import { excerpt } from "../../text/visible.ts";
import {
  type BatchJobsOptions,
  type BatchSettings,
  createBatchJobs,
} from "../batch-jobs/create-batch-jobs.ts";
import { orderByIndex } from "../check-vectors.ts";
import type { Embedder } from "../embedder.ts";
import { classifyRefusal } from "./classify-refusal.ts";
import { createHttpAccess, type HttpAccess, type ProviderFacts } from "./http-access.ts";
import { createRemoteEmbedder, type RemoteEmbedderOptions } from "./remote-embedder.ts";
import { readMessage, requestJson, unexpectedAnswer } from "./send-request.ts";
import {
  type EmbeddingService,
  isFailure,
  type Purpose,
  type ServiceAnswer,
  type ServiceFailure,
  type ServiceOptions,
} from "./service.ts";

/** The differences between providers; everything else about HTTP is the same for all. */
export interface HttpProvider extends ProviderFacts {
  readonly ask: (request: HttpRequest) => { readonly path: string; readonly body: unknown };
  /** Null if the response is not as documented. */
  readonly read: (json: unknown, request: HttpRequest) => ServiceAnswer | null;
  /**
   * Request fields for vectors as base64, which is half the size and much faster to read. If a service
   * refuses them, the request is sent without.
   */
  readonly packed?: Readonly<Record<string, unknown>>;
  /** The name that the service knows the model by: users may write that of the provider before it. */
  readonly modelName: (model: string, options: ServiceOptions) => string;
  readonly createBatches: BatchJobsOptions["createAdapter"];
}

export interface ProviderOptions extends ServiceOptions, Omit<RemoteEmbedderOptions, "batches"> {
  /** Absent: no batch jobs. */
  readonly batch?: BatchSettings | undefined;
  /** Deadlines and clock, if not the default ones. */
  readonly batchTiming?: Pick<BatchJobsOptions, "deadlineMs" | "nowMs">;
}

export function createProviderEmbedder(provider: HttpProvider, options: ProviderOptions): Embedder {
  const { batch: settings, batchTiming, redact, clock } = options;
  const model = options.model && provider.modelName(options.model, options);
  const access = createHttpAccess(provider, { ...options, model }, redact);
  const createAdapter = provider.createBatches;
  const batches =
    settings && createBatchJobs({ settings, access, createAdapter, redact, clock, ...batchTiming });
  return createRemoteEmbedder(createHttpService(provider, access), { ...options, batches });
}

interface HttpRequest {
  readonly texts: readonly string[];
  readonly model: string;
  readonly purpose: Purpose;
  /** Put before each text; may be empty. */
  readonly prompt: string;
  readonly dimensions: number | undefined;
}

/** Numbers are sent as text: this many bytes per vector are enough for 8,000 dimensions with all digits. */
const bytesPerVector = 256 * 1024;
const minBytes = 2 ** 20;
const maxVectorBytes = 256 * 2 ** 20;

/** The maximum size of a response with this number of vectors. */
function maxBytesFor(vectors: number): number {
  return Math.min(maxVectorBytes, minBytes + vectors * bytesPerVector);
}

/** Asks a provider for vectors, one request at a time. */
function createHttpService({ ask, read, packed }: HttpProvider, access: HttpAccess): EmbeddingService {
  const { model, from, headers, mask, urlOf } = access;
  /** Whether vectors are requested in base64: while this is unknown, a refusal may be due to that. */
  let packing: "untried" | "works" | "doubted" | "refused" = packed ? "untried" : "refused";

  async function post(
    request: HttpRequest,
    more: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<ServiceAnswer | ServiceFailure> {
    const { path, body } = ask(request);
    const sent = JSON.stringify({ ...(body as object), ...more });
    const answer = await requestJson(
      { from, method: "POST", url: urlOf(path), headers, body: sent, mask, signal },
      maxBytesFor(request.texts.length),
    );
    if (isFailure(answer)) return answer;
    return (
      read(answer.json, request) ??
      readHiddenError(answer.json) ??
      unexpectedAnswer(from, "it has no list of vectors")
    );
  }

  /** Some gateways answer "200 OK" with an error in the body. */
  function readHiddenError(json: unknown): ServiceFailure | null {
    const { error } = (json ?? {}) as { error?: { code?: unknown } | null };
    const said = readMessage(json);
    if (error === undefined || error === null || said === null) return null;
    const shown = excerpt(mask(said));
    const status = Number(error.code);
    if (!(status >= 400 && status < 600)) return unexpectedAnswer(from, `it is an error: ${shown}`);
    return classifyRefusal({ from, status, body: json, shown });
  }

  return {
    ...access,
    async send(texts, { purpose, signal }) {
      const prompt = access.prompts[purpose];
      const request: HttpRequest = { texts, model, purpose, prompt, dimensions: access.askedDimensions };
      if (packing === "refused") return await post(request, undefined, signal);
      const answer = await post(request, packed, signal);
      if (!isFailure(answer)) packing = "works";
      if (!isFailure(answer) || answer.kind !== "input" || packing !== "untried") return answer;
      packing = "doubted";
      const plain = await post(request, undefined, signal);
      if (!isFailure(plain)) packing = "refused";
      return plain;
    },
  };
}

interface Item {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/**
 * The response format of OpenAI that others adopted: `{data: [{index, embedding}], usage: {total_tokens}}`. A vector is
 * a list of numbers, or base64 of four bytes each, as requested.
 */
export function readIndexed(json: unknown, from: string): ServiceAnswer | null {
  const { data, usage } = (json ?? {}) as { data?: unknown; usage?: { total_tokens?: unknown } | null };
  if (!Array.isArray(data)) return null;
  const items: { index: number | null; vector: ArrayLike<number> }[] = [];
  for (const item of data as (Item | null)[]) {
    const vector = readVector(item?.embedding);
    if (vector === null) return null;
    items.push({ index: typeof item?.index === "number" ? item.index : null, vector });
  }
  return { vectors: orderByIndex(items, from), tokens: readCount(usage?.total_tokens) };
}

function readVector(embedding: unknown): ArrayLike<number> | null {
  if (Array.isArray(embedding)) return embedding;
  if (typeof embedding !== "string") return null;
  const bytes = Buffer.from(embedding, "base64");
  if (bytes.length % 4 !== 0) return null;
  // Views of four bytes must begin at a multiple of four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, bytes.length / 4);
}

/** A token count of a service; null if it is not a number. */
function readCount(tokens: unknown): number | null {
  return Number.isSafeInteger(tokens) && (tokens as number) >= 0 ? (tokens as number) : null;
}
