import { LonghandError, throwIfAborted } from "../../errors.ts";
import { describeConfidence, readFeatures, semanticFromScore } from "../../search/confidence.ts";
import { readFilter } from "../../search/filter.ts";
import { draftHits } from "../../search/hits.ts";
import { createLineTable } from "../../search/line-table.ts";
import { createMatchFinder } from "../../search/matches.ts";
import { explainAnswer, presentHits } from "../../search/present.ts";
import { clamp, type Vocabulary, weighQueryTerms } from "../../search/query-terms.ts";
import { maxQueryChars, readQueryWords } from "../../search/query-words.ts";
import { diversify, rankPassages } from "../../search/rank.ts";
import { noWordsReason, type SearchAnswer, type SearchOptions } from "../../search/search.ts";
import { readDecay, type SearcherParts, type SearchSettings } from "../../search/searcher.ts";
import type { ChunkFilter, StoredChunk } from "../../stores/store.ts";
import type { Chunker, Document } from "../../text/document.ts";
import { compilePaths } from "../../text/glob.ts";
import { sha256 } from "../../text/hash.ts";
import type { Analyser } from "../../text/words/analyse.ts";
import type { QmdDocument, QmdQuestion } from "./driver.ts";
import { collectionOf, collections, type MirroredDocument } from "./mirror.ts";
import { type PlacedPassages, placePassages, type ReadDocument } from "./place-passages.ts";
import { rankDocuments } from "./rank-documents.ts";
import { rewriteMeaning, rewriteQuery } from "./rewrite-query.ts";

export interface QmdSearcherParts {
  readonly ask: (
    question: QmdQuestion,
    options: { signal?: AbortSignal | undefined },
  ) => Promise<readonly QmdDocument[]>;
  readonly find: (collection: string, file: string) => MirroredDocument | null;
  /** A document as it is now, secrets masked; null when it is gone. */
  readonly read: (document: MirroredDocument) => Promise<Pick<Document, "text" | "title" | "date"> | null>;
  readonly analyser: Analyser;
  readonly chunker: Chunker;
  /** How common words are in these documents. */
  readonly vocabulary: Vocabulary & { stats(): Promise<{ readonly chunks: number }> };
  readonly mode: "search" | "vsearch" | "query";
  readonly settings: SearchSettings & { readonly vectorWeight: number; readonly textWeight: number };
  /** What qmd embeds with, or null when it cannot: then words answer alone. */
  readonly model: () => string | null;
  /** Whether qmd can word a question in other ways, and score what it found, by models of its own. */
  readonly abilities: () => { readonly expands: boolean; readonly reranks: boolean };
  readonly today: () => string;
  readonly dayModified?: SearcherParts["dayModified"];
}

/** Documents that qmd is asked for, by each sub-query, and those that are read for one question and for one hit. */
const mostDocuments = 40;
const fewestRead = 12;
const readForHit = 2;
/** What filters of ours leave out is not left out by qmd, so it is asked for more. */
const mostFiltered = 200;

/**
 * A question to hits, with qmd in place of the index: it names documents, and from their text, as it is now, come
 * passages, lines, scores and snippets in the way of every other search.
 */
export function createQmdSearcher(parts: QmdSearcherParts) {
  const { ask, find, read, analyser, chunker, vocabulary, mode, settings, model, abilities } = parts;

  return async function search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    throwIfAborted(options.signal);
    const startedMs = performance.now();
    if (typeof query !== "string") {
      throw new LonghandError("query-invalid", `Could not search for a query of type ${typeof query}.`, {
        hint: "Give the query as text.",
      });
    }
    const maxResults = clamp(Math.trunc(options.maxResults ?? settings.maxResults), 1, 200);
    const minScore = clamp(options.minScore ?? settings.minScore, 0, 1);
    const filter = readFilter(options);
    const asked = query.slice(0, maxQueryChars);
    const words = readQueryWords(asked, analyser);
    const { chunks: totalChunks } = await vocabulary.stats();
    const terms = await weighQueryTerms(words, vocabulary, totalChunks);
    const embedsBy = mode === "search" ? null : model();
    const byWord = mode !== "vsearch";

    const plain = rewriteMeaning(asked);
    const { expands, reranks } = mode === "query" ? abilities() : { expands: false, reranks: false };
    const named = await ask(
      {
        words: byWord ? rewriteQuery(asked, words, terms) : [],
        meaning: embedsBy === null ? null : plain,
        expand: expands ? plain : null,
        rerank: reranks ? plain : null,
        collections: chooseCollections(filter),
        limit: isNarrow(filter) ? mostFiltered : mostDocuments,
      },
      { signal: options.signal },
    );
    const askedMs = performance.now();
    throwIfAborted(options.signal);
    const found = named.map(preferRerank);

    const finder = createMatchFinder(terms, analyser);
    const mostRead = clamp(readForHit * maxResults, fewestRead, mostFiltered);
    const documents = await readDocuments(rankDocuments(found, found.length), filter, mostRead);
    const placed = documents.map((document): PlacedPassages => placePassages(document, terms, finder));
    const similarities = new Map(placed.flatMap((each) => [...each.similarities]));
    const passages = placed
      .flatMap((each) => each.passages)
      .filter(({ chunk }) => byWord || similarities.has(chunk.id));
    const hasMeaning = embedsBy !== null || found.some(({ rerank }) => rerank !== undefined);
    const ranked = rankPassages(passages, {
      termCount: terms.length,
      hasText: byWord,
      meaning: hasMeaning
        ? {
            best: Math.max(0, ...similarities.values()),
            chance: 1,
            scoreOf: ({ chunk }) => similarities.get(chunk.id) ?? null,
          }
        : null,
      blend: {
        kind: "weighted",
        vectorWeight: settings.vectorWeight,
        textWeight: byWord ? settings.textWeight : 0,
      },
      decay: readDecay(parts),
    });
    const aboveFloor = ranked.filter(({ relevance }) => relevance >= minScore && relevance > 0);
    const candidates = documents.flatMap(({ chunks }) => chunks);
    const table = createLineTable(candidates);
    const spread = settings.mmr.enabled
      ? diversify(aboveFloor, {
          lambda: settings.mmr.lambda,
          tokensOf: ({ passage }) => new Set(analyser.indexText(passage.chunk.text).split(" ")),
        })
      : aboveFloor;
    const drafts = draftHits(spread, table, maxResults);
    const counts = {
      keyword: found.filter((document) => document.byWord.length > 0).length,
      vector: found.filter(({ byMeaning }) => byMeaning !== undefined).length,
    };
    const trace = {
      ...{ filter, terms, finder, found: counts, candidates, table, ranked, aboveFloor, drafts, minScore },
    };
    const results = presentHits(trace, settings, options);
    const timings = { qmd: askedMs - startedMs, hits: performance.now() - askedMs };
    // Its similarities are on a scale of its own, which only counts where there is nothing else.
    const features = readFeatures(trace, {
      hasKeywords: byWord,
      semanticOf: ({ vectorScore }) => (byWord ? null : semanticFromScore(vectorScore)),
    });
    return {
      results,
      ...describeConfidence(features),
      mode: !hasMeaning ? "keyword" : byWord ? "hybrid" : "vector",
      provider: "qmd",
      model: embedsBy,
      degraded: words.words.length === 0 ? [noWordsReason] : [],
      stale: false,
      ...(options.explain ? { explain: explainAnswer(trace, timings) } : {}),
    };
  };

  /** As they are now. What is gone, or is none of ours, is passed over, whatever qmd says. */
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
      if (known === null || !passes(known, filter)) continue;
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
      // An offset is one in the text that qmd knows.
      const byMeaning = each.byMeaning && { ...each.byMeaning, ...(isChanged && { offset: null }) };
      documents.push({ found: { ...each, ...(byMeaning && { byMeaning }) }, text, chunks });
    }
    return documents;
  }
}

/** A model that read the question and the passage knows more than the distance of two vectors. */
function preferRerank(document: QmdDocument): QmdDocument {
  const { rerank } = document;
  if (rerank === undefined) return document;
  const { score, text, offset } = rerank;
  return { ...document, byMeaning: { similarity: score, text, offset } };
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

function passes({ source, scope, path, date }: MirroredDocument, filter: ChunkFilter): boolean {
  if (filter.sharedOnly && scope === "private") return false;
  if (filter.source !== undefined && source !== filter.source) return false;
  if (filter.since !== undefined && (date === undefined || date < filter.since)) return false;
  if (filter.until !== undefined && (date === undefined || date > filter.until)) return false;
  return compilePaths(filter)?.(path) ?? true;
}
