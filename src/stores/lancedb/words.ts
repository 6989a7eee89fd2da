import type { KeywordClause } from "../store.ts";
import type {
  FullTextQuery,
  Lance,
  LanceTable,
  Occur as OccurType,
  Operator as OperatorType,
} from "./lance-package.ts";

/*
 * Words in LanceDB: the tokens of our analyser joined by blanks. Its tokenizer splits at blanks, tabs and ends of lines,
 * so those that are part of a token are written as characters that no text has; it knows no operators.
 */

/** Tokens as they are indexed. */
export function encodeTokens(tokens: string): string {
  return tokens.replace(/[\0\t\n\f\r]/g, (character) =>
    character === "\0" ? "" : String.fromCodePoint(privateUse + character.charCodeAt(0)),
  );
}

const privateUse = 0xf_0000;

/** The column with the full-text index. */
export const wordsColumn = "words";

/**
 * The words of a chunk as columns. Each word once is what is indexed: of rows that are not in the index yet LanceDB takes
 * how often a word stands in them all for the number of rows that have it, and finds none of a word that is often
 * repeated.
 */
export function wordColumns(tokens: { body: string; head: string }) {
  const [body, head] = [encodeTokens(tokens.body), encodeTokens(tokens.head)];
  const all = `${body} ${head}`.split(" ").filter((token) => token !== "");
  return { body, head, words: [...new Set(all)].join(" "), token_count: all.length };
}

/** Makes the index, or makes it anew. It tokenises at blanks, and nothing else. */
export async function indexWords({ Index }: Lance, chunks: LanceTable): Promise<void> {
  const config = Index.fts({
    baseTokenizer: "whitespace",
    withPosition: false,
    maxTokenLength: 1_000_000,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
  });
  await chunks.createIndex(wordsColumn, { config });
}

/** Words that follow each other, or one word. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly prefix: boolean;
}

/** A clause that is there twice counts once. */
export function readPhrases(clauses: readonly KeywordClause[]): Phrase[] {
  const phrases = new Map<string, Phrase>();
  for (const { tokens, prefix = false } of clauses) {
    const words = tokens.flatMap((token) => encodeTokens(token.toWellFormed()).match(/[^ ]+/g) ?? []);
    if (words.length > 0) phrases.set(`${prefix} ${words.join(" ")}`, { words, prefix });
  }
  return [...phrases.values()];
}

/** What to ask LanceDB for: rows with any of the words, or with all words of a phrase. */
export function wordQuery(
  { BooleanQuery, MatchQuery, Occur, Operator }: Lance,
  phrases: readonly Phrase[],
  expand: (prefix: string) => readonly string[],
): FullTextQuery | null {
  const parts: [OccurType, FullTextQuery][] = [];
  const add = (words: readonly string[], operator: OperatorType): void => {
    if (words.length === 0) return;
    parts.push([Occur.Should, new MatchQuery(words.join(" "), wordsColumn, { operator, fuzziness: 0 })]);
  };
  const single = phrases
    .filter(isSingle)
    .flatMap(({ words, prefix }) => (prefix ? expand(words[0]!) : words));
  add([...new Set(single)], Operator.Or);
  for (const { words, prefix } of phrases.filter((phrase) => !isSingle(phrase))) {
    add(prefix ? words.slice(0, -1) : words, Operator.And);
  }
  return parts.length === 0 ? null : new BooleanQuery(parts);
}

export function isSingle({ words }: Phrase): boolean {
  return words.length === 1;
}

/** How often a phrase stands among tokens. */
export function countPhrase(tokens: readonly string[], { words, prefix }: Phrase): number {
  const last = words.length - 1;
  const isThere = (at: number): boolean =>
    words.every((word, index) =>
      prefix && index === last ? tokens[at + index]?.startsWith(word) : tokens[at + index] === word,
    );
  let count = 0;
  for (let at = 0; at < tokens.length; at++) if (isThere(at)) count++;
  return count;
}
