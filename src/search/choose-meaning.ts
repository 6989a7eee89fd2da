import type { Embedder } from "../embedders/embedder.ts";
import { type ChainLink, chainOf, type FallbackChain } from "../embedders/fallback-chain.ts";
import type { VectorStore } from "../stores/store.ts";
import type { MeaningOptions } from "./meaning.ts";
import type { Blend } from "./rank.ts";

/** Search by meaning beside search by word. */
export interface MeaningSettings extends MeaningOptions {
  readonly blend: Blend;
  /** False searches by meaning alone. */
  readonly isHybrid: boolean;
}

/** The embedders that can answer, and how each is used. */
export interface MeaningSource {
  readonly chain: FallbackChain;
  settingsOf(embedder: Embedder): MeaningSettings;
}

export interface MeaningParts {
  readonly store: Pick<VectorStore, "missingVectors" | "vectorSets">;
  /** Absent searches by word alone. */
  readonly meaning?: MeaningSource | undefined;
}

export interface MeaningChoice {
  readonly meaning: MeaningSettings | undefined;
  readonly link?: ChainLink;
  /** How far the chosen embedder is, and who answers meanwhile; null when it has enough. */
  readonly note: string | null;
}

/** One embedder, which nothing stands in for. */
export function meaningOf(settings: MeaningSettings): MeaningSource {
  return { chain: chainOf(settings.embedder), settingsOf: () => settings };
}

/** Less than one of so many chunks without a vector is not worth a word: notes are written all the time. */
const notedShare = 20;

/**
 * Who answers a question about meaning: the first embedder of the chain that is not failing. After a change of provider or
 * model it takes time and perhaps money until all texts have their new vectors. Until then the next one of the chain that
 * knows more of the chunks answers: with its own vectors for the question and the notes, because those of two embedders
 * cannot be compared.
 */
export async function chooseMeaning(
  { store, meaning }: MeaningParts,
  totalChunks: number,
  tried: ReadonlySet<ChainLink> = new Set(),
): Promise<MeaningChoice> {
  if (meaning === undefined) return { meaning: undefined, note: null };
  const { chain, settingsOf } = meaning;
  const [preferred] = chain.links;
  await preferred?.open();
  await chain.learn();
  const usable = chain.usable("query").filter((link) => !tried.has(link));
  for (const [at, link] of usable.entries()) {
    const embedder = await link.open();
    if (embedder === null) continue;
    const chosen = { meaning: settingsOf(embedder), link };
    const isAtOnce = link === preferred && !embedder.isSlow;
    if (isAtOnce || (await store.missingVectors(embedder.id, 1)).length === 0) {
      return { ...chosen, note: null };
    }
    const sets = await store.vectorSets();
    const missing = sets.find((set) => set.id === embedder.id)?.missing ?? totalChunks;
    const total = Math.max(totalChunks, missing);
    const done = `${total - missing} of ${total} chunks have their vectors of ${link.provider}`;
    for (const other of usable.slice(at + 1)) {
      const better = sets.filter((set) => set.provider === other.provider && set.missing < missing);
      const second = better.length === 0 ? null : await other.open();
      // There may be vectors of an earlier version of it, which this one cannot compare.
      if (second === null || !better.some(({ id }) => id === second.id)) continue;
      const note = `${done}; the ${second.provider} model answers meanwhile`;
      return { meaning: settingsOf(second), link: other, note };
    }
    // A stand-in that has no vectors yet has nothing to compare the question with.
    if (link !== preferred && missing >= total) continue;
    const isNoted = missing * notedShare > total;
    const note = isNoted ? `${done}; the others are found by their words meanwhile` : null;
    return { ...chosen, note };
  }
  return { meaning: undefined, note: null };
}
