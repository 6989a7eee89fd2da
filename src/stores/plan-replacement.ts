import type { Chunk, Document } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import type { IndexedDocument } from "./store.ts";

/** A chunk as stored. */
export interface OldChunk {
  readonly key: number;
  readonly hash: string;
  /** A JSON array. */
  readonly headings: string;
  readonly position: number;
  readonly start_line: number;
  readonly end_line: number;
}

/** A chunk that has no row yet. */
export interface Addition {
  readonly position: number;
  readonly chunk: Chunk;
  /** A JSON array. */
  readonly headings: string;
}

export interface Replacement<Old extends OldChunk> {
  /** Chunks that stay, at another position. */
  readonly moved: readonly { readonly key: number; readonly position: number; readonly chunk: Chunk }[];
  readonly added: readonly Addition[];
  /** Chunks that the new document no longer has. */
  readonly gone: readonly Old[];
}

/**
 * A chunk whose text and headings are also in the old document keeps its row and its tokens, and only its position is
 * updated: an entry appended to a long daily note writes one chunk. `old` are the replaced chunks, in order; the
 * `keptCount` chunks before them stay as they are.
 */
export function planReplacement<Old extends OldChunk>(
  chunks: readonly Chunk[],
  old: readonly Old[],
  keptCount: number,
): Replacement<Old> {
  const unused = groupByContent(old);
  const moved: { key: number; position: number; chunk: Chunk }[] = [];
  const added: Addition[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const position = keptCount + index;
    const headings = JSON.stringify(chunk.headings);
    const kept = unused.get(contentKey(chunk.hash, headings))?.shift();
    const { start, end } = chunk.lines;
    if (kept === undefined) added.push({ position, chunk, headings });
    else if (kept.position !== position || kept.start_line !== start || kept.end_line !== end) {
      moved.push({ key: kept.key, position, chunk });
    }
  }
  return { moved, added, gone: [...unused.values()].flat() };
}

/** The last version of each document. */
export function lastOfEach(documents: readonly IndexedDocument[]): IndexedDocument[] {
  const last = documents.map((each) => [JSON.stringify([each.document.source, each.document.path]), each]);
  return [...new Map(last as [string, IndexedDocument][]).values()];
}

/** Chunks do not depend on an embedder; the documented form of the id has a place for one. */
const chunkModel = "";

/** The documented form: SHA-256 of `source:path:startLine:endLine:hash:model`. */
export function chunkId(
  { source, path }: Pick<Document, "source" | "path">,
  { lines, hash: textHash }: Chunk,
): string {
  return sha256(`${source}:${path}:${lines.start}:${lines.end}:${textHash}:${chunkModel}`);
}

function contentKey(textHash: string, headings: string): string {
  return `${textHash}${headings}`;
}

/** Equal chunks are matched in their old order. */
function groupByContent<Old extends OldChunk>(rows: readonly Old[]): Map<string, Old[]> {
  return Map.groupBy(rows, ({ hash: textHash, headings }) => contentKey(textHash, headings));
}
