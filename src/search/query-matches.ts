import { createAnalyzer } from "../text/words/analyze.ts";
import { readQueryWords } from "./query-words.ts";

/** A range of a text, end-exclusive. */
export type Range = readonly [start: number, end: number];

/** Finds the words of a query in a text, in any form that the index treats as the same word. */
export function createMatcher(query: string): (text: string) => Range[] {
  const analyzer = createAnalyzer();
  const kinds = new Map(readQueryWords(query, analyzer).words.map(({ token, kind }) => [token, kind]));
  return (text) => {
    const ranges: Range[] = [];
    const mark = (token: string, start: number, end: number): void => {
      const kind = kinds.get(token);
      if (kind === undefined) return;
      // In scripts without spaces a token's range can be a whole sentence; mark only the pair.
      if (kind === "pair" || kind === "character")
        ranges.push(...findAll(text.slice(start, end), token, start));
      else ranges.push([start, end]);
    };
    analyzer.scan(text, mark, mark);
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
