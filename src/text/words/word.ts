import { isAscii } from "../ascii.ts";
import { once } from "../once.ts";
import { foldWord } from "./fold.ts";
import { stemWord } from "./stems/stem.ts";
import { isUnspaced } from "./word-characters.ts";

/** What one written word adds to the index. */
export interface AnalyzedWord {
  /** In order: one stem, or the parts of an identifier, or the pairs of a run of characters. */
  readonly words: readonly string[];
  /** The whole identifier, its adjacent parts, the last character of a run. */
  readonly extras: readonly string[];
  /** Folded first and last part, for pairs across inner punctuation; empty if pairs make no sense. */
  readonly first: string;
  readonly last: string;
  /** Each of `words` is a pair of code units of the written word, in order, and `extras` is its last one. */
  readonly isRun?: boolean;
}

/** Longer words are cut: they are data, not language, and must not bloat the index. */
export const maxWordLength = 64;

/** Only kana, common Han or Hangul syllables: folding changes none of them. */
const plainRun = /^[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/;
/** `userId`, `HTTPServer`, `max_results`; but the s of `APIs` and `userIDs` is a plural, not a word. */
const partBoundary = once(
  () => /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))|_+/u,
);
const letterThenDigits = once(() => /^(\p{L}{3,})\p{N}+$|^\p{N}+(\p{L}{3,})$/u);
/** The same for words of ASCII alone. */
const plainBoundary = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))|_+/;
const plainLetterThenDigits = /^([A-Za-z]{3,})[0-9]+$|^[0-9]+([A-Za-z]{3,})$/;
/** Letters of the West, Greek and Cyrillic ones, or those of scripts without case. */
const caseLetters =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0388-\u03ce\u0400-\u045f\u1e00-\u1eff]+$/;
const caselessLetters = /^[\u05d0-\u05ea\u0621-\u063a\u0641-\u0652\u0900-\u0963]+$/;

/** Expects a word that `wordEnd` found: of a script with spaces, or of one without. */
export function analyzeWord(raw: string): AnalyzedWord {
  if (plainRun.test(raw)) return pairsOf(raw);
  if (isUnspaced(raw)) return foldedRun(raw);
  const word = raw.length > maxWordLength ? cutLongWord(raw) : raw;
  if (/^[A-Za-z]?[a-z]*$/.test(word)) return plainWord(word.toLowerCase(), { hasNumber: false });
  const folded = foldWord(word);
  if (folded === "") return nothing;
  if (isHash(folded)) return { words: [folded], extras: [], first: folded, last: folded };
  if (isUndivided(word)) return plainWord(folded, { hasNumber: false });
  const isPlain = isAscii(word);
  const parts = word
    .split(isPlain ? plainBoundary : partBoundary())
    .filter(Boolean)
    .map(foldWord)
    .filter(Boolean);
  if (parts.length > 1) return identifier(parts);
  const plain = parts[0];
  if (plain === undefined) return nothing;
  const hasNumber = isPlain ? /[0-9]/.test(plain) : /\p{N}/u.test(plain);
  const digits = hasNumber ? (isPlain ? plainLetterThenDigits : letterThenDigits()).exec(plain) : null;
  if (digits) return { ...plainWord(plain, { hasNumber }), extras: [stemWord(digits[1] ?? digits[2] ?? "")] };
  return plainWord(plain, { hasNumber });
}

/** Letters only, all but the first in lower case: known without the expressions above. */
function isUndivided(word: string): boolean {
  if (caselessLetters.test(word)) return true;
  const rest = word.slice(1);
  return caseLetters.test(word) && rest === rest.toLowerCase();
}

/**
 * Like `analyzeWord` if only ASCII tokens are sought and the word becomes none: only the number of tokens counts, so it
 * is neither folded nor stemmed; `onSkipped` gets that number. Null for words where it is not obvious.
 */
export function passForeign(raw: string, onSkipped: (count: number) => void): AnalyzedWord | null {
  if (raw.charCodeAt(0) < 0x370 || raw.length > maxWordLength) return null;
  const isRun = foreignRun.test(raw);
  if (!isRun && !(foreignLetters.test(raw) && isUndivided(raw))) return null;
  if (!isRun || raw.length === 1) {
    onSkipped(1);
    return { words: [], extras: [], first: isRun ? "" : raw, last: isRun ? "" : raw };
  }
  onSkipped(raw.length - 1);
  return { words: [], extras: [raw.slice(-1)], first: "", last: "", isRun };
}

/** Like `plainRun`, with Thai except for the sign that joins another. */
const foreignRun =
  /^[\u0e01-\u0e3a\u0e40-\u0e4c\u0e4e\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3]+$/;
/** Letters that do not fold to ASCII, the first of them one that folding keeps. */
const foreignLetters = /^[\u0388-\u03ce\u0410-\u045f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u0904-\u0939]/;

/** Underscores and invisible characters alone. */
const nothing: AnalyzedWord = { words: [], extras: [], first: "", last: "" };

/** Commit ids and the like: found by prefix, never stemmed or split. */
export function isHash(folded: string): boolean {
  return /^[0-9a-f]{6,64}$/.test(folded) && /\d/.test(folded) && /[a-f]/.test(folded);
}

function plainWord(folded: string, { hasNumber }: { readonly hasNumber: boolean }): AnalyzedWord {
  const token = hasNumber ? folded : stemWord(folded);
  return { words: [token], extras: [], first: folded, last: folded };
}

/**
 * `maxResults` and `max_results`: words max, result; extras maxresult and max.results. The whole is stemmed like a
 * word, because others write it as one: YouTube, youtube.
 */
function identifier(parts: readonly string[]): AnalyzedWord {
  const extras = [stemWord(cutAtCodePoint(parts.join(""), maxWordLength))];
  for (let i = 1; i < parts.length; i++) extras.push(`${parts[i - 1]}.${parts[i]}`);
  return { words: parts.map(stemWord), extras, first: parts[0]!, last: parts.at(-1)! };
}

/**
 * Overlapping pairs find any word of two characters or more and need no dictionary. With its last character alone,
 * every character of a run begins some token, so a single character is found by prefix.
 */
function pairsOf(run: string): AnalyzedWord {
  if (run.length === 1) return { words: [run], extras: [], first: "", last: "" };
  const words: string[] = [];
  for (let i = 1; i < run.length; i++) words.push(run.slice(i - 1, i + 1));
  return { words, extras: [run.slice(-1)], first: "", last: "", isRun: true };
}

/** A run that folding may change: half-width kana, Thai, decomposed letters, Han outside the basic plane. */
function foldedRun(raw: string): AnalyzedWord {
  const folded = foldWord(raw);
  if (folded === "") return nothing;
  const characters = [...folded];
  if (characters.length === raw.length && folded.length === raw.length) return pairsOf(folded);
  if (characters.length === 1) return { words: [folded], extras: [], first: "", last: "" };
  const words: string[] = [];
  for (let i = 1; i < characters.length; i++) words.push(characters[i - 1]! + characters[i]!);
  return { words, extras: [characters.at(-1)!], first: "", last: "" };
}

/** Removes what folding drops or joins first, so that a word is cut at the same letter however it is typed. */
function cutLongWord(raw: string): string {
  const head = cutAtCodePoint(raw, 4 * maxWordLength).normalize("NFC");
  return cutAtCodePoint(head.replace(/[\u00ad\u200c\u200d]/g, ""), maxWordLength);
}

function cutAtCodePoint(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
