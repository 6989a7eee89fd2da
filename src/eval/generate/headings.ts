import { type Draft, draftQuestion, plainText } from "./draft.ts";
import type { ReadNote } from "./read-note.ts";

/** "what about <heading>", answered by the section. Headings that stand in several places lead to none of them. */
export function askAboutHeadings(notes: readonly ReadNote[]): Draft[] {
  const found = notes.flatMap((note) =>
    note.sections
      .filter(({ startLine, endLine }) => endLine > startLine)
      .map((section) => ({ note, section, title: plainText(section.heading) }))
      .filter(({ title }) => title.length <= 80 && /\p{L}{2}/u.test(title)),
  );
  const byTitle = Map.groupBy(found, ({ title }) => title.toLowerCase());
  return [...byTitle.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length > 0) return [];
    const { note, section, title } = first;
    const gold = [{ path: note.path, startLine: section.startLine, endLine: section.endLine }];
    return [draftQuestion(note, { sentence: `what about ${title}`, words: title, gold })];
  });
}
