import { throwIfAborted } from "../errors.ts";
import type { ChunkFilter, StoredChunk } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";
import { type Analyzer, tokensOf } from "../text/words/analyze.ts";
import { monotonicMs } from "../timing.ts";
import { type AlignedPassage, alignPassages, wordShare } from "./assist.ts";
import type { SemanticParts } from "./choose-query-embedder.ts";
import { describeConfidence, readFeatures, semanticFromEvidence, semanticFromScore } from "./confidence.ts";
import { createStrengthLearners } from "./embedder-strength.ts";
import { readFilter } from "./filter.ts";
import { candidateTokens, findCandidates } from "./find-candidates.ts";
import { compareStrengths } from "./fuse-evidence.ts";
import { draftHits, type HitDraft, type RankedPassage } from "./hits.ts";
import type { SearchedStore } from "./join-stores.ts";
import { frontMatterLines } from "./line-kinds.ts";
import { createLineTable, type LineTable } from "./line-table.ts";
import { createMatchFinder, type MatchFinder } from "./matches.ts";
import { liftTitled, readNamedNotes } from "./named-notes.ts";
import { createPassageScorer } from "./passages.ts";
import { explainAnswer, presentHits } from "./present.ts";
import { clamp, identifiersOf, type QueryTerm } from "./query-terms.ts";
import { maxQueryChars, readQueryWords } from "./query-words.ts";
import { diversify, type RankOptions, rankPassages, withAlignment } from "./rank.ts";
import {
  type AnswerExplanation,
  noWordsReason,
  type SearchAnswer,
  type Searcher,
  type SearchOptions,
} from "./search.ts";
import type { VectorResult } from "./semantic-search.ts";
import { createSupersededFinder } from "./superseded.ts";
import { createUnderstanding } from "./understand-query.ts";
import { explainWhyNot } from "./why-not.ts";

export interface SearchSettings {
  readonly maxResults: number;
  readonly minScore: number;
  readonly maxSnippetChars: number;
  readonly maxInjectedChars: number;
  readonly candidateMultiplier: number;
  readonly temporalDecay: {
    readonly enabled: boolean;
    readonly halfLifeDays: number;
    readonly undated: "keep" | "modified";
  };
  readonly mmr: { readonly enabled: boolean; readonly lambda: number };
}

export interface SearcherParts extends SemanticParts {
  readonly store: SearchedStore;
  readonly analyzer: Analyzer;
  readonly settings: SearchSettings;
  /** Sources a search may name, in addition to those that have documents in the index. */
  readonly sources?: readonly string[];
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: () => string;
  /** The day a note's file was last modified, in the same time zone. */
  readonly dayModified?: ((path: string) => string | undefined) | undefined;
}

/** The state of one search; `--explain` and `--why-not` read it afterwards. */
export interface SearchTrace {
  readonly filter: ChunkFilter;
  readonly terms: readonly QueryTerm[];
  readonly finder: MatchFinder;
  readonly found: { readonly keyword: number; readonly vector: number };
  readonly candidates: readonly StoredChunk[];
  readonly table: LineTable;
  readonly ranked: readonly RankedPassage[];
  readonly aboveFloor: readonly RankedPassage[];
  readonly drafts: readonly HitDraft[];
  readonly minScore: number;
  /** What the builtin model says about the words of a passage; absent if it was not asked. */
  readonly alignedOf?: (ranked: RankedPassage) => AlignedPassage | undefined;
}

const maxCandidates = 200;
/** Aligning words costs time per passage, and passages below this rank rarely become hits. */
const maxAligned = 32;

/**
 * Turns a query into ranked hits: keyword and semantic search → candidates → passages → ranking → hits with snippets.
 */
export function createSearcher(parts: SearcherParts): Searcher {
  const { store, analyzer, settings, sources = ["memory", "sessions"] } = parts;
  const learners = createStrengthLearners(store);
  const markSuperseded = createSupersededFinder();
  const understand = createUnderstanding({ ...parts, learners });

  async function search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    throwIfAborted(options.signal);
    const { timings, lap } = startLaps();
    const degraded: string[] = [];
    const maxResults = clamp(Math.trunc(options.maxResults ?? settings.maxResults), 1, 200);
    const minScore = clamp(options.minScore ?? settings.minScore, 0, 1);
    // Fewer results are the first of the usual number, so they are chosen from as many candidates.
    const compared = Math.max(maxResults, settings.maxResults);
    const limit = clamp(compared * settings.candidateMultiplier, 1, maxCandidates);
    const { chunks: totalChunks, keyword, sources: indexed } = await store.stats();
    const filter = readFilter(options, [...new Set([...sources, ...indexed.map(({ source }) => source)])]);

    const words = readQueryWords(query, analyzer);
    const { chosenId, semantic, vectorResult, terms, check, learner } = await understand(query, words, {
      ...{ limit, filter, totalChunks, signal: options.signal, keywordOnly: options.keywordOnly },
      onProblem: (problem) => degraded.push(problem),
      lap,
    });
    const usesKeywords = vectorResult === null || semantic?.isHybrid !== false;
    const tokens = usesKeywords && terms.length > 0 ? candidateTokens(terms) : null;
    const notes = readNamedNotes(query.slice(0, maxQueryChars), words, {
      analyzer,
      today: parts.today(),
    });
    const named = notes.queries(tokens ?? [], filter);
    const { ids, candidates, isStale } = await findCandidates(store, {
      tokens,
      limit,
      filter,
      named,
      vectorResult,
    });
    throwIfAborted(options.signal);
    lap("candidates");

    const finder = createMatchFinder(terms, analyzer);
    const scored = candidates.flatMap(createPassageScorer(usesKeywords ? terms : [], finder));
    const passages = usesKeywords ? await liftTitled(notes.lift(scored, terms), query) : scored;
    const wordModel = vectorResult === null || !usesKeywords ? null : await semantic?.openWordModel?.();
    let ranking: RankOptions = {
      termCount: terms.length,
      hasText: usesKeywords && keyword?.available !== false,
      vectorResult,
      knownShare: wordShare(terms, wordModel?.knowsWord ?? (() => true)),
      blend:
        vectorResult === null || semantic === undefined
          ? { kind: "assist" }
          : semantic.blend.kind === "evidence"
            ? {
                kind: "evidence",
                totalChunks,
                keyword: { ids: new Set(ids), isComplete: ids.length < limit },
                identifiers: identifiersOf(terms),
                usualCorrelation: check?.correlation ?? 0,
                semantic: vectorResult,
              }
            : semantic.blend,
      decay: readDecay(parts),
    };
    const maxRescored = 2 * compared;
    let ranked = rankPassages(passages, ranking);
    const isRescored = await vectorResult?.rescore(
      ranked.slice(0, maxRescored).map(({ passage }) => passage),
    );
    const nearest = ranked.slice(0, maxAligned).map(({ index }) => passages[index]!);
    const aligned = wordModel
      ? alignPassages(nearest, query.slice(0, maxQueryChars), terms, wordModel)
      : undefined;
    if (aligned) ranking = withAlignment(ranking, passages, aligned);
    if (isRescored || aligned) ranked = rankPassages(passages, ranking);
    if (usesKeywords && ranking.blend.kind === "evidence") {
      learner.learn(query, compareStrengths(passages, ranking.blend, learner.strengths));
      // The answer does not wait for a busy index; closing the store does.
      void learners.keep(chosenId);
    }
    const explainTrust = (): Pick<AnswerExplanation, "embedder"> => {
      if (ranking.blend.kind !== "evidence") return {};
      const strength = learner.strengths.reduce((sum, { shift, weight }) => sum + shift * weight, 0);
      return { embedder: { separation: check?.separation ?? null, strength } };
    };
    const above = ranked.filter(({ relevance }) => relevance >= minScore && relevance > 0);
    const aboveFloor = vectorResult === null ? above : await locate(above, vectorResult, maxRescored);
    lap("scores");

    const table = createLineTable(candidates);
    const found = draftHits(settings.mmr.enabled ? spread(aboveFloor) : aboveFloor, table, maxResults);
    const drafts = markSuperseded(found, ranked);
    lap("facts");
    const counts = { keyword: ids.length, vector: vectorResult?.candidates.length ?? 0 };
    const trace = {
      filter,
      terms,
      finder,
      found: counts,
      candidates,
      table,
      ranked,
      aboveFloor,
      drafts,
      minScore,
      alignedOf: ({ index }: RankedPassage) => aligned?.get(passages[index]!),
    };
    const results = presentHits(trace, settings, options);
    lap("hits");

    if (keyword?.available === false) {
      degraded.push(`words cannot be searched: ${keyword.error ?? "the index has no full-text part"}`);
    }
    if (words.words.length === 0) degraded.push(noWordsReason);
    if (query.length > maxQueryChars) {
      degraded.push(`the query was cut to its first ${maxQueryChars} characters`);
    }
    const features = readFeatures(trace, {
      hasKeywords: usesKeywords,
      semanticOf: ({ passage, vectorScore }) =>
        vectorResult === null || semantic?.blend.kind === "assist"
          ? semanticFromScore(vectorScore)
          : semanticFromEvidence(vectorResult.evidenceOf(passage)),
    });
    return {
      results,
      ...describeConfidence(features),
      mode: vectorResult === null ? "keyword" : usesKeywords ? "hybrid" : "vector",
      provider: (vectorResult && semantic?.embedder.provider) ?? "none",
      model: (vectorResult && semantic?.embedder.model) ?? null,
      degraded,
      stale: isStale,
      ...(options.explain ? { explain: { ...explainAnswer(trace, timings), ...explainTrust() } } : {}),
      ...(options.whyNot === undefined ? {} : { whyNot: await explainWhyNot(options.whyNot, trace, store) }),
    };
  }

  function spread(ranked: readonly RankedPassage[]): RankedPassage[] {
    return diversify(ranked, {
      lambda: settings.mmr.lambda,
      tokensOf: ({ passage }) => tokensOf(passage.chunk.text, analyzer),
    });
  }

  return { search };
}

/**
 * A chunk without any query word is shown at its most similar lines. Finding them costs time per chunk, so only chunks
 * that can become hits are located.
 */
async function locate(
  ranked: readonly RankedPassage[],
  vectorResult: VectorResult,
  maxRescored: number,
): Promise<RankedPassage[]> {
  const located: RankedPassage[] = [];
  for (const [index, candidate] of ranked.entries()) {
    const { passage, vectorScore } = candidate;
    const isFound = index < maxRescored && !passage.isMatched && (vectorScore ?? 0) > 0;
    if (!isFound) located.push(candidate);
    else {
      const lines = behindFrontMatter(passage.chunk, await vectorResult.locate(passage.chunk));
      located.push({ ...candidate, passage: { ...passage, lines } });
    }
  }
  return located;
}

function behindFrontMatter(chunk: StoredChunk, { start, end }: LineRange): LineRange {
  const first = Math.min(chunk.lines.start + frontMatterLines(chunk), chunk.lines.end);
  return { start: Math.max(start, first), end: Math.max(end, first) };
}

function startLaps(): { timings: Readonly<Record<string, number>>; lap: (name: string) => void } {
  const timings: Record<string, number> = {};
  let lastMs = monotonicMs();
  const lap = (name: string): void => {
    const nowMs = monotonicMs();
    timings[name] = nowMs - lastMs;
    lastMs = nowMs;
  };
  return { timings, lap };
}

/** The temporal decay that the settings ask for; null if it is off. */
export function readDecay({
  settings: { temporalDecay },
  today,
  dayModified,
}: Pick<SearcherParts, "settings" | "today" | "dayModified">): RankOptions["decay"] {
  const { enabled, halfLifeDays, undated } = temporalDecay;
  if (!enabled) return null;
  return { today: today(), halfLifeDays, dayModified: undated === "modified" ? dayModified : undefined };
}
