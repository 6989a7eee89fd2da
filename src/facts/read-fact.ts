import { normaliseEntryLine } from "../text/entry-line.ts";
import { once } from "../text/once.ts";
import { type TextPattern, textPattern } from "../text/text-pattern.ts";
import { foldWord } from "../text/words/fold.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import { mayHaveNewsWords, patterns, stripEffective } from "./change-patterns.ts";
import { findValues, type ValueKind } from "./fact-values.ts";
import { functionWords, persons } from "./function-words.ts";

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

/** A parsed sentence. */
export interface Fact {
  readonly text: string;
  readonly tokens: readonly FactToken[];
  /** It says that something changed. */
  readonly isNews: boolean;
  /** It describes the change itself: "moved to", "changed from". */
  readonly namesChange: boolean;
  readonly denials: number;
  readonly isAdded: boolean;
  readonly isPlanned: boolean;
  readonly isPast: boolean;
  readonly isQuestion: boolean;
  /** Where it holds: environments, times of day, product plans. */
  readonly scopes: string;
  /** How far it holds: only, except, at least, before … */
  readonly limits: string;
  readonly persons: string;
  /** Since when, why and through which change, and symbols that are not words: C++, €. */
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

/** Longer lines are prose, in which statements about one thing cannot be separated from the rest. */
const maxLineChars = 600;
const maxTokens = 40;

/** The facts that a line states, one per sentence; none if the line is not a statement. */
export function readFacts(line: string): Fact[] {
  return sentencesOf(line)
    .map(readFact)
    .filter(({ tokens }) => tokens.length > 0 && tokens.length <= maxTokens);
}

/** Whether a line says that something changed. Much cheaper than reading its facts. */
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

/** Headings, table rows, quotations, code and open tasks do not state what holds. */
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

/** Folds text of any language, so that one word table serves all. */
function foldText(text: string): string {
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
export function isSameToken(left: FactToken, right: FactToken): boolean {
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

/** Replaces the words that describe a change. A control character, because it is ASCII and does not occur in notes. */
const changeMark = "\u0001";

/** A sentence without the words that say that something changed. */
interface News extends Pick<Fact, "isNews" | "namesChange" | "denials"> {
  readonly text: string;
  /** Before those words were removed. */
  readonly whole: string;
  readonly manner: string[];
}

function readNews(sentence: string): News {
  const rules = patterns();
  const manner: string[] = [];
  const labelled = strip(foldText(sentence), rules.newsLabel, "");
  const unlabelled = strip(labelled.text, rules.label, "");
  const reasoned = strip(unlabelled.text, rules.reason, "", manner);
  const effective = stripEffective(reasoned.text, manner);
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

/** Symbols that are not part of any word and can make a difference. */
const sign = textPattern(String.raw`[+#%<>=&@^\p{Sc}\p{So}]+|(?<![\p{L}\p{N}])[-−](?=\d)`, "g");

/** The scopes that a text names. Also used for headings. */
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

/** What is between the two halves of "not … any more" is what ended, so it is kept. */
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

/** Capitalised words, folded. */
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
