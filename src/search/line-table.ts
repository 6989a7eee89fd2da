import type { StoredChunk } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";

export interface LineTable {
  lineText(chunk: StoredChunk, line: number): string;
  /** Characters of these lines; one that no candidate has counts as a line of usual length. */
  sizeOf(chunk: StoredChunk, lines: LineRange): number;
  /** The lines around `core`, inside `lines`, whose text here is certain to be that of the document. */
  connected(chunk: StoredChunk, core: LineRange, lines: LineRange): LineRange;
}

/**
 * The lines of all candidate chunks, by document: a hit may reach over the edge of its chunk. A chunk's own text goes
 * first, because the pieces of a very long line share its number.
 *
 * Beyond the own chunk a line's text is a guess: one that no candidate has reads as blank, which it mostly is, and a
 * chunk of a single line may be a piece of it. That is good enough to judge sizes by, but not to quote.
 */
export function createLineTable(chunks: readonly StoredChunk[]): LineTable {
  const documents = new Map<string, Map<number, { text: string; isCertain: boolean }>>();
  const own = new Map<number, string[]>();
  const keyOf = ({ source, path }: StoredChunk): string => `${source}:${path}`;
  for (const chunk of chunks) {
    const texts = chunk.text.split("\n");
    own.set(chunk.id, texts);
    const lines = documents.get(keyOf(chunk)) ?? new Map();
    documents.set(keyOf(chunk), lines);
    for (const [index, text] of texts.entries()) {
      lines.set(chunk.lines.start + index, { text, isCertain: !isSingle(chunk) });
    }
  }
  const ownText = (chunk: StoredChunk, line: number): string | undefined =>
    own.get(chunk.id)?.[line - chunk.lines.start];
  const isCertain = (chunk: StoredChunk, line: number): boolean =>
    ownText(chunk, line) !== undefined ||
    (!isSingle(chunk) && documents.get(keyOf(chunk))?.get(line)?.isCertain === true);

  const knownText = (chunk: StoredChunk, line: number): string | undefined =>
    ownText(chunk, line) ?? documents.get(keyOf(chunk))?.get(line)?.text;

  return {
    lineText: (chunk, line) => knownText(chunk, line) ?? "",
    sizeOf(chunk, { start, end }) {
      let size = 0;
      for (let line = start; line <= end; line++) size += knownText(chunk, line)?.length ?? usualLineLength;
      return size + end - start + 1;
    },
    connected(chunk, core, lines) {
      let { start, end } = core;
      while (start > lines.start && isCertain(chunk, start - 1)) start--;
      while (end < lines.end && isCertain(chunk, end + 1)) end++;
      return { start, end };
    },
  };
}

const usualLineLength = 60;

function isSingle({ lines }: StoredChunk): boolean {
  return lines.start === lines.end;
}
