import { cues, doubts, type MemoryKind } from "./cues.ts";
import { splitSentences } from "./sentences.ts";

export interface ConversationTurn {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
  /** Where the turn stands in its session: a line of the file, or the number of the message, from 1. */
  readonly line: number;
}

export interface ExtractedSentence {
  /** As it was said. */
  readonly text: string;
  readonly kind: MemoryKind;
  readonly line: number;
  readonly score: number;
}

/**
 * Finds the sentences of a conversation that say something for later: decisions, preferences, who people are, when
 * something is due, what a thing is called. Needs no model, takes time in proportion to the text, and gives sentences
 * word for word, at most `maxSentences` of them, in the order they were said.
 */
export function extractSentences(
  turns: readonly ConversationTurn[],
  { maxSentences = 20 }: { maxSentences?: number } = {},
): ExtractedSentence[] {
  const found: ExtractedSentence[] = [];
  const seen = new Set<string>();
  for (const { role, text, line } of turns) {
    if (role !== "user" && role !== "assistant") continue;
    for (const { text: sentence } of splitSentences(text)) {
      const rated = rateSentence(sentence, role);
      const key = sentenceKey(sentence);
      if (rated === null || seen.has(key)) continue;
      seen.add(key);
      found.push({ text: sentence, ...rated, line });
    }
  }
  // Of equals the later ones stay: they are the ones that still hold.
  const best = found
    .map((sentence, order) => ({ sentence, order }))
    .sort((a, b) => b.sentence.score - a.sentence.score || b.order - a.order)
    .slice(0, maxSentences);
  return best.sort((a, b) => a.order - b.order).map(({ sentence }) => sentence);
}

/** The same for sentences that differ in case, spacing, marks or list bullets only. */
export function sentenceKey(sentence: string): string {
  return sentence
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const threshold = 3;

function rateSentence(
  sentence: string,
  role: "user" | "assistant",
): { kind: MemoryKind; score: number } | null {
  const stated = cutQuestion(sentence);
  if (isTooShort(stated)) return null;
  const scores = new Map<MemoryKind, number>();
  for (const { kind, weight, pattern } of cues) {
    if (pattern.test(stated)) scores.set(kind, (scores.get(kind) ?? 0) + weight);
  }
  for (const { weight, kind: doubted, by, pattern } of doubts) {
    if ((by !== undefined && by !== role) || !pattern.test(stated)) continue;
    for (const [kind, score] of scores) {
      if (doubted === undefined || doubted === kind) scores.set(kind, score - weight);
    }
  }
  const [best] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < threshold) return null;
  const others =
    [...scores.values()].filter((score) => score > 0).reduce((sum, score) => sum + score, 0) - best[1];
  return { kind: best[0], score: best[1] + Math.min(others, 3) / 2 };
}

/** What a sentence states before it asks: "I prefer tea, can you order some?" The rest of it is no evidence. */
function cutQuestion(sentence: string): string {
  const asked = questionClause.exec(sentence)?.index;
  if (asked !== undefined) return sentence.slice(0, asked);
  if (!/[?？][)\]"'”」]*$/.test(sentence) || sentence.startsWith("¿"))
    return sentence.startsWith("¿") ? "" : sentence;
  return sentence.slice(
    0,
    Math.max(0, ...[",", ";", "，", "、", " - ", " – ", "¿"].map((mark) => sentence.lastIndexOf(mark))),
  );
}

const questionClause =
  /(?<![\p{L}\p{N}])(?:(?:can|could|would|will|do|did) you|(?:can|could|should|shall|do|would) (?:i|we)|how (?:can|do|should|would|could|long|many|much|about)|what(?:'s| is| are| would| should| do|'re| about)|is there|are there|any (?:idea|ideas|tips|advice)|i(?:'m| am|) wonder(?:ing|)|kannst du|können sie|soll(?:en)? (?:ich|wir)|was (?:hältst|meinst)|puedes|podrías|qué te parece|peux-tu|tu peux|pouvez-vous|est-ce que)(?![\p{L}\p{N}])/iu;

function isTooShort(sentence: string): boolean {
  const isEastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(sentence);
  if (isEastAsian) return sentence.length < 5;
  return sentence.length < 10 || sentence.split(/\s+/).length < 3;
}
