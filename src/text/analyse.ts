import { isAscii } from "./ascii.ts";
import { blankOrigins } from "./entry-line.ts";
import { foldWord } from "./fold.ts";
import type { WantedWords } from "./wanted-words.ts";
import { type AnalysedWord, analyseWord, maxWordLength } from "./word.ts";
import { wordEnd } from "./word-characters.ts";

/** `start` and `end` are the offsets in the text of the written word that the token came from. */
export type TokenVisitor = (token: string, start: number, end: number) => void;

/**
 * The one analyser: what a word is, for the index and for the query, in every script and every store.
 *
 * A text becomes two streams of tokens. The first holds its words in order: folded (case, diacritics, width) and
 * stemmed; scripts that write without blanks give overlapping pairs of characters. The second, `extras`, holds what
 * makes exact things findable: whole identifiers beside their parts, neighbours joined by inner punctuation (`a.b`
 * from `a/b`, `a-b`, `aB` and `a_b` alike), and sigils (`--flag`, `@name`, `#12`).
 */
export interface Analyser {
  /** Changes whenever the tokens of some text would. */
  readonly id: string;
  /** With `sought`, words that cannot become one of its tokens are only counted, which is many times quicker. */
  scan(text: string, onWord: TokenVisitor, onExtra: TokenVisitor, sought?: SoughtWords): void;
  /** All tokens, blank-joined: words in order, then extras, so that phrases of ordinary words stay adjacent. */
  indexText(text: string): string;
}

export interface SoughtWords {
  readonly wanted: WantedWords;
  readonly onSkipped: (count: number) => void;
}

const joiner = /^(?:[-./\\:@+~=&#]|::|->|\.\/)$/;
const apostrophe = /^['’ʼ]$/;
/** What English, French and Italian leave behind an apostrophe ("it's", "don't") means nothing alone. */
const clitic = /^(?:s|t|d|m|ll|re|ve)$/i;

/** Memory for words already analysed: texts repeat their words, and folding and stemming is most of the cost. */
const rememberedWords = 100_000;

export function createAnalyser(): Analyser {
  const remembered = new Map<string, AnalysedWord>();

  function lookUp(raw: string): AnalysedWord {
    const known = remembered.get(raw);
    if (known) return known;
    const analysed = analyseWord(raw);
    if (remembered.size >= rememberedWords) remembered.clear();
    // Runs hardly repeat.
    if (!analysed.isRun && raw.length <= maxWordLength) remembered.set(raw, analysed);
    return analysed;
  }

  function scan(written: string, onWord: TokenVisitor, onExtra: TokenVisitor, sought?: SoughtWords): void {
    // Where an entry came from is not what it says; blanks in its place keep all offsets.
    const text = blankOrigins(written);
    let lastEnd = -1;
    let lastPart = "";
    for (let start = 0; start < text.length; ) {
      if (sought !== undefined && isAfterBlank(text, start)) {
        start = sought.wanted.skipOthers(text, start, sought.onSkipped);
        if (start === text.length) break;
      }
      const end = wordEnd(text, start);
      if (end === start) {
        start++;
        continue;
      }
      const raw = text.slice(start, end);
      const isGlued = start > 0 && start - lastEnd <= 2 && text.charCodeAt(start - 1) !== 0x20;
      const gap = isGlued ? text.slice(lastEnd, start) : " ";
      if (isGlued && apostrophe.test(gap) && clitic.test(raw)) {
        lastEnd = end;
        start = end;
        continue;
      }
      const word = lookUp(raw);
      const { words, extras, isRun } = word;
      for (let i = 0; i < words.length; i++) {
        if (isRun) onWord(words[i]!, start + i, start + i + 2);
        else onWord(words[i]!, start, end);
      }
      for (let i = 0; i < extras.length; i++) onExtra(extras[i]!, isRun ? end - 1 : start, end);
      if (isGlued && lastPart && word.first && joiner.test(gap)) {
        onExtra(`${lastPart}.${word.first}`, start, end);
      } else if (isSigil(text.charCodeAt(start - 1))) {
        const sigil = sigilBefore(text, start);
        if (sigil) emitSigil(text, sigil, start, onExtra);
      }
      lastEnd = end;
      lastPart = word.last;
      start = end;
    }
  }

  return {
    id: "words-5",
    scan,
    indexText(text) {
      const words: string[] = [];
      const extras: string[] = [];
      scan(
        text,
        (token) => words.push(token),
        (token) => extras.push(token),
      );
      return extras.length === 0 ? words.join(" ") : `${words.join(" ")} ${extras.join(" ")}`;
    },
  };
}

/** What stands here is joined to nothing before it. */
function isAfterBlank(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return start === 0 || before === 0x20 || before === 0x0a;
}

function isSigil(code: number): boolean {
  return code === 0x2d || code === 0x40 || code === 0x23;
}

/** `--`, `@` or `#` right before the word, when nothing is glued to its left. */
function sigilBefore(text: string, start: number): string {
  const mark = text[start - 1];
  if (mark !== "-" && mark !== "@" && mark !== "#") return "";
  const sigil = mark === "-" ? (text[start - 2] === "-" ? "--" : "") : mark;
  const before = text[start - sigil.length - 1] ?? " ";
  return sigil && /[\s"'`([{,;|=<]/.test(before) ? sigil : "";
}

const flagBody = /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/uy;
const plainFlagBody = /[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*/y;

/** `--max-results` is one token, so that asking for the flag finds the flag before the words. */
function emitSigil(text: string, sigil: string, start: number, onExtra: TokenVisitor): void {
  const pattern = isAscii(text.slice(start, start + 2 * maxWordLength)) ? plainFlagBody : flagBody;
  pattern.lastIndex = start;
  const body = pattern.exec(text)?.[0] ?? "";
  if (!body || body.length > maxWordLength) return;
  const folded = foldWord(body.replace(/[-_]/g, ""));
  if (folded) onExtra(sigil + folded, start, start + body.length);
}
