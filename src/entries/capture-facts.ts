import { chooseSentences, type ExtractedSentence, sentencesOf } from "../extract/extract.ts";
import { looksLikeInstruction } from "../text/instruction-like.ts";
import { hasHidden } from "../text/visible.ts";
import type { CaptureTurn } from "./entries.ts";
import type { EntryCategory } from "./entry.ts";

export interface CapturedFact {
  readonly text: string;
  readonly category: EntryCategory;
  readonly importance: number;
}

export interface CaptureOptions {
  readonly maxFacts: number;
  readonly isKnown: (text: string) => boolean;
}

/**
 * What the user states about themselves, their people, decisions and dates: at most so many sentences of each turn,
 * word for word. What others said, what was pasted, and what reads like an order to an agent is left out.
 */
export function captureFacts(
  turns: readonly CaptureTurn[],
  { maxFacts, isKnown }: CaptureOptions,
): CapturedFact[] {
  return turns.flatMap(({ role, text }) => {
    if (role !== "user" || isJunkTurn(text)) return [];
    const found = sentencesOf({ role, text, line: 1 }).filter((sentence) => !isJunk(sentence.text));
    return chooseSentences(found, { maxSentences: maxFacts, isKnown }).map(toFact);
  });
}

/** More than that is pasted. */
const maxTurnChars = 8000;

function isJunkTurn(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > maxTurnChars || /^[/!#]/.test(trimmed)) return true;
  // Hidden characters and orders to an agent come with text of others; then none of it is the user's surely.
  return hasHidden(trimmed) || looksLikeInstruction(trimmed) || isMostlyCode(trimmed);
}

/** Output of programs and source code that nobody put into a fence. */
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
    // It stands for something that must not be written down.
    sentence.includes("[redacted:")
  );
}

const junk: readonly RegExp[] = [
  // What recall put into the prompt, and other lines that name notes.
  /quoted from notes|\bmemory\/\S{1,80}\.md\b|#L\d|\bscore \d?\.\d/,
  // Somebody else is quoted.
  /^["“„«'].*["”“»']$|\b(?:says?|said|wrote|writes|according to)\b[^.]{0,20}[:"“]/i,
  /\S{60}/,
  // A secret in plain words, which has no shape that masking could know.
  /(?:pass(?:word|phrase|code|wort)|kennwort|contraseña|mot de passe|(?<!\p{L})pin|密[码碼]|パスワード)[^.]{0,30}?(?:[:=是は]|(?<!\p{L})(?:is|was|are|ist|lautet|es|est)(?!\p{L}))/iu,
  /[{}]|=>|<\/?\w|\$\(|&&|\|\|/,
];

function toFact({ text, kind }: ExtractedSentence): CapturedFact {
  return { text, ...weights[kind] };
}

const weights: Readonly<Record<ExtractedSentence["kind"], Omit<CapturedFact, "text">>> = {
  decision: { category: "decision", importance: 0.7 },
  preference: { category: "preference", importance: 0.7 },
  identity: { category: "entity", importance: 0.6 },
  deadline: { category: "fact", importance: 0.5 },
  identifier: { category: "fact", importance: 0.5 },
};
