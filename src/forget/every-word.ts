import { readQueryWords } from "../search/query-words.ts";
import { createAnalyser } from "../text/words/analyse.ts";

/** Tells texts that have every word of a question, in whatever form. Words that only ask or join do not count. */
export function createEveryWordCheck(query: string): (text: string) => boolean {
  const analyser = createAnalyser();
  const wanted = readQueryWords(query, analyser)
    .words.filter(({ kind }) => kind !== "exact" && kind !== "joined")
    .map(({ token }) => token);
  return (text) => {
    const found = new Set<string>();
    const add = (token: string): void => void found.add(token);
    analyser.scan(text, add, add);
    return wanted.every((token) => found.has(token));
  };
}
