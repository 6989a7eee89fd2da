import { sentenceKey } from "./coverage.ts";
import type { MemoryKind } from "./cues/cue.ts";
import { rateSentence } from "./rate-sentence.ts";
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

export interface ChooseOptions {
  readonly maxSentences?: number;
  /** What is written down already takes no place from what is not. */
  readonly isKnown?: (sentence: string) => boolean;
}

/**
 * The sentences of one turn that say something for later: decisions, preferences, who people are, when something is
 * due, what a thing is called. Needs no model, takes time in proportion to the text, and gives sentences word for word.
 */
export function sentencesOf({ role, text, line }: ConversationTurn): ExtractedSentence[] {
  if (role !== "user" && role !== "assistant") return [];
  return splitSentences(text).flatMap(({ text: sentence }) => {
    const rated = rateSentence(sentence, role);
    return rated === null ? [] : [{ text: sentence, ...rated, line }];
  });
}

/** The most telling of these, each once, in the order they were said. */
export function chooseSentences(
  found: readonly ExtractedSentence[],
  { maxSentences = 20, isKnown = () => false }: ChooseOptions = {},
): ExtractedSentence[] {
  const first = new Map<string, number>();
  for (const [order, { text }] of found.entries()) {
    const key = sentenceKey(text);
    if (!first.has(key)) first.set(key, order);
  }
  // Of equals the later ones stay: they are the ones that still hold.
  const best = [...first.values()].sort((a, b) => found[b]!.score - found[a]!.score || b - a);
  const chosen: number[] = [];
  for (const order of best) {
    if (chosen.length >= maxSentences) break;
    if (!isKnown(found[order]!.text)) chosen.push(order);
  }
  return chosen.sort((a, b) => a - b).map((order) => found[order]!);
}
