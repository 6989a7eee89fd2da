import type { Embedder } from "../embedders/embedder.ts";
import { type ChainLink, chainOf, type FallbackChain } from "../embedders/fallback-chain.ts";
import { LonghandError } from "../errors.ts";
import type { VectorStore } from "../stores/store.ts";
import type { WordModel } from "./assist.ts";
import type { Blend } from "./rank.ts";
import type { SemanticOptions } from "./semantic-search.ts";

/** How semantic search is combined with keyword search. */
export interface SemanticSettings extends SemanticOptions {
  readonly blend: Blend;
  /** False uses semantic search alone. */
  readonly isHybrid: boolean;
  /** Opens the builtin model, which compares words, whichever embedder compares chunks; absent if it may not. */
  readonly openWordModel?: () => Promise<WordModel | null>;
}

/** The embedders that can answer, and the settings of each. */
export interface SemanticSource {
  readonly chain: FallbackChain;
  settingsOf(embedder: Embedder): SemanticSettings;
}

export interface SemanticParts {
  readonly store: Pick<VectorStore, "missingVectors" | "vectorSets">;
  /** Absent for keyword search only. */
  readonly semantic?: SemanticSource | undefined;
}

export interface SemanticChoice {
  readonly semantic: SemanticSettings | undefined;
  readonly link?: ChainLink;
  /** The progress of the chosen embedder, and its fallback meanwhile; null if it has enough vectors. */
  readonly note: string | null;
}

/** A single embedder without a fallback. */
export function semanticSourceOf(settings: SemanticSettings): SemanticSource {
  return { chain: chainOf(settings.embedder), settingsOf: () => settings };
}

/** Fewer missing vectors than one in this many chunks are not reported: notes are written all the time. */
const notedShare = 20;

/**
 * Chooses the first embedder of the chain that is not failing. After a change of provider or model, embedding all
 * texts again takes time and perhaps money. Until then the next embedder of the chain that has more vectors answers,
 * both for the query and the notes, because the vectors of two embedders cannot be compared.
 */
export async function chooseQueryEmbedder(
  { store, semantic }: SemanticParts,
  totalChunks: number,
  tried: ReadonlySet<ChainLink> = new Set(),
): Promise<SemanticChoice> {
  if (semantic === undefined) return { semantic: undefined, note: null };
  const { chain, settingsOf } = semantic;
  const [preferred] = chain.links;
  await preferred?.open();
  await chain.learn();
  const usable = chain.usable("query").filter((link) => !tried.has(link));
  for (const [at, link] of usable.entries()) {
    const embedder = await link.open();
    if (embedder === null) continue;
    const chosen = { semantic: settingsOf(embedder), link };
    // The builtin model keeps up with every sync. Another that answers at once may have stopped answering.
    const keepsUp = link === preferred && link.provider === "builtin" && !embedder.isSlow;
    if (keepsUp || !(await lacksVectors(store, embedder.id))) return { ...chosen, note: null };
    const sets = await store.vectorSets();
    const missing = sets.find((set) => set.id === embedder.id)?.missing ?? totalChunks;
    const total = Math.max(totalChunks, missing);
    const done = `${total - missing} of ${total} chunks have their vectors of ${link.provider}`;
    for (const other of usable.slice(at + 1)) {
      const better = sets.filter((set) => set.provider === other.provider && set.missing < missing);
      const second = better.length === 0 ? null : await other.open();
      // The vectors may come from an earlier version of it, which are not comparable.
      if (second === null || !better.some(({ id }) => id === second.id)) continue;
      const note = `${done}; the ${second.provider} model answers meanwhile`;
      return { semantic: settingsOf(second), link: other, note };
    }
    // A fallback without vectors has nothing to compare the query with.
    if (link !== preferred && missing >= total) continue;
    const isNoted = missing * notedShare > total;
    const note = isNoted ? `${done}; the others are found by keyword search meanwhile` : null;
    return { ...chosen, note };
  }
  return { semantic: undefined, note: null };
}

/** False if the store is busy: the search must not fail because of it, and finds out itself what it can compare. */
async function lacksVectors(store: SemanticParts["store"], embedderId: string): Promise<boolean> {
  try {
    return (await store.missingVectors(embedderId, 1)).length > 0;
  } catch (error) {
    if (error instanceof LonghandError && error.code === "index-busy") return false;
    throw error;
  }
}
