import type { KeywordClause } from "../store.ts";
import type { FullTextQuery, Lance, Occur as OccurType, Operator as OperatorType } from "./lance-package.ts";

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

/** How the index tokenises: at blanks, and nothing else. */
export function fullTextIndex({ Index }: Lance) {
  return Index.fts({
    baseTokenizer: "whitespace",
    withPosition: false,
    maxTokenLength: 1_000_000,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
  });
}

/** Clauses as the index takes them. */
export interface WordQuery {
  readonly query: FullTextQuery;
  /** Null when each match counts; otherwise whether one does, by the tokens of a chunk. */
  readonly accepts: ((body: string, head: string) => boolean) | null;
}

/**
 * What to ask LanceDB for, or null when nothing is left to look for. Tokens that must follow each other are asked for
 * together, and then looked for in what was found: rows that are not in the full-text index yet are searched word by
 * word only.
 */
export function wordQuery(
  lance: Lance,
  clauses: readonly KeywordClause[],
  { headWeight, expand }: { headWeight: number; expand: (prefix: string) => readonly string[] },
): WordQuery | null {
  const single = new Set<string>();
  const phrases: Phrase[] = [];
  for (const { tokens, prefix = false } of clauses) {
    const words = tokens
      .map((token) => encodeTokens(token.toWellFormed()))
      .filter((word) => /[^ ]/.test(word));
    const [first, ...rest] = words;
    if (first === undefined) continue;
    if (rest.length > 0 || first.includes(" "))
      phrases.push({ words: words.flatMap((word) => word.match(/[^ ]+/g) ?? []), prefix });
    else if (prefix) for (const word of expand(first)) single.add(word);
    else single.add(first);
  }
  const { BooleanQuery, MatchQuery, Occur, Operator } = lance;
  const parts: [OccurType, FullTextQuery][] = [];
  const add = (text: string, operator: OperatorType): void => {
    parts.push([Occur.Should, new MatchQuery(text, "body", { operator, fuzziness: 0 })]);
    parts.push([Occur.Should, new MatchQuery(text, "head", { operator, fuzziness: 0, boost: headWeight })]);
  };
  if (single.size > 0) add([...single].join(" "), Operator.Or);
  for (const { words, prefix } of phrases) {
    const whole = prefix ? words.slice(0, -1) : words;
    add(whole.join(" "), Operator.And);
  }
  if (parts.length === 0) return null;
  const query = new BooleanQuery(parts);
  if (phrases.length === 0) return { query, accepts: null };
  const accepts = (body: string, head: string): boolean =>
    [body, head].some((tokens) => {
      const list = tokens.split(" ");
      return list.some((token) => single.has(token)) || phrases.some((phrase) => holdsPhrase(list, phrase));
    });
  return { query, accepts };
}

interface Phrase {
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly prefix: boolean;
}

function holdsPhrase(tokens: readonly string[], { words, prefix }: Phrase): boolean {
  const last = words.length - 1;
  return tokens.some((_, at) =>
    words.every((word, index) =>
      prefix && index === last ? tokens[at + index]?.startsWith(word) : tokens[at + index] === word,
    ),
  );
}
