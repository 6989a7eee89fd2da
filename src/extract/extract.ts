import { sentenceKey } from "./coverage.ts";
import type { MemoryKind } from "./cues/cue.ts";
import { rateSentence } from "./rate-sentence.ts";
import { splitSentences } from "./sentences.ts";

export interface ConversationTurn {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
  /** The position of the turn in its session: a line of the file, or the number of the message, from 1. */
  readonly line: number;
}

export interface ExtractedSentence {
  /** As it was said. */
  readonly text: string;
  readonly kind: MemoryKind;
  readonly line: number;
  readonly score: number;
}

export interface ChooseOptions {
  readonly maxSentences?: number;
  /** Sentences that are already written down do not count towards the limit. */
  readonly isKnown?: (sentence: string) => boolean;
}

/**
 * The sentences of one turn that are worth keeping: decisions, preferences, identities, deadlines and identifiers.
 * Needs no model, runs in linear time, and returns sentences word for word.
 */
export function sentencesOf({ role, text, line }: ConversationTurn): ExtractedSentence[] {
  if (role !== "user" && role !== "assistant") return [];
  return splitSentences(text).flatMap((sentence) => {
    const rated = rateSentence(sentence, role);
    return rated === null ? [] : [{ text: sentence, ...rated, line }];
  });
}

/** The best of these sentences, each once, in their original order. */
export function chooseSentences(
  found: readonly ExtractedSentence[],
  { maxSentences = 20, isKnown = () => false }: ChooseOptions = {},
): ExtractedSentence[] {
  const first = new Map<string, number>();
  for (const [order, { text }] of found.entries()) {
    const key = sentenceKey(text);
    if (!first.has(key)) first.set(key, order);
  }
  // Of equally rated ones the later are kept: they are the ones that still hold.
  const best = [...first.values()].sort((a, b) => found[b]!.score - found[a]!.score || b - a);
  const chosen: number[] = [];
  for (const order of best) {
    if (chosen.length >= maxSentences) break;
    if (!isKnown(found[order]!.text)) chosen.push(order);
  }
  return chosen.sort((a, b) => a - b).map((order) => found[order]!);
}
