import { once } from "../text/once.ts";
import { textPattern } from "../text/text-pattern.ts";
import { foldWord } from "../text/words/fold.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import { findValues, type ValueKind } from "./fact-values.ts";
import { functionWords, persons } from "./word-tables.ts";

/** A content word or a value. */
export interface FactToken {
  readonly key: string;
  readonly kind: "word" | ValueKind;
  /** Folded, otherwise as written. */
  readonly text: string;
  /** Capitalised: the ending of a name is part of it. */
  readonly isName: boolean;
  /** What connects it to the previous token: function words and the marks `:` and `=`, as written. */
  readonly link: string;
}

const acronym = textPattern(String.raw`(?<![\p{L}\p{N}])\p{Lu}{2,4}(?![\p{L}\p{N}])`, "g");
const loneLetter = textPattern(String.raw`(?<=[\p{L}\p{N},/&+]\s*)[AY](?![\p{L}\p{N}'’])`, "g");
const contracted = textPattern(String.raw`(?<=\p{L})n't(?![\p{L}])`, "g");
const capitalised = textPattern(String.raw`\p{Lu}[\p{L}\p{M}\p{N}]*`, "g");
const elided = textPattern(String.raw`(?<![\p{L}\p{N}])(?:l|d|c|n|s|j|m|t|qu)'(?=\p{L})`, "g");
const wordOrGap = textPattern(String.raw`[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+`, "g");
const letterOrDigit = textPattern(String.raw`[\p{L}\p{N}]`);

/** Replaces the words that describe a change. A control character, because it is ASCII and does not occur in notes. */
export const changeMark = "\u0001";

/** Folds text of any language, so that one word table serves all. */
export function foldText(text: string): string {
  return text
    .replace(acronym(text), keepAcronym)
    .replace(loneLetter(text), keepAcronym)
    .toLowerCase()
    .replace(/[\u00c0-\u024f\u1e00-\u1eff]+/g, foldWord)
    .replace(/[’‘]/g, "'")
    .replace(contracted(text), " not");
}

/** US and IT are not pronouns, and the A in plan A is not an article. */
function keepAcronym(word: string): string {
  return functionWords().has(word.toLowerCase()) ? `${word}_` : word;
}

/** Whether two tokens are the same value, or the same word apart from its ending. */
function isSameToken(left: FactToken, right: FactToken): boolean {
  return left.key === right.key && !(left.isName && right.isName && left.text !== right.text);
}

/** Whether two words differ at most in an ending that keeps the meaning: an employer is not an employee. */
export function isSameWord(left: FactToken, right: FactToken): boolean {
  if (!isSameToken(left, right)) return false;
  if (left.kind !== "word" || left.text === right.text) return true;
  let shared = 0;
  while (shared < left.text.length && left.text[shared] === right.text[shared]) shared++;
  return [left, right].every(({ text }) => inflections.test(text.slice(shared)));
}

const inflections =
  /^(?:|s|e?d|e?n|e?s|e?t|e|em|y|ie[ds]|ings?|(?:[bdglmnprt])(?:ed|ing)|st|x|ons|ez|ent|a|o|an|on|[ae]mos|as|os)$/;

/** Capitalised words, folded. */
export function namesIn(sentence: string): ReadonlySet<string> {
  return new Set(Array.from(sentence.matchAll(capitalised(sentence)), ([word]) => foldText(word)));
}

const noNames: ReadonlySet<string> = new Set();

export function readTokens(text: string, names = noNames): { tokens: FactToken[]; who: string } {
  const tokens: FactToken[] = [];
  const who = new Set<string>();
  let link = "";
  const values = findValues(text);
  const addWords = (part: string): void => {
    for (const { segment, isWord } of wordsOf(part)) {
      if (!isWord) {
        if (/[:：=\u0001]/.test(segment)) link += `${segment.trim()} `;
        continue;
      }
      const person = persons().get(segment);
      if (person !== undefined) who.add(person);
      if (functionWords().has(segment)) link += `${segment} `;
      else {
        tokens.push({
          key: keyOf(segment),
          kind: "word",
          text: segment,
          link: link.trim(),
          isName: names.has(segment),
        });
        link = "";
      }
    }
  };
  let at = 0;
  for (const { kind, key, start, end } of values) {
    addWords(text.slice(at, start));
    tokens.push({
      key: `${kind} ${key}`,
      kind,
      text: text.slice(start, end),
      link: link.trim(),
      isName: false,
    });
    link = "";
    at = end;
  }
  addWords(text.slice(at));
  return { tokens, who: [...who].join(" ") };
}

const han = textPattern(String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+`);

function wordsOf(text: string): { segment: string; isWord: boolean }[] {
  // An elided article, as in l'API, is not a letter that names something, as in plan C.
  const whole = text.replace(elided(text), " ");
  const parts = whole.match(wordOrGap(text)) ?? [];
  return parts.flatMap((part) => {
    const isWord = letterOrDigit(text).test(part);
    if (!isWord || !han(text).test(part)) return [{ segment: part, isWord }];
    return Array.from(segmenter().segment(part), ({ segment }) => ({ segment, isWord: true }));
  });
}

const segmenter = once(() => new Intl.Segmenter("zh", { granularity: "word" }));

/** Removes endings of number and person, in all languages of the tables at once. */
function keyOf(word: string): string {
  const stem = stemWord(word);
  return /^[a-z]{5,}$/.test(stem) ? stem.replace(/(?:en|es|in|e|s|t|n)$/, "") : stem;
}

/** A token and its index in its sentence. */
interface PlacedToken {
  readonly token: FactToken;
  readonly at: number;
}

interface Alignment {
  readonly shared: readonly FactToken[];
  /** What only one of the sentences has. */
  readonly left: readonly PlacedToken[];
  readonly right: readonly PlacedToken[];
}

/** The longest common subsequence of the tokens of two sentences, and what remains of each. */
export function alignTokens(left: readonly FactToken[], right: readonly FactToken[]): Alignment {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isSameToken(left[i]!, right[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const shared: FactToken[] = [];
  const [onlyLeft, onlyRight]: [PlacedToken[], PlacedToken[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && isSameToken(left[i]!, right[j]!)) {
      shared.push(left[i++]!);
      j++;
    } else if (
      j >= right.length ||
      (i < left.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      onlyLeft.push({ token: left[i]!, at: i++ });
    } else onlyRight.push({ token: right[j]!, at: j++ });
  }
  return { shared, left: onlyLeft, right: onlyRight };
}

/** Nothing shared is between them. There is at least one. */
export function isOneBlock(placed: readonly PlacedToken[]): boolean {
  return placed.at(-1)!.at - placed[0]!.at === placed.length - 1;
}
