import type { CueLanguage, Doubt, MemoryKind } from "./cues/cue.ts";
import { cues } from "./cues/cues.ts";
import { doubts } from "./cues/doubts.ts";

export interface SentenceRating {
  readonly kind: MemoryKind;
  readonly score: number;
}

const threshold = 3;
const hopeless = 6;

/** What a sentence says for later, and how surely; null when it says nothing. */
export function rateSentence(sentence: string, role: "user" | "assistant"): SentenceRating | null {
  const stated = cutQuestion(sentence);
  if (isTooShort(stated)) return null;
  const plain = stated.toLowerCase();
  const languages = languagesOf(plain);
  // Most of what an assistant says is about the work: what is doubted so much need not be looked at closer.
  const doubted = doubts.filter(
    ({ by, pattern }) => (by === undefined || by === role) && pattern.test(plain),
  );
  if (sumOf(doubted.filter(({ kind }) => kind === undefined)) >= hopeless) return null;
  const scores = new Map<MemoryKind, number>();
  for (const cue of cues) {
    if (!languages.has(cue.language)) continue;
    if (cue.pattern.test(cue.isCased ? stated : plain)) {
      scores.set(cue.kind, (scores.get(cue.kind) ?? 0) + cue.weight);
    }
  }
  for (const [kind, score] of scores) {
    scores.set(
      kind,
      score - sumOf(doubted.filter((doubt) => doubt.kind === undefined || doubt.kind === kind)),
    );
  }
  const [best] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < threshold) return null;
  const others =
    [...scores.values()].filter((score) => score > 0).reduce((sum, score) => sum + score, 0) - best[1];
  return { kind: best[0], score: best[1] + Math.min(others, 3) / 2 };
}

function sumOf(doubted: readonly Doubt[]): number {
  return doubted.reduce((sum, { weight }) => sum + weight, 0);
}

const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
/** Words that stand in most sentences of English, and in none of the others. */
const englishWord =
  /(?<![\p{L}'])(?:the|is|are|we|i|my|to|and|of|you|our|it|will|for|have|has|with|please|not|don't|at|by|use|never|always|only|that|this|they|he|she|was|keep|stop|let's|your)(?!\p{L})/u;
const otherWord =
  /(?<!\p{L})(?:der|die|das|ich|wir|und|bitte|ist|mein|meine|el|los|que|de|le|les|des|je|mi|es|est|soy|ma|mon|no me|nous|nos)(?!\p{L})/u;

/** Which cues to try: of two languages that both may be meant, those of both. */
function languagesOf(plain: string): ReadonlySet<CueLanguage> {
  if (eastAsian.test(plain)) return eastAsianOnly;
  const [isEnglish, isOther] = [englishWord.test(plain), otherWord.test(plain)];
  if (isEnglish === isOther) return anyLatin;
  return isEnglish ? englishOnly : europeanOnly;
}

const eastAsianOnly: ReadonlySet<CueLanguage> = new Set(["any", "east-asian"]);
const englishOnly: ReadonlySet<CueLanguage> = new Set(["any", "english"]);
const europeanOnly: ReadonlySet<CueLanguage> = new Set(["any", "european"]);
const anyLatin: ReadonlySet<CueLanguage> = new Set(["any", "english", "european"]);

/** What a sentence states before it asks: "I prefer tea, can you order some?" The rest of it is no evidence. */
function cutQuestion(sentence: string): string {
  // Emphasis in Markdown stands between words that belong together.
  const plain = sentence.replaceAll("’", "'").replace(/\*{1,3}|(?<!\w)__|__(?!\w)/g, "");
  const asked = questionClause.exec(plain)?.index;
  if (asked !== undefined) return plain.slice(0, asked);
  if (plain.startsWith("¿")) return "";
  if (!/[?？][)\]"'”」]*$/.test(plain)) return plain;
  return plain.slice(
    0,
    Math.max(0, ...[",", ";", "，", "、", " - ", " – ", "¿"].map((mark) => plain.lastIndexOf(mark))),
  );
}

const questionClause =
  /(?<![\p{L}\p{N}])(?:(?:can|could|would|will|do|did) you|(?:can|could|should|shall|do|would) (?:i|we)|how (?:can|do|should|would|could|long|many|much|about)|what(?:'s| is| are| would| should| do|'re| about)|is there|are there|any (?:idea|ideas|tips|advice)|i(?:'m| am|) wonder(?:ing|)|kannst du|können sie|soll(?:en)? (?:ich|wir)|was (?:hältst|meinst)|puedes|podrías|qué te parece|peux-tu|tu peux|pouvez-vous|est-ce que)(?![\p{L}\p{N}])/iu;

function isTooShort(sentence: string): boolean {
  if (eastAsian.test(sentence)) return sentence.length < 5;
  const count = sentence.trim().split(/\s+/, 3).length;
  return sentence.length < (count < 3 ? 14 : 10) || count < 2;
}
