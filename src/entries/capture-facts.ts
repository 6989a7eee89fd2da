import { countDenials, unitsOf } from "../extract/coverage.ts";
import type { MemoryKind } from "../extract/cues/cue.ts";
import { chooseSentences, sentencesOf } from "../extract/extract.ts";
import { rateSentence } from "../extract/rate-sentence.ts";
import { looksLikeInstruction } from "../text/instruction-like.ts";
import { hasHidden } from "../text/visible.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import type { CaptureTurn, EntryCategory } from "./entries.ts";

interface CapturedFact {
  readonly text: string;
  readonly category: EntryCategory;
  readonly importance: number;
}

interface CaptureOptions {
  readonly maxFacts: number;
  readonly isKnown: (text: string) => boolean;
}

/**
 * What users state about themselves, their people, decisions and dates: up to a number of sentences per turn,
 * verbatim. Quotes of others, pasted text, and text that reads like instructions to an agent are left out.
 */
export function captureFacts(
  turns: readonly CaptureTurn[],
  { maxFacts, isKnown }: CaptureOptions,
): CapturedFact[] {
  return turns.flatMap(({ role, text }) => {
    if (role !== "user" || isJunkTurn(text)) return [];
    const found = sentencesOf({ role, text, line: 1 }).filter((sentence) => !isJunk(sentence.text));
    return chooseSentences(found, { maxSentences: maxFacts, isKnown }).map(({ text: fact, kind }) => ({
      text: fact,
      ...worth[kind],
    }));
  });
}

/** Anything longer is pasted. */
const maxTurnChars = 8000;

function isJunkTurn(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > maxTurnChars || /^[/!#]/.test(trimmed)) return true;
  // A summary as agents format it was pasted.
  if (/\*\*[^*\n]+\*\*/.test(trimmed) && /^\s*[-*] /m.test(trimmed)) return true;
  // Hidden characters and instructions come with foreign text; then none of it is certainly the user's.
  return hasHidden(trimmed) || looksLikeInstruction(trimmed) || isMostlyCode(trimmed);
}

/** Program output and source code outside a fence. */
function isMostlyCode(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const code = lines.filter((line) => codeLine.test(line.slice(0, 300))).length;
  return code * 2 > lines.length;
}

const codeLine =
  /[;{}]\s*$|^\s*(?:[{}[\]()<$%>@|]|[+-](?!\s\p{L})|at\s\S+\s?\(|import\s|export\s|const\s|let\s|def\s|class\s|function\s|return\s|\d{4}-\d\d-\d\dT|\[?\d\d:\d\d:\d\d|(?:ERROR|WARN|INFO|DEBUG)\b|\w+Error:|Traceback)|=>|::|<\/\w/u;

function isJunk(sentence: string): boolean {
  return (
    sentence.length < 10 ||
    junk.some((shape) => shape.test(sentence)) ||
    // A redacted secret.
    sentence.includes("[redacted:")
  );
}

const junk: readonly RegExp[] = [
  // Text that recall added to the prompt, and other lines that name notes.
  /quoted from notes|\bmemory\/\S{1,80}\.md\b|#L\d|\bscore \d?\.\d/,
  // A quote of somebody else.
  /^["“„«'].*["”“»']$|\b(?:says?|said|wrote|writes|according to)\b[^.]{0,20}[:"“]/i,
  /\S{60}/,
  // A secret in plain words, which masking cannot recognize.
  /(?:pass(?:word|phrase|code|wort)|kennwort|contraseña|mot de passe|(?<!\p{L})pin|密[码碼]|パスワード)[^.]{0,30}?(?:[:=是は]|(?<!\p{L})(?:is|was|are|ist|lautet|es|est)(?!\p{L}))/iu,
  /[{}]|=>|<\/?\w|\$\(|&&|\|\|/,
];

const worth: Readonly<Record<MemoryKind, Omit<CapturedFact, "text">>> = {
  decision: { category: "decision", importance: 0.7 },
  preference: { category: "preference", importance: 0.7 },
  identity: { category: "entity", importance: 0.6 },
  deadline: { category: "fact", importance: 0.5 },
  identifier: { category: "fact", importance: 0.5 },
};

/** The kind of fact that a text states, by its wording. Agents write about their user, people about themselves. */
export function guessCategory(text: string): EntryCategory {
  const start = text.slice(0, maxGuessedChars);
  const rated = rateSentence(start, "user");
  const category = rated === null ? "fact" : worth[rated.kind].category;
  if (category !== "fact") return category;
  const plain = start.toLowerCase();
  const stated = thirdPerson.find(({ pattern }) => pattern.test(plain));
  if (stated !== undefined) return stated.category;
  return start.trim().split(/\s+/, 3).length < 3 && !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}]/u.test(start)
    ? "other"
    : "fact";
}

/** The part that shows the kind, and the length that the cues are made for. */
const maxGuessedChars = 400;

const thirdPerson: readonly { readonly category: EntryCategory; readonly pattern: RegExp }[] = [
  {
    category: "preference",
    pattern:
      /(?<!\p{L})(?:prefers?|likes?|loves?|hates?|dislikes?|favou?rites?|wants?|enjoys?|can't stand|bevorzugt|mag|prefiere|préfère)(?!\p{L})|喜欢|偏好|好き/u,
  },
  {
    category: "decision",
    pattern:
      /(?<!\p{L})(?:decided|decides|decision|chose|chosen|agreed|settled on|going with|switch(?:ed)? to|entschieden|beschlossen|decidió|décidé)(?!\p{L})|决定|決めた|決定/u,
  },
  {
    category: "entity",
    pattern:
      /(?<!\p{L})(?:(?:is|are|was) (?:called|named)|names? (?:is|are)|lives? in|works? (?:at|for|as)|born|married|birthday|e-?mail|phone|heißt|wohnt|se llama|s'appelle)(?!\p{L})|名字|名前/u,
  },
];

/**
 * Whether a text says something that an entry does not, however similar they are: to a small model "tea over coffee"
 * and "coffee over tea" are the same. A fact stored twice is a nuisance, but one that is not stored is lost.
 */
export function saysMore(text: string, entry: string): boolean {
  const [said, known] = [unitsOf(text), unitsOf(entry)];
  if (countDenials(said) !== countDenials(known)) return true;
  if (signsOf(text) !== signsOf(entry)) return true;
  const [wanted, there] = [contentOf(said), contentOf(known)];
  // It has nothing to compare.
  if (wanted.length === 0) return true;
  const places = wanted.map((unit) => there.indexOf(unit));
  if (places.includes(-1)) return true;
  const isTurned = places.some((place, at) => at > 0 && place < places[at - 1]!);
  return isTurned && hasDirection(said);
}

/** Differences that words do not show: 5 and -5, € and $, C++ and C#, plan A and B, emoji. */
function signsOf(text: string): string {
  return Array.from(text.matchAll(sign), ([found]) => found).join("");
}

const sign = /(?<![\p{L}\p{N}])[-\u2212](?=\d)|(?<=\S)#|[%\p{S}]|(?<=\S\s)\p{Lu}(?![\p{L}\p{N}])/gu;

function contentOf(units: readonly string[]): string[] {
  return units.filter((unit) => !fillers.has(unit)).map((unit) => (/\d/.test(unit) ? unit : stemWord(unit)));
}

function hasDirection(units: readonly string[]): boolean {
  return units.some((unit) => directions.has(unit));
}

/** Words that add nothing in a list of facts about one user. */
const fillers = new Set("user users really very quite also please generally usually".split(" "));

/** Words that distinguish two things. */
const directions = new Set(
  "over than before after from to into instead rather under above below until since replaces beats als statt vor nach antes después avant après que".split(
    " ",
  ),
);
