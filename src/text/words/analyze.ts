import { blankOrigins } from "../entry-line.ts";
import { createCodeUnits } from "./code-units.ts";
import { emojiEnd, emojiToken } from "./emoji.ts";
import { createIndexTokens, type IndexTokens } from "./index-tokens.ts";
import { isClitic, isJoiner, isSigil, readSigil } from "./joiners.ts";
import type { WantedWords } from "./wanted-words.ts";
import { type AnalyzedWord, analyzeWord, maxWordLength, passForeign } from "./word.ts";
import { wordEnd } from "./word-characters.ts";

/** `start` and `end` are the offsets of the written word that the token comes from. */
export type TokenVisitor = (token: string, start: number, end: number) => void;

/**
 * The analyzer of the index and of queries, for every script and every store.
 *
 * A text becomes two streams of tokens. The first has its words in order: folded (case, diacritics, width) and stemmed;
 * scripts without spaces give overlapping pairs of characters. The second, `extras`, makes exact things findable: whole
 * identifiers beside their parts, neighbours joined by inner punctuation (`a.b` from `a/b`, `a-b`, `aB` and `a_b`
 * alike), sigils (`--flag`, `@name`, `#12`), and emoji.
 */
export interface Analyzer {
  /** Changes whenever the tokens of any text change. */
  readonly id: string;
  /** With `sought`, words that cannot become one of its tokens are only counted, which is many times faster. */
  scan(text: string, onWord: TokenVisitor, onExtra: TokenVisitor, sought?: SoughtWords): void;
  /** All tokens, joined by spaces: words in order, then extras, so that phrases of ordinary words stay adjacent. */
  indexText(text: string): string;
  /** The same in UTF-8, for a store that keeps bytes. Valid until the next call. */
  indexBytes(text: string): Buffer;
}

export interface SoughtWords {
  readonly wanted: WantedWords;
  readonly onSkipped: (count: number) => void;
}

/** The distinct tokens of a text, of both streams. */
export function tokensOf(text: string, analyzer: Analyzer): Set<string> {
  const tokens = new Set<string>();
  const add = (token: string): void => void tokens.add(token);
  analyzer.scan(text, add, add);
  return tokens;
}

/** Cache of analyzed words: texts repeat their words, and folding and stemming is most of the cost. */
const rememberedWords = 100_000;

export function createAnalyzer(): Analyzer {
  const remembered = new Map<string, AnalyzedWord>();
  const unitsOf = createCodeUnits();
  let writeTokens: IndexTokens | undefined;

  function indexBytes(text: string): Buffer {
    writeTokens ??= createIndexTokens();
    return writeTokens(text);
  }

  function lookUp(raw: string): AnalyzedWord {
    const known = remembered.get(raw);
    if (known) return known;
    const analyzed = analyzeWord(raw);
    if (remembered.size >= rememberedWords) remembered.clear();
    // Runs hardly repeat.
    if (!analyzed.isRun && raw.length <= maxWordLength) remembered.set(raw, analyzed);
    return analyzed;
  }

  function scan(written: string, onWord: TokenVisitor, onExtra: TokenVisitor, sought?: SoughtWords): void {
    // The origin of an entry is not part of its text; spaces in its place keep all offsets.
    const text = blankOrigins(written);
    const units = sought && unitsOf(text);
    let lastEnd = -1;
    let lastPart = "";
    for (let start = 0; start < text.length; ) {
      if (units !== undefined && isAfterBlank(units, start)) {
        start = sought!.wanted.skipOthers(units, start, text.length, sought!.onSkipped);
        if (start === text.length) break;
      }
      const end = wordEnd(text, start);
      if (end === start) {
        const after = emojiEnd(text, start);
        if (after > start) onExtra(emojiToken(text, start), start, after);
        start = Math.max(after, start + 1);
        continue;
      }
      // Quicker than what it saves for most words.
      const isAdjacent = lastEnd !== -1 && start - lastEnd <= 2 && text.charCodeAt(start - 1) !== 0x20;
      if (isAdjacent && isClitic(text, lastEnd, start, end)) {
        lastEnd = end;
        start = end;
        continue;
      }
      const raw = text.slice(start, end);
      const passed = sought?.wanted.hasForeign === false ? passForeign(raw, sought.onSkipped) : null;
      const { words, extras, isRun, first, last } = passed ?? lookUp(raw);
      for (let i = 0; i < words.length; i++) {
        if (isRun) onWord(words[i]!, start + i, start + i + 2);
        else onWord(words[i]!, start, end);
      }
      for (let i = 0; i < extras.length; i++) onExtra(extras[i]!, isRun ? end - 1 : start, end);
      if (isAdjacent && lastPart && first && isJoiner(text, lastEnd, start)) {
        onExtra(`${lastPart}.${first}`, start, end);
      } else if (isSigil(text.charCodeAt(start - 1))) {
        const sigil = readSigil(text, start);
        if (sigil !== null) onExtra(sigil.token, start, sigil.end);
      }
      lastEnd = end;
      lastPart = last;
      start = end;
    }
  }

  return {
    id: "words-10",
    scan,
    indexText: (text) => indexBytes(text).toString(),
    indexBytes,
  };
}

/** Whether the text here is not joined to anything before it. */
function isAfterBlank(units: Uint16Array, start: number): boolean {
  if (start === 0) return true;
  const before = units[start - 1];
  return before === 0x20 || before === 0x0a;
}
