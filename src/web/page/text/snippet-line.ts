interface ParsedSnippetLine {
  readonly kind: "text" | "heading" | "item" | "task" | "done" | "quote";
  /** The text without its Markdown syntax. */
  readonly text: string;
  readonly marks: readonly Mark[];
}

const signs: readonly (readonly [ParsedSnippetLine["kind"], RegExp])[] = [
  ["heading", /^\s{0,3}#{1,6}\s+/],
  ["task", /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ \]\s+/],
  ["done", /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[[xX]\]\s+/],
  ["item", /^\s*(?:>\s*)*[-*+]\s+/],
  ["quote", /^\s{0,3}>\s*(?:>\s*)*(?:\[![\w-]{1,40}\][+-]?\s*)?/],
  ["text", /^\s*\|\s*/],
];

/** Parses one line of a note by itself, since lines of a snippet may not be adjacent. */
export function parseSnippetLine(text: string, marks: readonly Mark[]): ParsedSnippetLine {
  const found = signs.find(([, sign]) => sign.test(text));
  if (found === undefined) return { kind: "text", text, marks };
  const [kind, sign] = found;
  const skipped = sign.exec(text)![0].length;
  const rest = text.slice(skipped);
  return {
    kind,
    // Table cells are separated by as many characters as before, so that marks keep their offsets.
    text: text.trimStart().startsWith("|") ? rest.replace(/\|\s*$/, "").replaceAll("|", "·") : rest,
    marks: marks
      .map(([from, to]): Mark => [Math.max(0, from - skipped), to - skipped])
      .filter(([, to]) => to > 0),
  };
}

/** Lines without content: fences, rules, conflict markers, and the delimiter row of a table. */
export function isOrnament(line: string): boolean {
  return (
    /^\s*(?:`{3,}|~{3,})/.test(line) ||
    /^\s*(?:[-*_=]\s*){3,}$/.test(line) ||
    /^(?:<{7}|\|{7}|>{7})(?:\s|$)/.test(line) ||
    /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/.test(line)
  );
}

/** The indexes of lines within code fences. A snippet may begin inside a fence. */
export function findCodeLines(snippet: string): ReadonlySet<number> {
  const lines = snippet.split("\n");
  const fences = lines.map((line) => /^\s*(?:`{3,}|~{3,})(.*)$/.exec(line)?.[1]?.trim());
  const named = fences.filter((info) => info !== undefined);
  // Only an opening fence names a language, so the number of fences before it tells whether the snippet begins inside
  // one.
  let isCode = named.findIndex((info) => info !== "") % 2 === 1;
  const found = new Set<number>();
  for (const [index, info] of fences.entries()) {
    if (info !== undefined) isCode = !isCode;
    else if (isCode) found.add(index);
  }
  return found;
}

export type Mark = readonly [start: number, end: number];

interface SnippetLine {
  /** The line's index in the snippet. */
  readonly index: number;
  readonly text: string;
  /** Offsets within this line. */
  readonly marks: readonly Mark[];
  /** Whether lines were left out before it. */
  readonly followsGap: boolean;
}

/**
 * The most useful lines of a snippet: those with the most distinct marked text, and their neighbours, in the original
 * order. Blank lines are left out, and so are those for which `isSkipped` returns true, given text and index.
 */
export function condense(
  snippet: string,
  marks: readonly Mark[],
  {
    maxLines,
    isSkipped = () => false,
  }: { maxLines: number; isSkipped?: (text: string, index: number) => boolean },
): SnippetLine[] {
  let offset = 0;
  const lines = snippet.split("\n").map((text, index) => {
    const start = offset;
    offset += text.length + 1;
    const own = marks
      .filter(([from, to]) => from < start + text.length && to > start)
      .map(([from, to]): Mark => [Math.max(0, from - start), Math.min(text.length, to - start)]);
    const words = new Set(own.map(([from, to]) => text.slice(from, to).toLowerCase()));
    return { index, text, marks: own, weight: words.size };
  });
  const written = lines.filter(({ text, index }) => text.trim() !== "" && !isSkipped(text, index));
  // A line next to a good one explains it; among equal lines, the first one wins.
  const rating = (at: number): number =>
    (written[at]?.weight ?? 0) * 4 + (written[at - 1]?.weight ?? 0) + (written[at + 1]?.weight ?? 0);
  const chosen = written
    .map((line, at) => ({ line, at, rating: rating(at) }))
    .sort((a, b) => b.rating - a.rating || a.at - b.at)
    .slice(0, maxLines)
    .sort((a, b) => a.at - b.at);
  return chosen.map(({ line, at }, place) => ({
    index: line.index,
    text: line.text,
    marks: line.marks,
    followsGap: at !== (place === 0 ? 0 : chosen[place - 1]!.at + 1),
  }));
}

/** The lines around a given one; the lines before them become blank, so that line numbers stay the same. */
export function excerptAround(lines: readonly string[], line: number, around: number): string {
  const first = Math.max(0, line - 1 - around);
  return [...Array.from({ length: first }, () => ""), ...lines.slice(first, line + around)].join("\n");
}
