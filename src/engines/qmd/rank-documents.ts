import type { QmdDocument } from "./driver.ts";

/**
 * The documents that are worth reading, best first. A place near the top of a list counts more, and a list with few
 * documents more than one with many: what few documents have tells them apart.
 */
export function rankDocuments(found: readonly QmdDocument[], most: number): QmdDocument[] {
  const lengths = new Map<string, number>();
  for (const { query } of found.flatMap(({ byWord }) => byWord)) {
    lengths.set(query, (lengths.get(query) ?? 0) + 1);
  }
  const weigh = ({ byWord, byMeaning }: QmdDocument): number =>
    byWord.reduce((sum, { query, rank }) => sum + 1 / Math.sqrt(lengths.get(query)!) / (rank + 10), 0) +
    Math.max(0, byMeaning?.similarity ?? 0) / 10;
  return found
    .map((document) => ({ document, weight: weigh(document) }))
    .sort((left, right) => right.weight - left.weight || (left.document.file < right.document.file ? -1 : 1))
    .slice(0, most)
    .map(({ document }) => document);
}
