import type { MemoryKind } from "../extract/cues/cue.ts";
import { rateSentence } from "../extract/rate-sentence.ts";
import type { EntryCategory } from "./entries.ts";

/** The kind of fact that a text states, by its wording. Agents write about their user, people about themselves. */
export function guessCategory(text: string): EntryCategory {
  const start = text.slice(0, maxChars);
  const rated = rateSentence(start, "user");
  if (rated !== null && categoryOf[rated.kind] !== "fact") return categoryOf[rated.kind];
  const plain = start.toLowerCase();
  const stated = thirdPerson.find(({ pattern }) => pattern.test(plain));
  if (stated !== undefined) return stated.category;
  return start.trim().split(/\s+/, 3).length < 3 && !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}]/u.test(start)
    ? "other"
    : "fact";
}

/** The part that shows the kind, and the length that the cues are made for. */
const maxChars = 400;

const categoryOf: Readonly<Record<MemoryKind, EntryCategory>> = {
  decision: "decision",
  preference: "preference",
  identity: "entity",
  deadline: "fact",
  identifier: "fact",
};

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
