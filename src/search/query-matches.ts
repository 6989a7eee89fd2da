import { createAnalyser } from "../text/words/analyse.ts";
import { readQueryWords } from "./query-words.ts";

/** A stretch of a text, the end not included. */
export type Range = readonly [start: number, end: number];

/** Finds the words of a query in a text, in any form that the index holds to be the same word. */
export function createMatcher(query: string): (text: string) => Range[] {
  const analyser = createAnalyser();
  const kinds = new Map(readQueryWords(query, analyser).words.map(({ token, kind }) => [token, kind]));
  return (text) => {
    const ranges: Range[] = [];
    const mark = (token: string, start: number, end: number): void => {
      const kind = kinds.get(token);
      if (kind === undefined) return;
      // Where words are written without blanks, a written word can be a whole sentence: only the pair is meant.
      if (kind === "pair" || kind === "character")
        ranges.push(...findAll(text.slice(start, end), token, start));
      else ranges.push([start, end]);
    };
    analyser.scan(text, mark, mark);
    return ranges;
  };
}

function findAll(text: string, part: string, offset: number): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    ranges.push([offset + at, offset + at + part.length]);
  }
  return ranges;
}
