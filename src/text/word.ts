import { isAscii } from "./ascii.ts";
import { foldWord } from "./fold.ts";
import { stemWord } from "./stem.ts";
import { isUnspaced } from "./word-characters.ts";

/** What one written word gives to the index. */
export interface AnalysedWord {
  /** In order: one stem, or the parts of an identifier, or the pairs of a run of characters. */
  readonly words: readonly string[];
  /** The whole identifier, its adjacent parts, the last character of a run. */
  readonly extras: readonly string[];
  /** Folded first and last part, for pairs across inner punctuation; empty where pairs make no sense. */
  readonly first: string;
  readonly last: string;
  /** Each of `words` is a pair of code units of the written word, in order, and `extras` is its last one. */
  readonly isRun?: boolean;
}

/** Longer words are cut: they are data, not language, and must not grow the index. */
export const maxWordLength = 64;

/** Nothing but kana, common Han or Hangul syllables: folding changes none of them. */
const plainRun = /^[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/;
/** `userId`, `HTTPServer`, `max_results`; but the s of `APIs` and `userIDs` is a plural, no word of its own. */
const partBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))|_+/u;
const letterThenDigits = /^(\p{L}{3,})\p{N}+$|^\p{N}+(\p{L}{3,})$/u;
/** The same for words of ASCII alone. */
const plainBoundary = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))|_+/;
const plainLetterThenDigits = /^([A-Za-z]{3,})[0-9]+$|^[0-9]+([A-Za-z]{3,})$/;
/** A letter of the West and then small ones: nothing above divides it. */
const latinWord = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f][a-z\u00df-\u00f6\u00f8-\u00ff]*$/;

/** The word is one that `wordEnd` found: of a script with blanks between its words, or of one without. */
export function analyseWord(raw: string): AnalysedWord {
  if (plainRun.test(raw)) return pairsOf(raw);
  if (isUnspaced(raw)) return foldedRun(raw);
  const word = raw.length > maxWordLength ? cutLongWord(raw) : raw;
  if (/^[A-Za-z]?[a-z]*$/.test(word)) return plainWord(word.toLowerCase());
  const folded = foldWord(word);
  if (folded === "") return nothing;
  if (isHash(folded)) return { words: [folded], extras: [], first: folded, last: folded };
  if (latinWord.test(word)) return plainWord(folded);
  const isPlain = isAscii(word);
  const parts = word
    .split(isPlain ? plainBoundary : partBoundary)
    .filter(Boolean)
    .map(foldWord)
    .filter(Boolean);
  if (parts.length > 1) return identifier(parts);
  const plain = parts[0];
  if (plain === undefined) return nothing;
  const digits = (isPlain ? plainLetterThenDigits : letterThenDigits).exec(plain);
  if (digits) return { ...plainWord(plain), extras: [stemWord(digits[1] ?? digits[2] ?? "")] };
  return plainWord(plain);
}

/** Underscores and invisible characters alone. */
const nothing: AnalysedWord = { words: [], extras: [], first: "", last: "" };

/** Commit ids and the like: found by prefix, never stemmed or split. */
export function isHash(folded: string): boolean {
  return /^[0-9a-f]{6,64}$/.test(folded) && /\d/.test(folded) && /[a-f]/.test(folded);
}

function plainWord(folded: string): AnalysedWord {
  const hasNumber = isAscii(folded) ? /[0-9]/.test(folded) : /\p{N}/u.test(folded);
  const token = hasNumber ? folded : stemWord(folded);
  return { words: [token], extras: [], first: folded, last: folded };
}

/**
 * `maxResults` and `max_results`: words max, result; extras maxresult and max.results. The whole is stemmed like a word,
 * because others write it as one: YouTube, youtube.
 */
function identifier(parts: readonly string[]): AnalysedWord {
  const extras = [stemWord(cutAtCodePoint(parts.join(""), maxWordLength))];
  for (let i = 1; i < parts.length; i++) extras.push(`${parts[i - 1]}.${parts[i]}`);
  return { words: parts.map(stemWord), extras, first: parts[0]!, last: parts.at(-1)! };
}

/**
 * Overlapping pairs find any word of two characters or more and need no dictionary. With its last character alone, every
 * character of a run begins some token, so one character finds by prefix.
 */
function pairsOf(run: string): AnalysedWord {
  if (run.length === 1) return { words: [run], extras: [], first: "", last: "" };
  const words: string[] = [];
  for (let i = 1; i < run.length; i++) words.push(run.slice(i - 1, i + 1));
  return { words, extras: [run.slice(-1)], first: "", last: "", isRun: true };
}

/** A run that folding may change: half-width kana, Thai, letters taken apart, Han outside the basic plane. */
function foldedRun(raw: string): AnalysedWord {
  const folded = foldWord(raw);
  if (folded === "") return nothing;
  const characters = [...folded];
  if (characters.length === raw.length && folded.length === raw.length) return pairsOf(folded);
  if (characters.length === 1) return { words: [folded], extras: [], first: "", last: "" };
  const words: string[] = [];
  for (let i = 1; i < characters.length; i++) words.push(characters[i - 1]! + characters[i]!);
  return { words, extras: [characters.at(-1)!], first: "", last: "" };
}

/** What folding drops or joins is taken out first, so that a word is cut at the same letter however it is typed. */
function cutLongWord(raw: string): string {
  const head = cutAtCodePoint(raw, 4 * maxWordLength).normalize("NFC");
  return cutAtCodePoint(head.replace(/[\u00ad\u200c\u200d]/g, ""), maxWordLength);
}

function cutAtCodePoint(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
