import { LonghandError } from "../errors.ts";
import { entriesPath } from "../notes/note-path.ts";
import { cite } from "../search/location.ts";
import type { HitFlag } from "../search/search.ts";
import { looksLikeInstruction } from "../text/instruction-like.ts";
import { hasHidden } from "../text/visible.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { stopWordsOf } from "../text/words/stop-words.ts";
import type { PlacedEntry, RecallAnswer, RecalledEntry } from "./entries.ts";
import type { SemanticIndex } from "./entry-vectors.ts";

/** A passage of the file found by keyword search, and its matching lines. */
interface FoundLines {
  readonly score: number;
  readonly lines: readonly number[];
}

export interface RecallParts {
  readonly semantic: SemanticIndex;
  readonly findLines: (query: string, signal: AbortSignal | undefined) => Promise<readonly FoundLines[]>;
  readonly mask: (text: string) => string;
}

interface RecallRequest {
  readonly entries: readonly PlacedEntry[];
  readonly limit: number;
  readonly minScore: number;
  readonly isCited: boolean;
  readonly signal: AbortSignal | undefined;
}

type Recall = (asked: string, request: RecallRequest) => Promise<RecallAnswer>;

const nearestCount = 64;

/** Finds entries by semantic and keyword search; if one is unavailable, that is reported and the other answers. */
export function createRecall({ semantic, findLines, mask }: RecallParts): Recall {
  const analyzer = createAnalyzer();
  const tokensOf = (text: string) =>
    new Set(analyzer.indexText(text.slice(0, maxComparedChars)).split(" ").filter(Boolean));

  async function bySemantics(query: string, { entries, signal }: RecallRequest) {
    return await semantic.ask(async (vectors, embedder) => {
      await vectors.catchUp(entries, signal);
      const vector = await embedder.embedQuery(mask(query), { signal });
      const nearest = vector === null ? [] : await vectors.nearest(vector, nearestCount);
      const similarities = new Map(nearest.map(({ key, similarity }) => [key, similarity]));
      return {
        nearest,
        similarityOf: (entry: PlacedEntry) => similarities.get(vectors.keyOf(entry)) ?? null,
      };
    }, signal);
  }

  async function byWord(query: string, signal: AbortSignal | undefined) {
    try {
      return { value: await findLines(query, signal) };
    } catch (error) {
      if (signal?.aborted || !(error instanceof LonghandError)) throw error;
      return { problem: `entries are compared by their vectors alone: ${error.message}` };
    }
  }

  /** The evidence for each entry; entries without any are left out. */
  function gatherEvidence(
    query: string,
    entries: readonly PlacedEntry[],
    similarityOf: (entry: PlacedEntry) => number | null,
    passages: readonly FoundLines[],
  ): EntryEvidence<PlacedEntry>[] {
    const scores = new Map<number, number>();
    for (const { score, lines } of passages) {
      for (const line of lines) scores.set(line, Math.max(scores.get(line) ?? 0, score));
    }
    const words = [...tokensOf(query)];
    const stopWords = stopWordsOf(words);
    const significant = words.filter((token) => !stopWords.has(token));
    return entries.flatMap((entry) => {
      const similarity = similarityOf(entry);
      const best = bestScore(scores, entry);
      if (similarity === null && best === 0) return [];
      const own = tokensOf(entry.text);
      const shared = significant.filter((token) => own.has(token)).length;
      return {
        entry,
        similarity,
        wordScore: best === 0 ? null : best,
        wordShare: significant.length === 0 ? 0 : shared / significant.length,
        importance: entry.importance,
      };
    });
  }

  return async (asked, request) => {
    const { entries, limit, minScore, isCited, signal } = request;
    const query = dropSubject(asked);
    const [near, passages] = await Promise.all([bySemantics(query, request), byWord(query, signal)]);
    const similarityOf = near.value?.similarityOf ?? (() => null);
    const evidence = gatherEvidence(query, entries, similarityOf, passages.value ?? []);
    const chance = estimateChance(near.value?.nearest ?? [], entries.length);
    const results = rankEntries(evidence, { ...chance, minScore, limit }).map(({ entry, score }) =>
      present({ ...entry, text: mask(entry.text) }, score, isCited),
    );
    return { results, degraded: [near.problem, passages.problem].filter((problem) => problem !== undefined) };
  };
}

const maxComparedChars = 4096;

function bestScore(scores: ReadonlyMap<number, number>, { startLine, endLine }: PlacedEntry): number {
  let best = 0;
  for (let line = startLine; line <= endLine; line++) best = Math.max(best, scores.get(line) ?? 0);
  return best;
}

function present(entry: PlacedEntry, score: number, isCited: boolean): RecalledEntry {
  const { text, origin = "", startLine, endLine } = entry;
  const flags: HitFlag[] = [
    ...(looksLikeInstruction(`${origin}\n${text}`) ? (["instruction-like"] as const) : []),
    ...(hasHidden(`${origin}\n${text}`) ? (["hidden-characters"] as const) : []),
  ];
  return {
    ...entry,
    path: entriesPath,
    score: Math.round(score * 1000) / 1000,
    ...(isCited && { citation: cite(entriesPath, startLine, endLine) }),
    ...(flags.length > 0 && { flags }),
  };
}

/** Every entry is about the user, so this word would match them all. */
function dropSubject(query: string): string {
  const rest = query.replace(/(?<!\p{L})(?:the )?users?(?:['’]s)?(?!\p{L})/giu, " ");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query;
}

/** The evidence about one entry for a query. */
export interface EntryEvidence<T> {
  readonly entry: T;
  /** The score of the passage in which keyword search found it; null if it did not. */
  readonly wordScore: number | null;
  /** Fraction of the query's words that it contains. */
  readonly wordShare: number;
  /** Cosine of the query and its text; null if it is not among the nearest. */
  readonly similarity: number | null;
  readonly importance: number;
}

interface RankOptions {
  /** The cosine of an unrelated entry, and the best that chance would give. */
  readonly background: number;
  readonly chance: number;
  readonly minScore: number;
  readonly limit: number;
}

/** Entries by how well they answer; either search alone may suffice. */
export function rankEntries<T>(
  found: readonly EntryEvidence<T>[],
  { background, chance, minScore, limit }: RankOptions,
): { readonly entry: T; readonly score: number }[] {
  return found
    .map(({ entry, wordScore, wordShare, similarity, importance }) => {
      const words = wordScore === null ? 0 : wordScore * (0.5 + wordShare / 2);
      const isNear = similarity !== null && (words > 0 || similarity > chance);
      const semantic = isNear ? Math.max(0, (similarity - background) / (1 - background)) : 0;
      const score = 1 - (1 - Math.min(1, words)) * (1 - Math.min(1, semantic));
      return { entry, score: score * (1 - importanceShare * (1 - importance)) };
    })
    .filter(({ score }) => score >= minScore)
    .sort((left, right) => right.score - left.score)
    .slice(0, limit);
}

/** Breaks ties, and never outweighs a better answer. */
const importanceShare = 0.05;

/** Typical similarity of unrelated texts with the builtin model, and its spread. */
const unrelated = 0.05;
const spread = 0.09;
/** With fewer entries the weakest of the nearest may itself be an answer. */
const enough = 50;

/** Estimates the chance level from the similarities of the nearest entries, best first. */
export function estimateChance(
  nearest: readonly { readonly similarity: number }[],
  total: number,
): Pick<RankOptions, "background" | "chance"> {
  const weakest = nearest.length >= enough ? nearest.at(-1)!.similarity : unrelated;
  const background = Math.min(0.9, Math.max(unrelated, weakest));
  return { background, chance: background + spread * Math.sqrt(2 * Math.log(Math.max(2, total))) };
}
