import type { Fallback } from "../embedders/fallback-chain.ts";
import type { SourceName } from "../text/document.ts";
import type { MemoryLayer } from "../text/layer-path.ts";
import type { ConfidenceLevel } from "./confidence.ts";

/** Reported in `degraded` for a query that is empty or has only punctuation. */
export const noWordsReason = "the query has no words to look for";

export interface SearchOptions {
  readonly maxResults?: number;
  readonly minScore?: number;
  readonly source?: SourceName;
  /** Search only one layer, the project's memory or the user's. By default both, if the session may see them. */
  readonly scope?: MemoryLayer;
  /** `YYYY-MM-DD`, inclusive. */
  readonly since?: string;
  readonly until?: string;
  /** A glob on the hit's path. */
  readonly path?: string;
  /** Only notes with all of these comma-separated tags. `a` also means `a/b`. */
  readonly tag?: string;
  /** Only notes that link to this one. */
  readonly linksTo?: string;
  /** Only these notes, by path. */
  readonly paths?: readonly string[];
  /** Keyword search only, without the embedder. */
  readonly keywordOnly?: boolean;
  /** The session that asks; a group or channel (or an unknown kind) does not see private notes. */
  readonly sessionKey?: string;
  /** Maximum characters of all snippets together, instead of the setting. */
  readonly maxInjectedChars?: number;
  readonly explain?: boolean;
  /** Also return the matching lines of each hit, without those around them. */
  readonly matchedLines?: boolean;
  /** `PATH:LINE`: explain at which stage that line was lost. */
  readonly whyNot?: string;
  /** Called with the progress of indexing, if the search has to catch up with the notes first. */
  readonly progress?: (state: { completed: number; total: number; label: string }) => void;
  readonly signal?: AbortSignal;
}

export interface SearchHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** 0..1; see docs/search.md. */
  readonly score: number;
  readonly snippet: string;
  readonly source: SourceName;
  /** The layer it comes from; absent if there is only the project's. */
  readonly layer?: MemoryLayer;
  /** `path#L5` or `path#L5-L7`. */
  readonly citation?: string;
  readonly headings: readonly string[];
  /** Of a conversation: the beginning of its first user message, if there is one. */
  readonly title?: string;
  readonly date?: string;
  /** null if that search did not take part. */
  readonly textScore: number | null;
  readonly vectorScore: number | null;
  /** Warnings about the text; absent if there are none. See docs/safety.md. */
  readonly flags?: readonly HitFlag[];
  /** The origin of the entry, if it was noted: `tool 14:05`, `session 4711 line 12`. */
  readonly origin?: string;
  readonly matchedLines?: readonly number[];
  /** A newer line that contradicts it; see docs/living-memory.md. */
  readonly supersededBy?: SupersededBy;
  readonly explain?: HitExplanation;
}

export interface SupersededBy {
  readonly path: string;
  readonly line: number;
  /** The line of the hit that is possibly superseded. */
  readonly oldLine: number;
}

/**
 * `instruction-like`: text that seems to tell an agent what to do. `hidden-characters`: invisible characters, or
 * characters that change the reading direction. Flags are only reported; nothing is removed.
 */
export type HitFlag = "instruction-like" | "hidden-characters";

export interface SearchAnswer {
  readonly results: readonly SearchHit[];
  /** 0..1: how likely the notes answer the question at all; 0 without a hit. See docs/search.md. */
  readonly confidence: number;
  /** The same in a word. `low`: treat the hits as unrelated unless they say otherwise. */
  readonly confidenceLevel: ConfidenceLevel;
  readonly mode: "hybrid" | "keyword" | "vector";
  readonly provider: string;
  readonly model: string | null;
  /** Who answered instead of the configured provider or backend, and why. */
  readonly fallback?: Fallback;
  /** Reasons why the answer is weaker than it could be; empty if all is well. */
  readonly degraded: readonly string[];
  /** The index was known to be stale when it answered. */
  readonly stale: boolean;
  readonly explain?: AnswerExplanation;
  readonly whyNot?: WhyNot;
}

/** How one hit got its score. */
export interface HitExplanation {
  readonly terms: readonly { term: string; weight: number; occurrences: number; contribution: number }[];
  readonly text: number | null;
  readonly vector: number | null;
  /** Fraction of the query, by weight, that it lacks but has similar words for; absent if they were not compared. */
  readonly similarWords?: number;
  /** Factor of temporal decay; 1 when it is off or does not apply. */
  readonly decay: number;
  /** The floor that the hit had to reach. */
  readonly floor: number;
}

export interface AnswerExplanation {
  readonly tokens: readonly { token: string; chunks: number; weight: number; note?: string }[];
  readonly candidates: { readonly keyword: number; readonly vector: number; readonly aboveFloor: number };
  /** What is known about the embedder, if the scores were fused by evidence. */
  readonly embedder?: {
    /** How well it tells sentences of the notes apart: 0.5 is chance, 1 perfect; null while unknown. */
    readonly separation: number | null;
    /** Standard deviations by which it ranks answers above other chunks, learned from the queries so far. */
    readonly strength: number;
  };
  readonly timings: Readonly<Record<string, number>>;
}

/** Where a line was lost on its way into the results. */
export interface WhyNot {
  readonly path: string;
  readonly line: number;
  readonly stage:
    | "returned"
    | "not-indexed"
    | "filtered"
    | "no-matching-word"
    | "not-a-candidate"
    | "below-floor"
    | "merged"
    | "below-limit";
  readonly reason: string;
}

export interface Searcher {
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
}
