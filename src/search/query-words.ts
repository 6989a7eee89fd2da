import { isAscii } from "../text/ascii.ts";
import { once } from "../text/once.ts";
import type { Analyzer } from "../text/words/analyze.ts";
import { emojiEnd } from "../text/words/emoji.ts";
import { foldWord } from "../text/words/fold.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import { isStopBigram, languageOf, stopWordsIn } from "../text/words/stop-words.ts";
import { isHash } from "../text/words/word.ts";
import { isUnspaced } from "../text/words/word-characters.ts";
import { dateTokens } from "./named-days.ts";

export type WordKind =
  | "word"
  /** Two characters of a script without spaces. */
  | "pair"
  /** One such character: a prefix match. */
  | "character"
  /** A commit id or the like: matches its longer and shorter forms. */
  | "hash"
  /** A whole identifier, neighbours joined by punctuation, or a sigil: optional. */
  | "exact"
  /** Optional. */
  | "emoji"
  /** Two plain words that the notes may write as one. A guess, so it weighs least. */
  | "joined";

export interface QueryWord {
  /** Case-folded, otherwise as written. */
  readonly text: string;
  readonly token: string;
  readonly kind: WordKind;
  /** Words from the same written word share a group and together count as one; null for a word of its own. */
  readonly group: number | null;
  /** Occurrences in the query. */
  readonly count: number;
}

export interface QueryWords {
  readonly words: readonly QueryWord[];
  /** The query's language, if its function words reveal it. */
  readonly language: string | null;
}

const spelledWord = once(() => /[\p{L}\p{N}\p{M}]+/gu);
const plainWord = /[A-Za-z0-9]+/g;

/** Longer queries are truncated. */
export const maxQueryChars = 4096;

/**
 * The words of a query, in order and without repeats. Stop words are left out unless there is nothing else, and even
 * then if their stem has three letters or fewer. Two adjacent plain words may be an identifier that the notes write as
 * one ("max results", `maxResults`), so the joined forms are tried too.
 */
export function readQueryWords(query: string, analyzer: Analyzer): QueryWords {
  const asked = query.slice(0, maxQueryChars);
  const spelled = [...asked.matchAll(isAscii(asked) ? plainWord : spelledWord())];
  const folded = spelled.map(([word]) => foldWord(word));
  const language = languageOf(folded);
  const stopWords = stopWordsIn(language);
  const stopEnds = new Map<number, number>();
  for (const [i, { index, 0: word }] of spelled.entries()) {
    if (stopWords.has(folded[i]!)) stopEnds.set(index, index + word.length);
  }

  const written: WrittenWord[] = [];
  const exact: QueryWord[] = [];
  /** End of the current stop word: in scripts without spaces its pairs arrive one by one. */
  let stopEnd = 0;
  analyzer.scan(
    asked,
    (token, start, end) => {
      stopEnd = stopEnds.get(start) ?? stopEnd;
      // The parts of an identifier have the same offsets; each counts on its own then.
      const previous = written.at(-1);
      const isPart = previous?.start === start && previous.end === end;
      if (isPart) written[written.length - 1] = { ...previous, text: previous.token };
      const text =
        isPart || isUnspaced(token) ? token : foldWord(asked.slice(start, end)).replaceAll("_", "");
      const kind = kindOf(token, text);
      // A longer word may start with a stop word: is_valid.
      const isStop = end <= stopEnd || (kind === "pair" && isStopBigram(token));
      const group = isUnspaced(token) ? null : start;
      written.push({ text, token, kind, group, count: 1, start, end, isStop });
    },
    (token, start) => {
      // The last character of a run lets a one-character query find it; longer queries have the pairs.
      if (isUnspaced(token)) return;
      const kind = emojiEnd(token, 0) > 0 ? "emoji" : "exact";
      exact.push({ text: token, token, kind, group: start, count: 1 });
    },
  );
  const known = new Set(exact.map(({ token }) => token));
  for (const token of dateTokens(asked, folded)) {
    if (!known.has(token)) exact.push({ text: token, token, kind: "exact", group: null, count: 1 });
  }
  const meant = written.filter(({ isStop }) => !isStop);
  // A short stem of a stop word may be another word: "are" becomes "ar".
  const unmistakable = written.filter(
    ({ text, token, kind }) => kind !== "word" || text === token || token.length > 3,
  );
  const others = [...exact, ...joinedNeighbours(written)];
  return {
    words: unique([...(meant.length > 0 ? meant : unmistakable), ...others]),
    language,
  };
}

function unique(words: readonly QueryWord[]): QueryWord[] {
  const byToken = new Map<string, QueryWord>();
  for (const { text, token, kind, group, count } of words) {
    const known = byToken.get(token);
    byToken.set(
      token,
      known ? { ...known, count: known.count + count } : { text, token, kind, group, count },
    );
  }
  return [...byToken.values()];
}

interface WrittenWord extends QueryWord {
  readonly start: number;
  readonly end: number;
  readonly isStop: boolean;
}

function kindOf(token: string, text: string): WordKind {
  if (isUnspaced(token)) return [...token].length === 1 ? "character" : "pair";
  return isHash(text) ? "hash" : "word";
}

function joinedNeighbours(written: readonly QueryWord[]): QueryWord[] {
  const joined: QueryWord[] = [];
  for (let i = 1; i < written.length; i++) {
    const [left, right] = [written[i - 1]!, written[i]!];
    if (left.kind !== "word" || right.kind !== "word") continue;
    const text = left.text + right.text;
    joined.push({ text, token: stemWord(text), kind: "joined", group: null, count: 1 });
    const dotted = `${left.text}.${right.text}`;
    joined.push({ text: dotted, token: dotted, kind: "joined", group: null, count: 1 });
  }
  return joined;
}
