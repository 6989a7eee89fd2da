import { normaliseEntryLine } from "../text/entry-line.ts";
import { once } from "../text/once.ts";
import { type TextPattern, textPattern } from "../text/text-pattern.ts";
import { foldWord } from "../text/words/fold.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import { findValues, type ValueKind } from "./fact-values.ts";
import { functionWords, persons } from "./function-words.ts";
import { mayHaveNewsWords, patterns } from "./words-that-change.ts";

/** A word that tells something, or a value. */
export interface FactToken {
  readonly key: string;
  readonly kind: "word" | ValueKind;
  /** Folded, as it was written. */
  readonly text: string;
  /** Written with a capital: a name is not changed by its ending. */
  readonly isName: boolean;
  /** What holds it to the token before: function words and the marks `:` and `=`, as written. */
  readonly link: string;
}

/** A sentence, taken apart. */
export interface Fact {
  readonly text: string;
  readonly tokens: readonly FactToken[];
  /** It says that something is different now. */
  readonly isNews: boolean;
  /** It names the change itself: "moved to", "changed from". */
  readonly namesChange: boolean;
  readonly denials: number;
  readonly isAdded: boolean;
  readonly isPlanned: boolean;
  readonly isPast: boolean;
  readonly isQuestion: boolean;
  /** Environments, times of day, plans of a product: where it holds. */
  readonly scopes: string;
  /** Only, except, at least, before …: how far it holds. */
  readonly limits: string;
  readonly persons: string;
  /** Since when, why and by which change it is so, and signs that are no words: C++, €. */
  readonly manner: string;
  /** Keys of tokens that follow "from" or "instead of". */
  readonly left: readonly string[];
}

const sentenceEnd = textPattern(String.raw`(?<=[.!?])\s+(?=[\p{Lu}\p{N}¿¡])|(?<=[。！？；])`);
const tagMark = textPattern(String.raw`(?<=^|[\s([{>,;])#(?=\p{L})`, "g");
const acronym = textPattern(String.raw`(?<![\p{L}\p{N}])\p{Lu}{2,4}(?![\p{L}\p{N}])`, "g");
const loneLetter = textPattern(String.raw`(?<=[\p{L}\p{N},/&+]\s*)[AY](?![\p{L}\p{N}'’])`, "g");
const contracted = textPattern(String.raw`(?<=\p{L})n't(?![\p{L}])`, "g");
const capitalised = textPattern(String.raw`\p{Lu}[\p{L}\p{M}\p{N}]*`, "g");
const elided = textPattern(String.raw`(?<![\p{L}\p{N}])(?:l|d|c|n|s|j|m|t|qu)'(?=\p{L})`, "g");
const wordOrGap = textPattern(String.raw`[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+`, "g");
const letterOrDigit = textPattern(String.raw`[\p{L}\p{N}]`);

/** Longer lines are prose: what they say about one thing cannot be told from the rest. */
const maxLineChars = 600;
const maxTokens = 40;

/** The facts that a line of a note states, a sentence each; none for a line that is no statement. */
export function readFacts(line: string): Fact[] {
  return sentencesOf(line)
    .map(readFact)
    .filter(({ tokens }) => tokens.length > 0 && tokens.length <= maxTokens);
}

/** Whether a line says that something is different now. Costs a fraction of reading its facts. */
export function isNews(line: string): boolean {
  return mayHaveNewsWords(foldText(line)) && sentencesOf(line).some((each) => readNews(each).isNews);
}

function sentencesOf(line: string): string[] {
  if (line.length > maxLineChars || isNoStatement(line)) return [];
  return plainText(line)
    .split(sentenceEnd(line))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Headings, rows of tables, quotations, code and open tasks say something else than what holds. */
function isNoStatement(line: string): boolean {
  return /^\s*(?:#{1,6}\s|\||>|```|~~~|(?:[-*+]|\d+[.)])\s+\[.\]\s)/.test(line);
}

function plainText(line: string): string {
  return normaliseEntryLine(line)
    .replace(/^\d+[.)] /, "")
    .replace(/^[([]?\d{4}-\d{2}-\d{2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?[)\]]?\s*[:–—-]?\s+/, "")
    .replace(/^\d{1,2}:\d{2}\s*[:–—-]\s+/, "")
    .replace(/!?\[\[(?:[^\][|\n]*\|)?([^\][|\n]*)\]\]/g, "$1")
    .replace(/\[([^\][\n]*)\]\([^()\s]*\)/g, "$1")
    .replace(tagMark(line), "")
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Folded, whatever the language, so that one table of words serves all. */
function foldText(text: string): string {
  return text
    .replace(acronym(text), keepAcronym)
    .replace(loneLetter(text), keepAcronym)
    .toLowerCase()
    .replace(/[\u00c0-\u024f\u1e00-\u1eff]+/g, foldWord)
    .replace(/[’‘]/g, "'")
    .replace(contracted(text), " not");
}

/** The US and IT are no pronouns, and the A of plan A is no article. */
function keepAcronym(word: string): string {
  return functionWords().has(word.toLowerCase()) ? `${word}_` : word;
}

/** Whether two tokens are the same word, whatever its ending, or the same value. */
export function isSameToken(left: FactToken, right: FactToken): boolean {
  return left.key === right.key && !(left.isName && right.isName && left.text !== right.text);
}

/** Whether two words differ at most in an ending that makes no other word of them: an employer is no employee. */
export function isSameWord(left: FactToken, right: FactToken): boolean {
  if (!isSameToken(left, right)) return false;
  if (left.kind !== "word" || left.text === right.text) return true;
  let shared = 0;
  while (shared < left.text.length && left.text[shared] === right.text[shared]) shared++;
  return [left, right].every(({ text }) => inflections.test(text.slice(shared)));
}

const inflections =
  /^(?:|s|e?d|e?n|e?s|e?t|e|em|y|ie[ds]|ings?|(?:[bdglmnprt])(?:ed|ing)|st|x|ons|ez|ent|a|o|an|on|[ae]mos|as|os)$/;

/** In place of the words that name a change. A control character, because it occurs in no note and is ASCII. */
const changeMark = "\u0001";

/** A sentence without the words by which it says that something changed. */
interface News extends Pick<Fact, "isNews" | "namesChange" | "denials"> {
  readonly text: string;
  /** Before those words were taken out. */
  readonly whole: string;
  readonly manner: string[];
}

function readNews(sentence: string): News {
  const rules = patterns();
  const manner: string[] = [];
  const labelled = strip(foldText(sentence), rules.newsLabel, "");
  const unlabelled = strip(labelled.text, rules.label, "");
  const reasoned = strip(unlabelled.text, rules.reason, "", manner);
  const effective = hasMatch(reasoned.text, [rules.effectiveStart])
    ? strip(reasoned.text, rules.effective, " ", manner)
    : { text: reasoned.text, count: 0 };
  // "No more than" is a limit, "no longer" is news.
  const ended = replaceEnded(effective.text, rules.ended);
  const now = strip(ended.text, rules.now);
  const changed = strip(now.text, rules.changed, ` ${changeMark} `, manner);
  return {
    text: changed.text,
    whole: reasoned.text,
    isNews: [labelled, effective, ended, now, changed].some(({ count }) => count > 0),
    namesChange: changed.count > 0,
    denials: ended.count,
    manner,
  };
}

function readFact(sentence: string): Fact {
  const rules = patterns();
  const { whole, manner, isNews, namesChange, ...news } = readNews(sentence);
  const isPast =
    !namesChange &&
    (hasMatch(news.text, rules.happened) || hasMatch(sentence.toLowerCase(), [rules.happenedFrench]));
  const { text, count } = strip(news.text, rules.denied);
  manner.push(...allMatches(text, [sign]));
  const { tokens, who } = tokenise(text, namesIn(sentence));
  return {
    ...{ text, tokens, isNews, namesChange, isPast },
    denials: news.denials + count,
    isAdded: hasMatch(news.text, rules.added),
    isPlanned: hasMatch(whole, rules.planned),
    isQuestion: /[?？]\s*$|^¿|吗\s*[。？]?$/.test(foldText(sentence)),
    scopes: scopesOf(text),
    limits: allMatches(news.text, rules.limited).sort().join(" "),
    persons: who,
    manner: manner.join(" "),
    left: leftValues(text, rules.leaving),
  };
}

/** Replaces what the patterns match, counts it, and adds it to `found`. */
function strip(
  text: string,
  patterns: TextPattern | readonly TextPattern[],
  by = " ",
  found?: string[],
): { text: string; count: number } {
  let count = 0;
  let rest = text;
  for (const pattern of [patterns].flat()) {
    rest = rest.replace(pattern(rest), (match) => {
      count++;
      found?.push(match.trim());
      return by;
    });
  }
  return { text: rest, count };
}

/** What words leave out and yet may make the difference. */
const sign = textPattern(String.raw`[+#%<>=&@^\p{Sc}\p{So}]+|(?<![\p{L}\p{N}])[-−](?=\d)`, "g");

/** The scopes that a text names, for headings too. */
export function scopesOf(text: string): string {
  return [...new Set(allMatches(text, patterns().scoped))].sort().join(" ");
}

export function foldHeading(heading: string): string {
  return foldText(plainText(heading));
}

const endingWords = textPattern(
  String.raw`^(?:no longer|not|nicht mehr|kein\p{L}*|ya no|ne|n['’ ])|(?:any ?more|any longer|mehr|plus)$|不再|已经不|已不`,
  "g",
);

/** What stands between the two halves of "not … any more" is what is over, so it stays. */
function replaceEnded(text: string, ended: readonly TextPattern[]): { text: string; count: number } {
  let count = 0;
  let rest = text;
  for (const pattern of ended) {
    rest = rest.replace(pattern(rest), (match) => {
      count++;
      return ` ${match.replace(endingWords(match), " ")} `;
    });
  }
  return { text: rest, count };
}

function leftValues(text: string, leaving: readonly TextPattern[]): string[] {
  return leaving.flatMap((pattern) =>
    [...text.matchAll(pattern(text))].flatMap(({ index, 0: word }) => {
      const [first] = tokenise(text.slice(index + word.length).slice(0, 60)).tokens;
      return first === undefined || first.link.includes(changeMark) ? [] : [first.key];
    }),
  );
}

function hasMatch(text: string, patterns: readonly TextPattern[]): boolean {
  return patterns.some((pattern) => text.search(pattern(text)) !== -1);
}

function allMatches(text: string, patterns: readonly TextPattern[]): string[] {
  return patterns.flatMap((pattern) => text.match(pattern(text)) ?? []);
}

/** Folded words that are written with a capital. */
function namesIn(sentence: string): ReadonlySet<string> {
  return new Set(Array.from(sentence.matchAll(capitalised(sentence)), ([word]) => foldText(word)));
}

const noNames: ReadonlySet<string> = new Set();

function tokenise(text: string, names = noNames): { tokens: FactToken[]; who: string } {
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
  // An article that lost its vowel, as in l'API, is none of the letters that things are named by, as in plan C.
  const whole = text.replace(elided(text), " ");
  const parts = whole.match(wordOrGap(text)) ?? [];
  return parts.flatMap((part) => {
    const isWord = letterOrDigit(text).test(part);
    if (!isWord || !han(text).test(part)) return [{ segment: part, isWord }];
    return Array.from(segmenter().segment(part), ({ segment }) => ({ segment, isWord: true }));
  });
}

const segmenter = once(() => new Intl.Segmenter("zh", { granularity: "word" }));

/** Cuts endings that only say how many or who, in the languages of the tables together. */
function keyOf(word: string): string {
  const stem = stemWord(word);
  return /^[a-z]{5,}$/.test(stem) ? stem.replace(/(?:en|es|in|e|s|t|n)$/, "") : stem;
}
