import type { Mark } from "./condense.ts";

export interface SnippetLook {
  readonly kind: "text" | "heading" | "item" | "task" | "done" | "quote" | "code";
  /** Without the signs that say what it is. */
  readonly text: string;
  readonly marks: readonly Mark[];
}

const signs: readonly (readonly [SnippetLook["kind"], RegExp])[] = [
  ["heading", /^\s{0,3}#{1,6}\s+/],
  ["task", /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ \]\s+/],
  ["done", /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[[xX]\]\s+/],
  ["item", /^\s*(?:>\s*)*[-*+]\s+/],
  ["quote", /^\s{0,3}>\s*(?:>\s*)*(?:\[![\w-]{1,40}\][+-]?\s*)?/],
  ["text", /^\s*\|\s*/],
];

/** What one line of a note is, taken by itself: snippets show lines that stood apart. */
export function lookAtLine(text: string, marks: readonly Mark[]): SnippetLook {
  const found = signs.find(([, sign]) => sign.test(text));
  if (found === undefined) return { kind: "text", text, marks };
  const [kind, sign] = found;
  const skipped = sign.exec(text)![0].length;
  const rest = text.slice(skipped);
  return {
    kind,
    // Cells of a table are set apart by as many characters as before, so that marks stay where they are.
    text: text.trimStart().startsWith("|") ? rest.replace(/\|\s*$/, "").replaceAll("|", "·") : rest,
    marks: marks
      .map(([from, to]): Mark => [Math.max(0, from - skipped), to - skipped])
      .filter(([, to]) => to > 0),
  };
}

/** Lines that say nothing by themselves: fences, rules, and the line below the head of a table. */
export function isOrnament(line: string): boolean {
  return (
    /^\s*(?:`{3,}|~{3,})/.test(line) ||
    /^\s*(?:[-*_=]\s*){3,}$/.test(line) ||
    /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/.test(line)
  );
}
