import { foldWord } from "./fold.ts";
import { stemWord } from "./stem.ts";

/** What one written word gives to the index. */
export interface AnalysedWord {
  /** In order: one stem, or the parts of an identifier, or the pairs of a run of characters. */
  readonly words: readonly string[];
  /** The whole identifier, its adjacent parts, the last character of a run. */
  readonly extras: readonly string[];
  /** Folded first and last part, for pairs across inner punctuation; empty where pairs make no sense. */
  readonly first: string;
  readonly last: string;
  /** Each of `words` is a pair of code units of the written word, in order. */
  readonly isRun?: boolean;
}

/** Longer words are cut: they are data, not language, and must not grow the index. */
export const maxWordLength = 64;

/**
 * Han, kana, Hangul, Thai, Lao, Khmer and Myanmar write words without blanks between them (Hangul glues particles to
 * them): overlapping pairs find any word of two characters or more and need no dictionary.
 */
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\u3005]+/gu;
/** Nothing but kana, common Han or Hangul syllables: folding changes none of them. */
const plainRun = /^[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/;
const asciiWord = /^[a-z]+$/;
const camelBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_+/u;
const letterThenDigits = /^(\p{L}{3,})\p{N}+$|^\p{N}+(\p{L}{3,})$/u;

export function analyseWord(raw: string): AnalysedWord {
  if (plainRun.test(raw)) return pairsOf(raw);
  const isLong = raw.length > maxWordLength;
  // A run without blanks is a sentence and stays whole, however long.
  const word = isLong && !isUnspaced(raw) ? cutAtCodePoint(raw, maxWordLength) : raw;
  if (/^[A-Za-z]?[a-z]*$/.test(word)) return plainWord(word.toLowerCase());
  const folded = foldWord(word);
  if (folded === "") return nothing;
  if (isUnspaced(folded)) return mixedWord(folded);
  if (isHash(folded)) return { words: [folded], extras: [], first: folded, last: folded };
  const parts = word.split(camelBoundary).filter(Boolean).map(foldWord).filter(Boolean);
  if (parts.length > 1) return identifier(parts);
  const plain = parts[0];
  if (plain === undefined) return nothing;
  const digits = letterThenDigits.exec(plain);
  if (digits) return { ...plainWord(plain), extras: [stemWord(digits[1] ?? digits[2] ?? "")] };
  return plainWord(plain);
}

/** Underscores and invisible characters alone. */
const nothing: AnalysedWord = { words: [], extras: [], first: "", last: "" };

/** Commit ids and the like: found by prefix, never stemmed or split. */
export function isHash(folded: string): boolean {
  return /^[0-9a-f]{6,64}$/.test(folded) && /\d/.test(folded) && /[a-f]/.test(folded);
}

export function isUnspaced(folded: string): boolean {
  return folded.search(unspacedRuns) >= 0;
}

function plainWord(folded: string): AnalysedWord {
  const token = asciiWord.test(folded) || !/\p{N}/u.test(folded) ? stemWord(folded) : folded;
  return { words: [token], extras: [], first: folded, last: folded };
}

/** `maxResults` and `max_results`: words max, result; extras maxresults and max.results. */
function identifier(parts: readonly string[]): AnalysedWord {
  const extras = [parts.join("").slice(0, maxWordLength)];
  for (let i = 1; i < parts.length; i++) extras.push(`${parts[i - 1]}.${parts[i]}`);
  return { words: parts.map(stemWord), extras, first: parts[0]!, last: parts.at(-1)! };
}

function pairsOf(run: string): AnalysedWord {
  if (run.length === 1) return { words: [run], extras: [], first: "", last: "" };
  const words: string[] = [];
  for (let i = 1; i < run.length; i++) words.push(run.slice(i - 1, i + 1));
  return { words, extras: [run.slice(-1)], first: "", last: "", isRun: true };
}

function mixedWord(folded: string): AnalysedWord {
  const words: string[] = [];
  const extras: string[] = [];
  let position = 0;
  for (const run of folded.matchAll(unspacedRuns)) {
    if (run.index > position) words.push(stemWord(folded.slice(position, run.index)));
    const characters = [...run[0]];
    for (let i = 1; i < characters.length; i++) words.push(characters[i - 1]! + characters[i]!);
    const last = characters.at(-1)!;
    // With its last character alone, every character of a run begins some token, so one character finds by prefix.
    if (characters.length === 1) words.push(last);
    else extras.push(last);
    position = run.index + run[0].length;
  }
  if (position < folded.length) words.push(stemWord(folded.slice(position)));
  return { words, extras, first: "", last: "" };
}

function cutAtCodePoint(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
