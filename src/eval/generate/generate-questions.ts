import { sha256 } from "../../text/hash.ts";
import type { Question } from "../question.ts";
import { askAboutDates } from "./dates.ts";
import { askAboutDefinitions } from "./definitions.ts";
import type { Draft } from "./draft.ts";
import { askAboutHeadings } from "./headings.ts";
import { askAboutIdentifiers } from "./identifiers.ts";
import { askAboutNames } from "./names.ts";
import { createRareWords } from "./rare-words.ts";
import { type NoteText, readNote } from "./read-note.ts";
import { askAboutValues } from "./values.ts";

/** Kinds of generated questions, as the rows of the report are called. */
export const questionKinds = ["heading", "name", "identifier", "date", "value", "definition"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/**
 * Questions that the notes answer, made from the notes themselves and without a model. The same notes always give the
 * same questions, and a new note changes few of them: each draft has its place in line by a hash of its own text.
 */
export function generateQuestions(
  notes: readonly NoteText[],
  { limit, kinds = questionKinds }: { limit: number; kinds?: readonly QuestionKind[] },
): Question[] {
  const read = notes.toSorted((left, right) => (left.path < right.path ? -1 : 1)).map(readNote);
  const rare = createRareWords(read);
  const makers: Record<QuestionKind, () => Draft[]> = {
    heading: () => askAboutHeadings(read),
    name: () => askAboutNames(read, rare),
    identifier: () => askAboutIdentifiers(read),
    date: () => askAboutDates(read, rare),
    value: () => askAboutValues(read),
    definition: () => askAboutDefinitions(read),
  };
  const lines = kinds.map((kind) => ({ kind, drafts: shuffle(makers[kind]()) }));
  return takeInTurn(lines, limit);
}

/** The same number of every kind, as long as there are some. */
function takeInTurn(
  lines: readonly { kind: QuestionKind; drafts: readonly Draft[] }[],
  limit: number,
): Question[] {
  const taken: Question[] = [];
  const asked = new Set<string>();
  const longest = Math.max(0, ...lines.map(({ drafts }) => drafts.length));
  for (let turn = 0; turn < longest && taken.length < limit; turn++) {
    for (const { kind, drafts } of lines) {
      const draft = drafts[turn];
      if (draft === undefined || asked.has(draft.query) || taken.length >= limit) continue;
      asked.add(draft.query);
      const { query, gold, lang } = draft;
      taken.push({ id: `${kind}-${turn + 1}`, query, lang: lang ?? "unknown", category: kind, gold });
    }
  }
  return taken;
}

function shuffle(drafts: readonly Draft[]): Draft[] {
  return drafts
    .map((draft) => ({ draft, key: sha256(`${draft.query}\n${draft.gold[0]?.path}`) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ draft }) => draft);
}
