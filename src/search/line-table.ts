import type { StoredChunk } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";

export interface LineTable {
  lineText(chunk: StoredChunk, line: number): string;
  /** The same for each of these lines. */
  linesText(chunk: StoredChunk, lines: LineRange): string[];
  /** Characters in these lines; lines that no candidate contains are estimated. */
  sizeOf(chunk: StoredChunk, lines: LineRange): number;
  /** The lines around `core`, within `lines`, whose text is certain to be that of the document. */
  connected(chunk: StoredChunk, core: LineRange, lines: LineRange): LineRange;
}

/**
 * The lines of all candidate chunks by document, because a hit may extend beyond its chunk. A chunk's own text takes
 * precedence, because the pieces of a very long line share its number.
 *
 * Outside the chunk a line's text is a guess: a line that no candidate contains reads as blank, which it usually is,
 * and a chunk of a single line may be a piece of it. That is good enough for sizes, but not for quotes.
 */
export function createLineTable(chunks: readonly StoredChunk[]): LineTable {
  const keyOf = ({ source, path }: StoredChunk): string => `${source}:${path}`;
  const candidates = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  /** Built on demand: few candidates become hits. */
  const own = new Map<number, readonly string[]>();
  const documents = new Map<string, ReadonlyMap<number, KnownLine>>();

  const ownLines = ({ id }: StoredChunk): readonly string[] => {
    const lines = own.get(id) ?? candidates.get(id)?.text.split("\n") ?? [];
    own.set(id, lines);
    return lines;
  };
  const linesAround = (chunk: StoredChunk): ReadonlyMap<number, KnownLine> => {
    const key = keyOf(chunk);
    const known = documents.get(key);
    if (known !== undefined) return known;
    const lines = new Map<number, KnownLine>();
    for (const each of chunks) {
      if (each.path !== chunk.path || each.source !== chunk.source) continue;
      const isCertain = !isSingle(each);
      for (const [index, text] of ownLines(each).entries()) {
        lines.set(each.lines.start + index, { text, isCertain });
      }
    }
    documents.set(key, lines);
    return lines;
  };
  const ownText = (chunk: StoredChunk, line: number): string | undefined =>
    ownLines(chunk)[line - chunk.lines.start];
  const isCertain = (chunk: StoredChunk, line: number): boolean =>
    ownText(chunk, line) !== undefined ||
    (!isSingle(chunk) && linesAround(chunk).get(line)?.isCertain === true);

  const knownText = (chunk: StoredChunk, line: number): string | undefined =>
    ownText(chunk, line) ?? linesAround(chunk).get(line)?.text;

  const lineText = (chunk: StoredChunk, line: number): string => knownText(chunk, line) ?? "";

  return {
    lineText,
    linesText: (chunk, { start, end }) =>
      Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => lineText(chunk, start + index)),
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

interface KnownLine {
  readonly text: string;
  readonly isCertain: boolean;
}

const usualLineLength = 60;

function isSingle({ lines }: StoredChunk): boolean {
  return lines.start === lines.end;
}
