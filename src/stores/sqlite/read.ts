import type { DatabaseSync } from "node:sqlite";
import type { SourceName } from "../../text/document.ts";
import { once } from "../../text/once.ts";
import { type ChunkRow, readChunkRow } from "../chunk-row.ts";
import type {
  DocumentState,
  DocumentSummary,
  IndexedVersion,
  StoredChunk,
  StoreStatistics,
} from "../store.ts";
import { DamagedContent } from "./sqlite-failure.ts";
import { shownHash, wholeText, withPredecessor } from "./stored-chunk.ts";

export type Reading = ReturnType<typeof prepareReading>;

type VersionRow = [path: string, version: string, hash: string, chunker: string];

const chunkColumns = `c.key, f.path, f.source, c.start_line, c.end_line, c.headings, ${wholeText} AS text, f.date, f.scope`;
const chunkTables = `chunk_rows c JOIN files f ON f.id = c.file ${withPredecessor}`;

/** About 15 MB. */
const maxKeptVersions = 50_000;

/** Each query is one statement, so it sees one state of the index. */
export function prepareReading(db: DatabaseSync) {
  const versions = db.prepare(
    `SELECT path, version, ${shownHash("hash")}, chunker FROM files WHERE source = ?`,
  );
  versions.setReturnArrays(true);
  // A search needs none of these, and each takes a moment to prepare.
  const version = once(() =>
    db.prepare(
      `SELECT version, ${shownHash("hash")} AS hash, chunker FROM files WHERE path = ? AND source = ?`,
    ),
  );
  const ofDocument = `SELECT ${chunkColumns} FROM ${chunkTables} WHERE f.path = ? AND f.source = ? ORDER BY c.position`;
  const chunksOf = once(() => db.prepare(ofDocument));
  const lastChunksOf = once(() => db.prepare(`${ofDocument} DESC`));
  const documents = once(() =>
    db.prepare("SELECT source, path, date, chunk_count AS chunks FROM files ORDER BY source, path"),
  );
  // One statement for all ids: separate ones would take most of the time.
  const chunks = db.prepare(
    `SELECT ${chunkColumns} FROM json_each(?) AS wanted
     CROSS JOIN chunk_rows c ON c.key = wanted.value JOIN files f ON f.id = c.file ${withPredecessor}`,
  );
  const counts = db.prepare(
    "SELECT source, count(*) AS files, sum(chunk_count) AS chunks FROM files GROUP BY source ORDER BY source",
  );
  const fact = db.prepare("SELECT value FROM meta WHERE key = ?");
  const revision = db.prepare("PRAGMA data_version");
  const readRevision = (): number => revision.get()?.["data_version"] as number;
  const meta = (key: string): string | null => (fact.get(key)?.["value"] as string | undefined) ?? null;
  const documentState = (): DocumentState => meta(writtenKey) ?? "0";
  let keptCounts: { readonly state: DocumentState; readonly sources: StoreStatistics["sources"] } | null =
    null;
  const keptVersions = new Map<
    SourceName,
    { readonly state: DocumentState; readonly versions: ReadonlyMap<string, IndexedVersion> }
  >();
  return {
    documentState,
    versionsOf: (source: SourceName, paths: readonly string[]): ReadonlyMap<string, IndexedVersion> => {
      const rows = paths.map((path) => [path, version().get(path, source)] as const);
      return new Map(
        rows.flatMap(([path, row]) =>
          row === undefined ? [] : [[path, { ...(row as unknown as IndexedVersion) }]],
        ),
      );
    },
    /** Read again only when documents have changed; those of a large index are not cached. */
    versions: (source: SourceName): ReadonlyMap<string, IndexedVersion> => {
      // Before the rows: a write in between makes them newer than their state, and they are read once more.
      const state = documentState();
      const kept = keptVersions.get(source);
      if (kept?.state === state) return kept.versions;
      const known = new Map<string, IndexedVersion>();
      // Row by row, sharing strings that are the same in all rows: among a million rows that saves a third of the
      // memory.
      let chunker = "";
      for (const row of versions.iterate(source) as Iterable<unknown> as Iterable<VersionRow>) {
        if (row[3] !== chunker) chunker = row[3];
        known.set(row[0], { version: row[1], hash: row[2], chunker });
      }
      if (known.size <= maxKeptVersions) keptVersions.set(source, { state, versions: known });
      else keptVersions.delete(source);
      return known;
    },
    /** In the order of the ids; missing ones are left out. */
    chunks: (ids: readonly number[]): StoredChunk[] =>
      (chunks.all(JSON.stringify(ids)) as unknown as ChunkRow[]).map(toChunk),
    chunksOf: (source: SourceName, path: string, fromLine?: number): StoredChunk[] => {
      if (fromLine === undefined) return (chunksOf().all(path, source) as unknown as ChunkRow[]).map(toChunk);
      // From the end: a long transcript has many chunks, and only its last ones are needed.
      const found: StoredChunk[] = [];
      for (const row of lastChunksOf().iterate(path, source) as Iterable<unknown> as Iterable<ChunkRow>) {
        if (row.start_line < fromLine) break;
        found.push(toChunk(row));
      }
      return found.reverse();
    },
    /** Cached until documents change: every search asks, and counting walks all documents. */
    counts: (): StoreStatistics["sources"] => {
      const state = documentState();
      if (keptCounts?.state !== state) {
        const rows = counts.all() as unknown as StoreStatistics["sources"];
        keptCounts = { state, sources: rows.map(({ source, files, chunks }) => ({ source, files, chunks })) };
      }
      return keptCounts.sources;
    },
    documents: (): DocumentSummary[] =>
      (documents().all() as unknown as (DocumentSummary & { date: string | null })[]).map(
        ({ source, path, date, chunks }) => ({ source, path, chunks, ...(date === null ? {} : { date }) }),
      ),
    meta,
    /** Changes with every commit of any other connection, including our own writer. */
    revision: readRevision,
  };
}

function toChunk(row: ChunkRow): StoredChunk {
  if (typeof row.text !== "string" || !Number.isInteger(row.start_line) || !Number.isInteger(row.end_line)) {
    throw new DamagedContent("a row of the table chunks holds values of the wrong kind");
  }
  return readChunkRow(row, parseHeadings(row.headings));
}

export function parseHeadings(json: string): string[] {
  try {
    const headings: unknown = JSON.parse(json);
    if (Array.isArray(headings) && headings.every((heading) => typeof heading === "string")) return headings;
  } catch {
    // Falls through to the common error for damage.
  }
  throw new DamagedContent("a row of the table chunks holds headings that are not a list of texts");
}

/** The revisions of the last write to documents, and of the last one that removed any, in `meta`. */
const writtenKey = "documents_written";
const removedKey = "documents_removed";

/** One write to documents: decides what it may replace, and numbers what it wrote. */
export interface DocumentWrite {
  /** For the rows it writes. */
  readonly revision: number;
  /** Whether a row is as the writer saw it; undefined means that the document is absent. */
  isAsSeen(row: { readonly revision: number } | undefined): boolean;
  /** Called after the write has changed something. */
  finish(change: { readonly hasRemoved: boolean }): void;
}

/**
 * Revisions only grow. They start at the current time, so that a state of a deleted index is never valid for its
 * successor.
 */
export function prepareDocumentWrites(
  db: DatabaseSync,
  now: () => number,
): (asOf: DocumentState | undefined) => DocumentWrite {
  const find = db.prepare("SELECT value FROM meta WHERE key = ?");
  const save = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const read = (key: string): number => Number(find.get(key)?.["value"] ?? 0) || 0;
  return (asOf) => {
    const seen = asOf === undefined ? Number.POSITIVE_INFINITY : Number(asOf);
    const removed = read(removedKey);
    const revision = Math.max(read(writtenKey) + 1, Math.trunc(now()));
    return {
      revision,
      isAsSeen: (row) => (row?.revision ?? removed) <= seen,
      finish({ hasRemoved }) {
        save.run(writtenKey, `${revision}`);
        if (hasRemoved) save.run(removedKey, `${revision}`);
      },
    };
  };
}
