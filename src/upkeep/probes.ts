import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError, messageOf, throwIfAborted } from "../errors.ts";
import { requireVectors, type Store } from "../stores/store.ts";
import { monotonicMs } from "../timing.ts";

export interface ProbeOptions {
  readonly signal?: AbortSignal | undefined;
  /** A service that takes longer for a single word is of no use to a search. */
  readonly timeoutMs?: number;
}

/** Whether texts can currently be embedded. */
export interface EmbeddingProbe {
  readonly ok: boolean;
  readonly error?: string;
  /** How to fix the error. */
  readonly hint?: string;
  readonly provider: string;
  readonly model?: string;
  /** The dimensions of a vector. */
  readonly dims?: number;
  readonly durationMs?: number;
}

/** Whether vectors can currently be searched. */
export interface VectorProbe {
  readonly ok: boolean;
  readonly error?: string;
  /** Texts that have vectors. */
  readonly texts: number;
  readonly dims?: number;
  readonly durationMs?: number;
}

/** Both probes, as `status --deep` shows them. */
export interface Probes {
  readonly embedding: EmbeddingProbe;
  readonly vector: VectorProbe;
}

interface Probing {
  probeEmbeddingAvailability(options?: ProbeOptions): Promise<EmbeddingProbe>;
  probeVectorAvailability(options?: ProbeOptions): Promise<VectorProbe>;
}

/** A service that did not answer is not tried twice. */
export async function probeBoth(memory: Probing, options: ProbeOptions): Promise<Probes> {
  const embedding = await memory.probeEmbeddingAvailability(options);
  if (embedding.ok) return { embedding, vector: await memory.probeVectorAvailability(options) };
  return { embedding, vector: { ok: false, texts: 0, error: "not tried: there is no vector" } };
}

const probeText = "memory";

/** Embeds one word. With a service this is one request, of about one token. */
export async function probeEmbedding(
  embedder: Embedder | undefined,
  { signal, timeoutMs = 20_000 }: ProbeOptions = {},
): Promise<EmbeddingProbe & { readonly vector?: Float32Array }> {
  throwIfAborted(signal);
  if (embedder === undefined) return { ok: false, provider: "none", error: "there is no embedder" };
  const { provider, model } = embedder;
  const failed = { ok: false, provider, model } as const;
  const startedMs = monotonicMs();
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    const vector = await embedder.embedQuery(probeText, { signal: either });
    const durationMs = Math.round(monotonicMs() - startedMs);
    if (vector === null) return { ...failed, durationMs, error: "it gave no vector for a word" };
    return { ok: true, provider, model, dims: vector.length, durationMs, vector };
  } catch (error) {
    throwIfAborted(signal);
    const durationMs = Math.round(monotonicMs() - startedMs);
    if (limit.aborted) {
      const hint = "Check the network and whether the service is overloaded.";
      return { ...failed, durationMs, error: `it gave no vector within ${timeoutMs / 1000} seconds`, hint };
    }
    const hint = error instanceof LonghandError ? { hint: error.hint } : {};
    return { ...failed, durationMs, error: messageOf(error), ...hint };
  }
}

/** Searches with a vector from the embedder, to check that stored vectors can be read and compared. */
export async function probeVectors(
  store: Store,
  embedder: Embedder | undefined,
  options: ProbeOptions = {},
): Promise<VectorProbe> {
  const { ok, error = "", vector } = await probeEmbedding(embedder, options);
  if (!ok || embedder === undefined || vector === undefined) return { ok: false, texts: 0, error };
  const startedMs = monotonicMs();
  try {
    const vectors = requireVectors(store);
    await vectors.byVector(embedder.id, vector, { limit: 1 });
    const durationMs = Math.round(monotonicMs() - startedMs);
    const { texts, dims } = await vectors.vectorStatistics(embedder.id);
    return { ok: true, texts, ...(dims === undefined ? {} : { dims }), durationMs };
  } catch (error) {
    return { ok: false, texts: 0, error: messageOf(error) };
  }
}
