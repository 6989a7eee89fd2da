import type { Scope, SourceName } from "../text/document.ts";
import type { StoredChunk, StoreStatistics } from "./store.ts";

/** A chunk joined with the columns of its document. */
export interface ChunkRow {
  readonly key: number;
  readonly path: string;
  readonly source: SourceName;
  readonly start_line: number;
  readonly end_line: number;
  /** A JSON array. */
  readonly headings: string;
  readonly text: string;
  readonly date: string | null;
  readonly scope: Scope;
}

export function readChunkRow(row: ChunkRow, headings: readonly string[]): StoredChunk {
  return {
    id: row.key,
    path: row.path,
    source: row.source,
    lines: { start: row.start_line, end: row.end_line },
    headings,
    text: row.text,
    ...(row.date === null ? {} : { date: row.date }),
    scope: row.scope,
  };
}

/** The numbers of documents and chunks of an index. */
export function sumSources(
  sources: StoreStatistics["sources"],
): Pick<StoreStatistics, "files" | "chunks" | "sources"> {
  return {
    files: sources.reduce((sum, { files }) => sum + files, 0),
    chunks: sources.reduce((sum, { chunks }) => sum + chunks, 0),
    sources,
  };
}
