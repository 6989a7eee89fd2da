import type { StoredChunk } from "../stores/store.ts";
import type { LineText } from "./hits.ts";

/**
 * The lines of all candidate chunks, by document: a hit may reach over the edge of its chunk. A line that no candidate
 * has reads as blank; chunks cover every line that is not. A chunk's own text goes first, because the pieces of a very
 * long line share its number.
 */
export function createLineTable(chunks: readonly StoredChunk[]): LineText {
  const documents = new Map<string, Map<number, string>>();
  const own = new Map<number, string[]>();
  const keyOf = ({ source, path }: StoredChunk): string => `${source}:${path}`;
  for (const chunk of chunks) {
    const texts = chunk.text.split("\n");
    own.set(chunk.id, texts);
    const lines = documents.get(keyOf(chunk)) ?? new Map<number, string>();
    documents.set(keyOf(chunk), lines);
    for (const [index, text] of texts.entries()) lines.set(chunk.lines.start + index, text);
  }
  return (chunk, line) =>
    own.get(chunk.id)?.[line - chunk.lines.start] ?? documents.get(keyOf(chunk))?.get(line) ?? "";
}
