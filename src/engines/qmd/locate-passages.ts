import type { MatchFinder } from "../../search/matches.ts";
import { createPassageScorer, type Passage } from "../../search/passages.ts";
import type { QueryTerm } from "../../search/query-terms.ts";
import type { StoredChunk } from "../../stores/store.ts";
import type { LineRange } from "../../text/document.ts";
import { foldWord } from "../../text/words/fold.ts";
import type { QmdDocument } from "./driver.ts";

/** A document found by qmd, with its current text. */
export interface ReadDocument {
  readonly found: QmdDocument;
  readonly text: string;
  readonly chunks: readonly StoredChunk[];
}

export interface LocatedPassages {
  readonly passages: readonly Passage[];
  /** 0..1 by chunk id, where qmd found something similar. */
  readonly similarities: ReadonlyMap<number, number>;
}

/** Of chunks that share one of qmd's vectors, those with fewer words of the query count a little less. */
const sharedFactor = 0.95;
/** The score of a word that only shares a prefix with one of the query. */
const prefixScore = 0.1;

/**
 * Locates qmd's matches in the current text of a document. Line numbers come from here alone, never from qmd: its own
 * refer to an older text, or to the first line if it does not find the word again. A match that is not in the text
 * gives no passage.
 */
export function locatePassages(
  { found, text, chunks }: ReadDocument,
  terms: readonly QueryTerm[],
  finder: MatchFinder,
): LocatedPassages {
  const scored = terms.length === 0 ? [] : chunks.flatMap(createPassageScorer(terms, finder));
  const byKeyword = scored.filter(({ isMatched }) => isMatched);
  const near = locateSemantic({ found, text, chunks }, byKeyword);
  const known = new Set(byKeyword.map(({ chunk }) => chunk.id));
  const byVector = [...near.similarities.keys()]
    .filter((id) => !known.has(id))
    .map((id) => bare(chunks.find((chunk) => chunk.id === id)!, near.lines!));
  const passages = [...byKeyword, ...byVector];
  const begun = passages.length === 0 ? findBeginning(found, chunks) : null;
  return { passages: begun === null ? passages : [begun], similarities: near.similarities };
}

function locateSemantic(
  { found, text, chunks }: ReadDocument,
  byKeyword: readonly Passage[],
): { similarities: Map<number, number>; lines: LineRange | null } {
  const similarities = new Map<number, number>();
  const { byVector } = found;
  const lines = byVector === undefined ? null : locateText(text, byVector.text, byVector.offset);
  if (byVector === undefined || lines === null) return { similarities, lines: null };
  const reached = chunks.filter((chunk) => chunk.lines.start <= lines.end && chunk.lines.end >= lines.start);
  const scoreOf = ({ id }: StoredChunk): number =>
    byKeyword.reduce((most, { chunk, score }) => (chunk.id === id ? Math.max(most, score) : most), 0);
  // The first of equals: a passage begins where its subject does.
  const best = reached.reduce<StoredChunk | undefined>(
    (most, chunk) => (most === undefined || scoreOf(chunk) > scoreOf(most) ? chunk : most),
    undefined,
  );
  const similarity = Math.min(1, Math.max(0, byVector.similarity));
  for (const chunk of reached) similarities.set(chunk.id, similarity * (chunk === best ? 1 : sharedFactor));
  return { similarities, lines };
}

/** The part of a chunk within these lines. */
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

/** qmd matches prefixes. */
function findBeginning({ byKeyword }: QmdDocument, chunks: readonly StoredChunk[]): Passage | null {
  const beginnings = byKeyword
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

/**
 * The lines of a piece of text at its current position; null if it no longer exists. If it occurs more than once, the
 * one nearest to `offset` counts.
 */
export function locateText(text: string, piece: string, offset: number | null): LineRange | null {
  const wanted = piece.trim();
  if (wanted === "") return null;
  const near = offset ?? 0;
  let found = -1;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (found === -1 || Math.abs(at - near) < Math.abs(found - near)) found = at;
    if (at > near) break;
  }
  if (found === -1) return null;
  return { start: lineAt(text, found), end: lineAt(text, found + wanted.length - 1) };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
