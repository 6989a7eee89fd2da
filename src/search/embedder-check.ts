import type { Embedder } from "../embedders/embedder.ts";
import type { DocumentSummary, StoredChunk, VectorStore } from "../stores/store.ts";
import { fieldsOf } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";
import { settleWithin } from "../timing.ts";
import {
  type ChunkDeviations,
  correlate,
  keywordDeviations,
  lnUpperTail,
  spreadOf,
  standardise,
} from "./deviations.ts";

/**
 * How well an embedder works on the user's own notes: sentences taken from chunks are used as queries, and the chunk
 * of each sentence should be among the most similar.
 */
export interface EmbedderCheck {
  readonly sentences: number;
  /** Mean fraction of chunks that are less similar to a sentence than its own chunk: 0.5 is chance, 1 perfect. */
  readonly separation: number;
  /** Standard deviation of the similarities of unrelated chunks. */
  readonly spread: number;
  /** Mean standard deviations above the median of the best chunk that is not the sentence's own. */
  readonly reach: number;
  /**
   * Correlation of similarity with keyword evidence, over chunks that are not the sentence's own, 0..1. An embedder
   * that finds the same words as keyword search adds little to it.
   */
  readonly correlation: number;
  /** Chunks in the index at the time of the check. */
  readonly chunks: number;
}

interface EmbedderChecks {
  /** The check of this embedder on this index; null while it is unknown or impossible. */
  get(embedder: Embedder, totalChunks: number, waitMs: number): Promise<EmbedderCheck | null>;
}

/** The keyword evidence (see `KeywordEvidence`) of the chunks that keyword search finds for a text. */
export type KeywordEvidenceOf = (text: string, totalChunks: number) => Promise<ReadonlyMap<number, number>>;

type CheckedStore = Pick<
  VectorStore,
  "documents" | "chunksOf" | "byVector" | "similarities" | "readFact" | "writeFact"
>;

/** What one sentence shows. */
interface Sample {
  /** The fraction of chunks that are less similar to the sentence than its own. */
  readonly share: number;
  readonly spread: number;
  readonly reach: number | null;
  readonly compared: readonly ChunkDeviations[];
}

/** A check that is not finished: a process that ends earlier leaves the other sentences to the next. */
interface PartialCheck {
  readonly chunks: number;
  /** By position among the sampled sentences; null for one that says nothing. */
  readonly samples: ReadonlyMap<number, Sample | null>;
}

const sentenceCount = 32;
const minSentences = 12;
const minChunks = 20;
/** The same concurrency that a sync uses. */
const concurrency = 4;

/** Chance is 0.5 ± 0.05 for this many sentences; any model that knows the language is far above. */
export function understandingOf(check: EmbedderCheck | null): number {
  return check === null ? 1 : Math.min(1, Math.max(0, (check.separation - 0.6) / 0.2));
}

/** One check per embedder and index, stored in the index and repeated when the index has doubled or halved. */
export function createEmbedderChecks(
  store: CheckedStore,
  keywordEvidenceOf: KeywordEvidenceOf,
): EmbedderChecks {
  const known = new Map<string, EmbedderCheck | null>();
  const running = new Map<string, Promise<EmbedderCheck | null>>();
  const partial = new Map<
    string,
    { readonly chunks: number; readonly samples: Map<number, Sample | null> }
  >();

  async function make(embedder: Embedder, totalChunks: number): Promise<EmbedderCheck | null> {
    const { id } = embedder;
    const fact = known.has(id) ? null : await store.readFact(factName(id));
    const stored = parseCheck(fact);
    const usable = stored !== null && isCurrent(stored, totalChunks);
    const begun = parsePartial(fact);
    const samples = new Map(begun !== null && isCurrent(begun, totalChunks) ? begun.samples : []);
    partial.set(id, { chunks: totalChunks, samples });
    const check = usable
      ? stored
      : await checkEmbedder(store, keywordEvidenceOf, embedder, { totalChunks, samples }).catch(() => null);
    partial.delete(id);
    // The embedder changed during the check, so some sentences were compared under another id.
    if (embedder.id !== id) return null;
    known.set(id, check);
    // If the index is read-only, the next process checks again.
    if (!usable && check !== null) {
      await store.writeFact(factName(id), JSON.stringify(check)).catch(() => {});
    }
    return check;
  }

  return {
    async get(embedder, totalChunks, waitMs) {
      if (totalChunks < minChunks) return null;
      const last = known.get(embedder.id);
      if (last && isCurrent(last, totalChunks)) return last;
      const { id } = embedder;
      let check = running.get(id);
      if (check === undefined) {
        check = make(embedder, totalChunks).finally(() => running.delete(id));
        running.set(id, check);
      }
      const found = await settleWithin(waitMs, check);
      if (found !== undefined) return found;
      const begun = partial.get(id);
      if (begun !== undefined && begun.samples.size > 0) {
        const { chunks, samples } = begun;
        await store
          .writeFact(factName(id), JSON.stringify({ chunks, samples: [...samples] }))
          .catch(() => {});
      }
      return last ?? null;
    },
  };
}

/** Null if there are too few sentences, or the store cannot list documents. */
async function checkEmbedder(
  store: CheckedStore,
  keywordEvidenceOf: KeywordEvidenceOf,
  embedder: Embedder,
  { totalChunks, samples }: { readonly totalChunks: number; readonly samples: Map<number, Sample | null> },
): Promise<EmbedderCheck | null> {
  const documents = await store.documents?.();
  if (documents === undefined) return null;
  const sentences: { readonly id: number; readonly text: string }[] = [];
  for (const chunk of await sampleChunks(store, documents)) {
    const text = sentenceOf(chunk);
    if (text !== null) sentences.push({ id: chunk.id, text });
  }
  const sampleOf = async ({ id, text }: (typeof sentences)[number]): Promise<Sample | null> => {
    const vector = await embedder.embedQuery(text);
    if (vector === null) return null;
    const { candidates, median } = await store.byVector(embedder.id, vector, { limit: 40 });
    const keywords = await keywordEvidenceOf(text, totalChunks);
    const similarities = await store.similarities(embedder.id, vector, [id, ...keywords.keys()]);
    const own = similarities.get(id);
    if (own === undefined) return null;
    const best = candidates.map(({ similarity }) => similarity);
    const all = { best, median, totalChunks };
    const deviations = standardise(all, 0);
    const other = candidates.find((candidate) => candidate.id !== id);
    const compared: ChunkDeviations[] = [];
    for (const [chunkId, evidence] of keywords) {
      const similarity = similarities.get(chunkId);
      if (chunkId === id || similarity === undefined) continue;
      compared.push({ keyword: keywordDeviations(evidence), similarity: deviations(similarity) });
    }
    return {
      share: -Math.expm1(lnUpperTail(deviations(own))),
      spread: spreadOf(all),
      reach: other === undefined ? null : deviations(other.similarity),
      compared,
    };
  };
  const left = [...sentences.entries()].filter(([place]) => !samples.has(place)).values();
  const work = async (): Promise<void> => {
    for (const [place, sentence] of left) samples.set(place, await sampleOf(sentence));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const inOrder = sentences.flatMap((_, place) => samples.get(place) ?? []);
  return summarise(inOrder, totalChunks);
}

function summarise(samples: readonly Sample[], chunks: number): EmbedderCheck | null {
  if (samples.length < minSentences) return null;
  const spreads = samples.map(({ spread }) => spread).sort((a, b) => a - b);
  return {
    sentences: samples.length,
    separation: meanOf(samples.map(({ share }) => share)),
    spread: spreads[Math.floor(spreads.length / 2)]!,
    reach: meanOf(samples.flatMap(({ reach }) => reach ?? [])),
    correlation: correlate(
      samples.flatMap(({ compared }) => compared),
      0,
    ),
    chunks,
  };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

/** Samples chunks evenly over all documents. */
async function sampleChunks(
  store: CheckedStore,
  documents: readonly DocumentSummary[],
): Promise<StoredChunk[]> {
  const total = documents.reduce((sum, { chunks }) => sum + chunks, 0);
  const sampled: StoredChunk[] = [];
  let [before, taken] = [0, 0];
  for (const { source, path, chunks } of documents) {
    const places: number[] = [];
    for (; taken < sentenceCount; taken++) {
      const place = Math.floor(((taken + 0.5) * total) / sentenceCount) - before;
      if (place >= chunks) break;
      places.push(place);
    }
    before += chunks;
    if (places.length === 0) continue;
    const all = await store.chunksOf(source, path);
    for (const place of new Set(places)) if (all[place]) sampled.push(all[place]);
  }
  return sampled;
}

/** A sentence from the second half of a chunk; null if it would be most of the chunk. */
function sentenceOf({ text }: StoredChunk): string | null {
  const sentences = text
    .split(/\n|(?<=[.!?])\s+|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 15 && /\p{L}/u.test(sentence));
  const sentence = sentences[Math.floor(sentences.length * 0.6)]?.slice(0, 200);
  return sentence === undefined || 2 * sentence.length > text.length ? null : sentence;
}

/** The last check that was stored in the index. */
export async function readEmbedderCheck(
  store: Pick<VectorStore, "readFact">,
  embedderId: string,
): Promise<EmbedderCheck | null> {
  return parseCheck(await store.readFact(factName(embedderId)));
}

function factName(embedderId: string): string {
  return `embedder-check:${embedderId}`;
}

function isCurrent({ chunks }: Pick<EmbedderCheck, "chunks">, totalChunks: number): boolean {
  return totalChunks <= 2 * chunks && chunks <= 2 * totalChunks;
}

/** Only longhand writes it, and a wrong one can do no worse than an embedder that is wrong. */
function parsePartial(fact: string | null): PartialCheck | null {
  if (fact === null) return null;
  try {
    const { chunks, samples } = JSON.parse(fact);
    const isWhole = (sample: Sample | null): boolean =>
      sample === null ||
      ([sample.share, sample.spread, sample.reach ?? 0].every((value) => Number.isFinite(value)) &&
        sample.compared.every(
          ({ keyword, similarity }) => Number.isFinite(keyword) && Number.isFinite(similarity),
        ));
    const known = new Map<number, Sample | null>(samples);
    return Number.isFinite(chunks) && [...known.values()].every(isWhole) ? { chunks, samples: known } : null;
  } catch {
    // A finished check, or written by another version.
    return null;
  }
}

function parseCheck(fact: string | null): EmbedderCheck | null {
  const { sentences, separation, spread, reach, correlation, chunks } = fieldsOf(parseJson(fact ?? ""));
  const check = { sentences, separation, spread, reach, correlation, chunks };
  // If it was written by another version or edited by hand, the embedder is checked again.
  return Object.values(check).every((value) => Number.isFinite(value)) ? (check as EmbedderCheck) : null;
}
