import { throwIfAborted } from "../../errors.ts";
import { describeConfidence, readFeatures, semanticFromScore } from "../../search/confidence.ts";
import { readFilter } from "../../search/filter.ts";
import { draftHits } from "../../search/hits.ts";
import { createLineTable } from "../../search/line-table.ts";
import { createMatchFinder } from "../../search/matches.ts";
import { explainAnswer, presentHits } from "../../search/present.ts";
import { assignTermWeights, clamp, type QueryTerm, type Vocabulary } from "../../search/query-terms.ts";
import { maxQueryChars, type QueryWords, readQueryWords } from "../../search/query-words.ts";
import { diversify, rankPassages } from "../../search/rank.ts";
import { noWordsReason, type SearchAnswer, type SearchOptions } from "../../search/search.ts";
import { readDecay, type SearcherParts, type SearchSettings } from "../../search/searcher.ts";
import type { ChunkFilter, StoredChunk } from "../../stores/store.ts";
import type { Chunker, Document } from "../../text/document.ts";
import { compilePaths } from "../../text/glob.ts";
import { sha256 } from "../../text/hash.ts";
import type { Analyzer } from "../../text/words/analyze.ts";
import { foldWord } from "../../text/words/fold.ts";
import { isUnspaced } from "../../text/words/word-characters.ts";
import { monotonicMs } from "../../timing.ts";
import type { QmdDocument, QmdQuestion } from "./driver.ts";
import { type LocatedPassages, locatePassages, type ReadDocument } from "./locate-passages.ts";
import { collectionOf, collections, type MirroredDocument } from "./mirror.ts";

export interface QmdSearcherParts {
  readonly ask: (
    question: QmdQuestion,
    options: { signal?: AbortSignal | undefined },
  ) => Promise<readonly QmdDocument[]>;
  readonly find: (collection: string, file: string) => MirroredDocument | null;
  /** The current text of a document, secrets masked; null if it no longer exists. */
  readonly read: (document: MirroredDocument) => Promise<Pick<Document, "text" | "title" | "date"> | null>;
  readonly analyzer: Analyzer;
  readonly chunker: Chunker;
  /** Document frequencies in these documents. */
  readonly vocabulary: Vocabulary & { stats(): Promise<{ readonly chunks: number }> };
  readonly mode: "search" | "vsearch" | "query";
  readonly settings: SearchSettings & { readonly vectorWeight: number; readonly textWeight: number };
  /** qmd's embedding model, or null if it has none: then search is by keywords alone. */
  readonly model: () => string | null;
  /** Whether qmd has models for query expansion and reranking. */
  readonly abilities: () => { readonly expands: boolean; readonly reranks: boolean };
  readonly today: () => string;
  readonly dayModified?: SearcherParts["dayModified"];
}

/** Documents requested per sub-query, and documents read per query and per hit. */
const maxDocuments = 40;
const minRead = 12;
const readForHit = 2;
/** qmd does not know our filters, so more are requested. */
const maxFiltered = 200;

/**
 * Searches with qmd instead of the store: it names documents, and passages, lines, scores and snippets come from their
 * current text, as in every other search.
 */
export function createQmdSearcher(parts: QmdSearcherParts) {
  const { ask, find, read, analyzer, chunker, vocabulary, mode, settings, model, abilities } = parts;

  return async function search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    throwIfAborted(options.signal);
    const startedMs = monotonicMs();
    const maxResults = clamp(Math.trunc(options.maxResults ?? settings.maxResults), 1, 200);
    const minScore = clamp(options.minScore ?? settings.minScore, 0, 1);
    const filter = readFilter(options);
    const asked = query.slice(0, maxQueryChars);
    const words = readQueryWords(asked, analyzer);
    const { chunks: totalChunks } = await vocabulary.stats();
    const terms = await assignTermWeights(words, vocabulary, totalChunks);
    const embedsBy = mode === "search" ? null : model();
    const byKeyword = mode !== "vsearch";

    const plain = rewriteSemanticQuery(asked);
    const { expands, reranks } = mode === "query" ? abilities() : { expands: false, reranks: false };
    const named = await ask(
      {
        words: byKeyword ? rewriteQuery(asked, words, terms) : [],
        semantic: embedsBy === null ? null : plain,
        expand: expands ? plain : null,
        rerank: reranks ? plain : null,
        collections: chooseCollections(filter),
        limit: isNarrow(filter) ? maxFiltered : maxDocuments,
      },
      { signal: options.signal },
    );
    const askedMs = monotonicMs();
    throwIfAborted(options.signal);
    const found = named.map(preferRerank);

    const finder = createMatchFinder(terms, analyzer);
    const maxRead = clamp(readForHit * Math.max(maxResults, settings.maxResults), minRead, maxFiltered);
    const documents = await readDocuments(rankDocuments(found), filter, maxRead);
    const located = documents.map((document): LocatedPassages => locatePassages(document, terms, finder));
    const similarities = new Map(located.flatMap((each) => [...each.similarities]));
    const passages = located
      .flatMap((each) => each.passages)
      .filter(({ chunk }) => byKeyword || similarities.has(chunk.id));
    const isSemantic = embedsBy !== null || found.some(({ rerank }) => rerank !== undefined);
    const ranked = rankPassages(passages, {
      termCount: terms.length,
      hasText: byKeyword,
      vectorResult: isSemantic
        ? {
            best: Math.max(0, ...similarities.values()),
            chance: 1,
            scoreOf: ({ chunk }) => similarities.get(chunk.id) ?? null,
          }
        : null,
      blend: {
        kind: "weighted",
        vectorWeight: settings.vectorWeight,
        textWeight: byKeyword ? settings.textWeight : 0,
      },
      decay: readDecay(parts),
    });
    const aboveFloor = ranked.filter(({ relevance }) => relevance >= minScore && relevance > 0);
    const candidates = documents.flatMap(({ chunks }) => chunks);
    const table = createLineTable(candidates);
    const spread = settings.mmr.enabled
      ? diversify(aboveFloor, {
          lambda: settings.mmr.lambda,
          tokensOf: ({ passage }) => new Set(analyzer.indexText(passage.chunk.text).split(" ")),
        })
      : aboveFloor;
    const drafts = draftHits(spread, table, maxResults);
    const counts = {
      keyword: found.filter((document) => document.byKeyword.length > 0).length,
      vector: found.filter(({ byVector }) => byVector !== undefined).length,
    };
    const trace = {
      ...{ filter, terms, finder, found: counts, candidates, table, ranked, aboveFloor, drafts, minScore },
    };
    const results = presentHits(trace, settings, options);
    const timings = { qmd: askedMs - startedMs, hits: monotonicMs() - askedMs };
    // Its similarities are on a different scale, so they count only if there is nothing else.
    const features = readFeatures(trace, {
      hasKeywords: byKeyword,
      semanticOf: ({ vectorScore }) => (byKeyword ? null : semanticFromScore(vectorScore)),
    });
    return {
      results,
      ...describeConfidence(features),
      mode: !isSemantic ? "keyword" : byKeyword ? "hybrid" : "vector",
      provider: "qmd",
      model: embedsBy,
      degraded: words.words.length === 0 ? [noWordsReason] : [],
      stale: false,
      ...(options.explain ? { explain: explainAnswer(trace, timings) } : {}),
    };
  };

  /** Reads current texts. Documents that no longer exist or are not ours are skipped, whatever qmd says. */
  async function readDocuments(
    found: readonly QmdDocument[],
    filter: ChunkFilter,
    most: number,
  ): Promise<ReadDocument[]> {
    const documents: ReadDocument[] = [];
    let lastId = 0;
    for (const each of found) {
      if (documents.length === most) break;
      const known = find(each.collection, each.file);
      if (known === null || !matches(known, filter)) continue;
      const document = await read(known);
      if (document === null) continue;
      const { text, title } = document;
      const isChanged = !sha256(text).startsWith(each.hashStart);
      const chunks = chunker.chunk(text).map(
        ({ lines, headings, text: body }): StoredChunk => ({
          id: ++lastId,
          path: known.path,
          source: known.source,
          lines,
          headings: title === undefined || headings[0] === title ? headings : [title, ...headings],
          text: body,
          ...(known.date === undefined ? {} : { date: known.date }),
          scope: known.scope,
        }),
      );
      // Offsets refer to the text that qmd knows.
      const byVector = each.byVector && { ...each.byVector, ...(isChanged && { offset: null }) };
      documents.push({ found: { ...each, ...(byVector && { byVector }) }, text, chunks });
    }
    return documents;
  }
}

/** A model that read query and passage knows more than a vector distance. */
function preferRerank(document: QmdDocument): QmdDocument {
  const { rerank } = document;
  if (rerank === undefined) return document;
  const { score, text, offset } = rerank;
  return { ...document, byVector: { similarity: score, text, offset } };
}

function chooseCollections({ source, sharedOnly }: ChunkFilter): string[] | null {
  const wanted = collections.filter((name) => {
    const isPrivate = name.endsWith("-private");
    if (sharedOnly && isPrivate) return false;
    return source === undefined || name === collectionOf({ source, scope: isPrivate ? "private" : "shared" });
  });
  return wanted.length === collections.length ? null : wanted;
}

function isNarrow({ since, until, pathGlob, paths }: ChunkFilter): boolean {
  return [since, until, pathGlob, paths].some((value) => value !== undefined);
}

function matches({ source, scope, path, date }: MirroredDocument, filter: ChunkFilter): boolean {
  if (filter.sharedOnly && scope === "private") return false;
  if (filter.source !== undefined && source !== filter.source) return false;
  if (filter.since !== undefined && (date === undefined || date < filter.since)) return false;
  if (filter.until !== undefined && (date === undefined || date > filter.until)) return false;
  return compilePaths(filter)?.(path) ?? true;
}

/**
 * The documents worth reading, best first. A high rank counts more, and so does a list with few documents, because rare
 * matches discriminate.
 */
function rankDocuments(found: readonly QmdDocument[]): QmdDocument[] {
  const lengths = new Map<string, number>();
  for (const { query } of found.flatMap(({ byKeyword }) => byKeyword)) {
    lengths.set(query, (lengths.get(query) ?? 0) + 1);
  }
  const scoreOf = ({ byKeyword, byVector }: QmdDocument): number =>
    byKeyword.reduce((sum, { query, rank }) => sum + 1 / Math.sqrt(lengths.get(query)!) / (rank + 10), 0) +
    Math.max(0, byVector?.similarity ?? 0) / 10;
  return found
    .map((document) => ({ document, score: scoreOf(document) }))
    .sort((left, right) => right.score - left.score || (left.document.file < right.document.file ? -1 : 1))
    .map(({ document }) => document);
}

/** More sub-queries find hardly more, and each costs qmd a search. */
const maxQueries = 24;
const maxTogether = 6;
const maxFormsEach = 2;

/**
 * The keyword sub-queries. qmd requires every word of a query in a document, so most whole queries find nothing: each
 * word is searched alone, and in addition neighbours together and all together, so that documents with several of them
 * rank first. qmd's own syntax is removed.
 */
export function rewriteQuery(
  query: string,
  { words }: QueryWords,
  terms: readonly QueryTerm[],
): readonly string[] {
  const meant = new Set(words.map(({ text }) => text));
  // As written, because folding may expand a letter into two (ß) and qmd does not.
  const written = [...query.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)]
    .map(([word]) => word)
    .filter((word) => !isUnspaced(word) && meant.has(foldWord(word).replaceAll("_", "")));
  const plain = words
    .filter(({ kind }) => kind === "word" || kind === "hash" || kind === "pair" || kind === "character")
    .map(({ text }) => bare(text));
  const forms = terms.flatMap((term) =>
    [...term.forms.keys()].filter((form) => form !== term.text).slice(0, maxFormsEach),
  );
  const singles = unique([...written, ...plain]);
  const spoken = written.length > 0 ? unique(written) : unique(plain);
  const neighbours = spoken.slice(1, maxTogether + 1).map((word, i) => `${spoken[i]} ${word}`);
  const all = spoken.length > 2 && spoken.length <= maxTogether ? [spoken.join(" ")] : [];
  return unique([...all, ...neighbours, ...singles, ...forms.map(bare)])
    .filter((each) => each !== "")
    .slice(0, maxQueries);
}

/** A semantic query is one line, and no word of it may look like an exclusion. */
export function rewriteSemanticQuery(query: string): string | null {
  const line = query
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(^|\s)-+(?=\S)/g, "$1")
    .trim();
  return line === "" ? null : line;
}

function bare(token: string): string {
  return token.replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, " ").trim();
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
