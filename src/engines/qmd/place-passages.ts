import type { MatchFinder } from "../../search/matches.ts";
import { type Passage, scorePassages } from "../../search/passages.ts";
import type { QueryTerm } from "../../search/query-terms.ts";
import type { StoredChunk } from "../../stores/store.ts";
import type { LineRange } from "../../text/document.ts";
import { foldWord } from "../../text/words/fold.ts";
import type { QmdDocument } from "./driver.ts";
import { locateText } from "./locate-text.ts";

/** A document that qmd named, as it is now. */
export interface ReadDocument {
  readonly found: QmdDocument;
  readonly text: string;
  readonly chunks: readonly StoredChunk[];
}

export interface PlacedPassages {
  readonly passages: readonly Passage[];
  /** 0..1 by chunk id, where qmd found something near in meaning. */
  readonly similarities: ReadonlyMap<number, number>;
}

/** Of the chunks that share one vector of qmd's, those with fewer words of the question count a little less. */
const sharedFactor = 0.95;
/** What counts for a word that begins like one of the question, and is another to the analyser. */
const prefixScore = 0.1;

/**
 * Finds in the text of a document what made qmd name it. Line numbers come from here alone, never from qmd: its own
 * are those of an older text, or of the first line when it does not find the word again. What cannot be found in the
 * text gives no passage.
 */
export function placePassages(
  { found, text, chunks }: ReadDocument,
  terms: readonly QueryTerm[],
  finder: MatchFinder,
): PlacedPassages {
  const scored = terms.length === 0 ? [] : chunks.flatMap((chunk) => scorePassages(chunk, terms, finder));
  const byWord = scored.filter(({ isMatched }) => isMatched);
  const near = placeMeaning({ found, text, chunks }, byWord);
  const known = new Set(byWord.map(({ chunk }) => chunk.id));
  const byMeaning = [...near.similarities.keys()]
    .filter((id) => !known.has(id))
    .map((id) => bare(chunks.find((chunk) => chunk.id === id)!, near.lines!));
  const passages = [...byWord, ...byMeaning];
  const begun = passages.length === 0 ? findBeginning(found, chunks) : null;
  return { passages: begun === null ? passages : [begun], similarities: near.similarities };
}

function placeMeaning(
  { found, text, chunks }: ReadDocument,
  byWord: readonly Passage[],
): { similarities: Map<number, number>; lines: LineRange | null } {
  const similarities = new Map<number, number>();
  const { byMeaning } = found;
  const lines = byMeaning === undefined ? null : locateText(text, byMeaning.text, byMeaning.offset);
  if (byMeaning === undefined || lines === null) return { similarities, lines: null };
  const reached = chunks.filter((chunk) => chunk.lines.start <= lines.end && chunk.lines.end >= lines.start);
  const scoreOf = ({ id }: StoredChunk): number =>
    byWord.reduce((most, { chunk, score }) => (chunk.id === id ? Math.max(most, score) : most), 0);
  // The first of equals: a passage begins where its subject does.
  const best = reached.reduce<StoredChunk | undefined>(
    (most, chunk) => (most === undefined || scoreOf(chunk) > scoreOf(most) ? chunk : most),
    undefined,
  );
  const similarity = Math.min(1, Math.max(0, byMeaning.similarity));
  for (const chunk of reached) similarities.set(chunk.id, similarity * (chunk === best ? 1 : sharedFactor));
  return { similarities, lines };
}

/** The part of a chunk that stands in these lines. */
function bare(chunk: StoredChunk, lines: LineRange): Passage {
  const start = Math.max(chunk.lines.start, lines.start);
  return {
    chunk,
    lines: { start, end: Math.max(start, Math.min(chunk.lines.end, lines.end)) },
    score: 0,
    isMatched: false,
    contributions: [],
    occurrences: [],
  };
}

/** qmd takes a word for the beginning of a longer one. */
function findBeginning({ byWord }: QmdDocument, chunks: readonly StoredChunk[]): Passage | null {
  const beginnings = byWord
    .map(({ query }) => foldWord(query))
    .filter((word) => /^[\p{L}\p{N}_]{3,}$/u.test(word));
  for (const chunk of chunks) {
    for (const [index, line] of chunk.text.split("\n").entries()) {
      const words = line.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
      if (!words.some((word) => beginnings.some((beginning) => foldWord(word).startsWith(beginning))))
        continue;
      const at = Math.min(chunk.lines.start + index, chunk.lines.end);
      return { ...bare(chunk, { start: at, end: at }), score: prefixScore };
    }
  }
  return null;
}
