import { commonRuns } from "./diff.ts";

/** The text as a text area shows it, with `\n` as every line break. */
export function showLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/**
 * Restores the note's line breaks in a text from a text area: an unchanged line keeps its own, a new one gets the most
 * common. An edit of one line then changes one line, whatever program wrote the note.
 */
export function restoreLineEnds(text: string, note: string): string {
  if (!note.includes("\r")) return text;
  const pieces = [...note.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)].map(([, line = "", end = ""]) => ({
    line,
    end,
  }));
  const lines = text.split("\n");
  const ends = new Array<string>(lines.length).fill(mostCommon(pieces.map(({ end }) => end)));
  const runs = commonRuns(
    pieces.map(({ line }) => line),
    lines,
  );
  for (const { left, right, length } of runs) {
    for (let offset = 0; offset < length; offset++) {
      const { end } = pieces[left + offset]!;
      if (end !== "") ends[right + offset] = end;
    }
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + ends[index]!)).join("");
}

function mostCommon(ends: readonly string[]): string {
  const count = (wanted: string): number => ends.filter((end) => end === wanted).length;
  return ["\n", "\r\n", "\r"].reduce((best, end) => (count(end) > count(best) ? end : best));
}
