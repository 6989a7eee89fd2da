import type { Chunk, LineRange } from "../text/document.ts";

/**
 * The text of some lines, from the chunks that were cut from them. A line that no chunk has is blank. A chunk of one
 * line that follows another of the same line is its next piece; otherwise a line that stands in two chunks is the same
 * in both, because the end of a chunk is repeated in the next.
 */
export function joinChunks(chunks: readonly Pick<Chunk, "lines" | "text">[], lines: LineRange): string {
  const texts = new Array<string>(Math.max(0, lines.end - lines.start + 1)).fill("");
  let before: LineRange | undefined;
  for (const chunk of chunks) {
    const { start, end } = chunk.lines;
    const isNextPiece = start === end && before?.start === start && before.end === end;
    if (isNextPiece) texts[start - lines.start] += chunk.text;
    else
      for (const [index, text] of chunk.text.split("\n").entries()) texts[start - lines.start + index] = text;
    before = chunk.lines;
  }
  return texts.join("\n");
}
