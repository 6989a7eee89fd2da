import type { Store } from "../stores/store.ts";
import type { MeaningOptions } from "./meaning.ts";
import type { Blend } from "./rank.ts";

/** Search by meaning beside search by word. */
export interface MeaningSettings extends MeaningOptions {
  readonly blend: Blend;
  /** False searches by meaning alone. */
  readonly isHybrid: boolean;
}

/** Another embedder, whose vectors may be more complete than those of the chosen one. */
export interface Standby {
  readonly provider: string;
  /** Opened when its vectors are there and needed. Null when it cannot be. */
  open(): Promise<MeaningSettings | null>;
}

export interface MeaningParts {
  readonly store: Pick<Store, "missingVectors" | "vectorSets">;
  /** Absent searches by word alone. */
  readonly meaning?: MeaningSettings | undefined;
  readonly standby?: Standby | undefined;
}

export interface MeaningChoice {
  readonly meaning: MeaningSettings | undefined;
  /** How far the chosen embedder is, and who answers meanwhile; null when it has enough. */
  readonly note: string | null;
}

/** Less than one of so many chunks without a vector is not worth a word: notes are written all the time. */
const notedShare = 20;

/**
 * Who answers a question about meaning. After a change of provider or model it takes time and perhaps money until all
 * texts have their new vectors. Until then the standby answers, as long as it knows more of the chunks: with its own
 * vectors for the question and the notes, because those of two embedders cannot be compared.
 */
export async function chooseMeaning(
  { store, meaning, standby }: MeaningParts,
  totalChunks: number,
): Promise<MeaningChoice> {
  const isComplete =
    !meaning?.embedder.isSlow || (await store.missingVectors(meaning.embedder.id, 1)).length === 0;
  if (meaning === undefined || isComplete) return { meaning, note: null };
  const { id, provider } = meaning.embedder;
  const sets = await store.vectorSets();
  const missing = sets.find((set) => set.id === id)?.missing ?? totalChunks;
  const total = Math.max(totalChunks, missing);
  const done = `${total - missing} of ${total} chunks have their vectors of ${provider}`;
  const isBetter = (set: (typeof sets)[number]): boolean =>
    set.provider === standby?.provider && set.missing < missing;
  if (sets.some(isBetter)) {
    const second = await standby!.open();
    // There may be vectors of an earlier version of it, which this one cannot compare.
    if (second !== null && sets.some((set) => isBetter(set) && set.id === second.embedder.id)) {
      return { meaning: second, note: `${done}; the ${second.embedder.provider} model answers meanwhile` };
    }
  }
  const isNoted = missing * notedShare > total;
  return { meaning, note: isNoted ? `${done}; the others are found by their words meanwhile` : null };
}
