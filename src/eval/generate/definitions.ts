import { type Draft, draftQuestion, plainText } from "./draft.ts";
import type { ReadNote } from "./read-note.ts";

interface Definition {
  readonly note: ReadNote;
  readonly term: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** "what does <term> mean" for `- term — meaning`, `**term** - meaning`, and a term with `: meaning` below it. */
export function askAboutDefinitions(notes: readonly ReadNote[]): Draft[] {
  const found = notes.flatMap(findDefinitions);
  const byTerm = Map.groupBy(found, ({ term }) => term.toLowerCase());
  return [...byTerm.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length > 0) return [];
    const { note, term, startLine, endLine } = first;
    const gold = [{ path: note.path, startLine, endLine }];
    return [draftQuestion(note, { sentence: `what does ${term} mean`, words: term, gold })];
  });
}

function findDefinitions(note: ReadNote): Definition[] {
  return note.lines.flatMap((line, index): Definition[] => {
    if (line.kind !== "text") return [];
    const next = note.lines[index + 1];
    const isTermAbove = next?.kind === "text" && /^:\s+\S/.test(next.text) && !/^:\s/.test(line.text);
    const inLine = inOneLine.map((form) => form.exec(line.text)?.groups?.["term"]).find(Boolean);
    const term = plainText(isTermAbove ? line.text : (inLine ?? ""));
    if (term.length < 2 || term.length > 50 || !/\p{L}/u.test(term)) return [];
    const endLine = isTermAbove ? line.number + 1 : line.number;
    return [{ note, term, startLine: line.number, endLine }];
  });
}

const inOneLine = [
  /^\s*[-*+]\s+(?<term>[^—–:.!?]{2,50}?)\s+[—–]\s+\S/u,
  /^\s*(?:[-*+]\s+)?(?<term>(?:\*\*|__)[^*_]{2,50}(?:\*\*|__))\s*[—–-]\s+\S/u,
];
