import { LonghandError, throwIfAborted } from "../errors.ts";
import type { ChunkFilter, KeywordClause, Store, StoredChunk } from "../stores/store.ts";
import type { Analyser } from "../text/analyse.ts";
import { calibrateScores } from "./calibrate.ts";
import { diversify } from "./diversify.ts";
import { readFilter } from "./filter.ts";
import { draftHits, type HitDraft, type RankedPassage } from "./hits.ts";
import { createLineTable, type LineTable } from "./line-table.ts";
import { createMatchFinder, type MatchFinder } from "./matches.ts";
import { type Passage, scorePassages } from "./passages.ts";
import { type QueryTerm, weighQueryTerms } from "./query-terms.ts";
import { maxQueryChars, readQueryWords } from "./query-words.ts";
import { decayFactor } from "./recency.ts";
import type { AnswerExplanation, SearchAnswer, Searcher, SearchHit, SearchOptions } from "./search.ts";
import { makeSnippet } from "./snippet.ts";
import { explainWhyNot } from "./why-not.ts";

export interface SearchSettings {
  readonly maxResults: number;
  readonly minScore: number;
  readonly maxSnippetChars: number;
  readonly maxInjectedChars: number;
  readonly candidateMultiplier: number;
  readonly temporalDecay: { readonly enabled: boolean; readonly halfLifeDays: number };
  readonly mmr: { readonly enabled: boolean; readonly lambda: number };
}

export interface SearcherParts {
  readonly store: Store;
  readonly analyser: Analyser;
  readonly settings: SearchSettings;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: () => string;
}

/** Everything that is known about one search while it runs; `--explain` and `--why-not` read it afterwards. */
export interface SearchTrace {
  readonly filter: ChunkFilter;
  readonly terms: readonly QueryTerm[];
  readonly finder: MatchFinder;
  readonly candidates: readonly StoredChunk[];
  readonly ranked: readonly RankedPassage[];
  readonly aboveFloor: readonly RankedPassage[];
  readonly drafts: readonly HitDraft[];
  readonly minScore: number;
}

/**
 * The time of a full-text query grows with the chunks that its words stand in. The rarest words choose the candidates,
 * commoner ones join in while all together stay below this; every word counts in the score afterwards.
 */
const maxPostings = 150_000;
const mostCandidates = 200;

/** A question to ranked hits: words → candidates → passages → one order → hits with snippets. */
export function createSearcher({ store, analyser, settings, today }: SearcherParts): Searcher {
  async function search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    throwIfAborted(options.signal);
    if (typeof query !== "string") throw refuseQuery(query);
    const startedMs = performance.now();
    const timings: Record<string, number> = {};
    const lap = (name: string): void => {
      timings[name] = performance.now() - startedMs - sumOf(Object.values(timings));
    };
    const maxResults = clamp(Math.trunc(options.maxResults ?? settings.maxResults), 1, 200);
    const minScore = clamp(options.minScore ?? settings.minScore, 0, 1);
    const filter = readFilter(options);

    const words = readQueryWords(query, analyser);
    const { chunks: totalChunks, keyword } = await store.stats();
    const terms = await weighQueryTerms(words, store, totalChunks);
    throwIfAborted(options.signal);
    lap("terms");

    const limit = clamp(maxResults * settings.candidateMultiplier, 1, mostCandidates);
    const ids = terms.length === 0 ? [] : await store.byKeyword(clausesFor(terms), { limit, filter });
    const candidates = await store.chunks(ids);
    throwIfAborted(options.signal);
    lap("candidates");

    const finder = createMatchFinder(terms, analyser);
    const passages = candidates.flatMap((chunk) => scorePassages(chunk, terms, finder));
    const ranked = rank(passages, terms.length);
    const aboveFloor = ranked.filter(({ textScore }) => (textScore ?? 0) >= minScore);
    const ordered = settings.mmr.enabled ? spread(aboveFloor) : aboveFloor;
    lap("scores");

    const table = createLineTable(candidates);
    const drafts = draftHits(ordered, table, maxResults);
    const results = present(drafts, terms, finder, table, { ...options, minScore });
    lap("hits");

    const degraded: string[] = [];
    if (keyword?.available === false) {
      degraded.push(`words cannot be searched: ${keyword.error ?? "the index has no full-text part"}`);
    }
    if (words.words.length === 0) degraded.push("the query has no words to look for");
    if (query.length > maxQueryChars)
      degraded.push(`the query was cut to its first ${maxQueryChars} characters`);
    const trace = { filter, terms, finder, candidates, ranked, aboveFloor, drafts, minScore };
    return {
      results,
      mode: "keyword",
      provider: "none",
      model: null,
      degraded,
      stale: false,
      ...(options.explain ? { explain: explainAnswer(trace, timings) } : {}),
      ...(options.whyNot === undefined ? {} : { whyNot: await explainWhyNot(options.whyNot, trace, store) }),
    };
  }

  function rank(passages: readonly Passage[], termCount: number): RankedPassage[] {
    const scores = calibrateScores(
      passages.map(({ score }) => score),
      termCount,
    );
    const { enabled, halfLifeDays } = settings.temporalDecay;
    const now = enabled ? today() : "";
    return passages
      .map((passage, i) => {
        const { date, scope } = passage.chunk;
        const decay = enabled && scope !== "private" ? decayFactor(date, { today: now, halfLifeDays }) : 1;
        return { passage, score: scores[i]! * decay, textScore: scores[i]!, vectorScore: null, decay };
      })
      .sort(byScoreThenDate);
  }

  function spread(ranked: readonly RankedPassage[]): RankedPassage[] {
    return diversify(ranked, {
      lambda: settings.mmr.lambda,
      tokensOf: ({ passage }) => {
        const tokens = new Set<string>();
        const visit = (token: string): unknown => tokens.add(token);
        analyser.scan(passage.chunk.text, visit, visit);
        return tokens;
      },
    });
  }

  function present(
    drafts: readonly HitDraft[],
    terms: readonly QueryTerm[],
    finder: MatchFinder,
    { lineText, connected }: LineTable,
    options: SearchOptions & { minScore: number },
  ): SearchHit[] {
    let budget = settings.maxInjectedChars;
    return drafts.map((draft, index) => {
      const { passage, lines, score, textScore, vectorScore, decay } = draft;
      const { chunk } = passage;
      // Every hit gets its share of what is left, so that the last one still shows something.
      const share = Math.floor(budget / (drafts.length - index));
      const maxChars = Math.min(settings.maxSnippetChars, share);
      const shown = connected(chunk, passage.lines, lines);
      const snippet = makeSnippet(
        { lineText: (line) => lineText(chunk, line), lines: shown, core: passage.lines, maxChars },
        finder,
      );
      budget -= snippet.length;
      return {
        path: chunk.path,
        startLine: lines.start,
        endLine: lines.end,
        score: round(score),
        snippet,
        source: chunk.source,
        headings: chunk.headings,
        ...(chunk.date === undefined ? {} : { date: chunk.date }),
        textScore: textScore === null ? null : round(textScore),
        vectorScore: vectorScore === null ? null : round(vectorScore),
        ...(options.explain
          ? {
              explain: {
                terms: terms.map(({ text, weight }, t) => ({
                  term: text,
                  weight: round(weight),
                  occurrences: round(passage.occurrences[t]!),
                  contribution: round(passage.contributions[t]!),
                })),
                text: textScore === null ? null : round(textScore),
                vector: vectorScore === null ? null : round(vectorScore),
                decay: round(decay),
                floor: options.minScore,
              },
            }
          : {}),
      };
    });
  }

  return { search };
}

function clausesFor(terms: readonly QueryTerm[]): KeywordClause[] {
  const clauses: KeywordClause[] = [];
  let postings = 0;
  for (const { forms, chunks } of [...terms].sort((left, right) => left.chunks - right.chunks)) {
    if (chunks === 0) continue;
    postings += chunks;
    if (postings > maxPostings && clauses.length > 0) break;
    for (const token of forms.keys()) clauses.push({ tokens: [token] });
  }
  return clauses;
}

/** Of equals the newer, then the first by path and line: the order never depends on how the index was filled. */
function byScoreThenDate(left: RankedPassage, right: RankedPassage): number {
  const [a, b] = [left.passage, right.passage];
  return (
    right.score - left.score ||
    compare(b.chunk.date ?? "", a.chunk.date ?? "") ||
    compare(a.chunk.path, b.chunk.path) ||
    a.lines.start - b.lines.start
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function refuseQuery(query: unknown): LonghandError {
  return new LonghandError("query-invalid", `Could not search for a query of type ${typeof query}.`, {
    hint: "Give the query as text.",
  });
}

function explainAnswer(trace: SearchTrace, timings: Readonly<Record<string, number>>): AnswerExplanation {
  return {
    tokens: trace.terms.map(({ text, chunks, weight, forms }) => ({
      token: text,
      chunks,
      weight: round(weight),
      ...(forms.size > 1 ? { note: `also as ${[...forms.keys()].slice(1, 6).join(", ")}` } : {}),
    })),
    candidates: { keyword: trace.candidates.length, vector: 0, aboveFloor: trace.aboveFloor.length },
    timings: Object.fromEntries(
      Object.entries(timings).map(([name, ms]) => [name, Math.round(ms * 100) / 100]),
    ),
  };
}

function clamp(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? low : Math.min(high, Math.max(low, value));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
