import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Chunk, Document, SourceName } from "../../text/document.ts";
import type { IndexedDocument } from "../store.ts";
import type { FullText } from "./full-text.ts";
import type { Slices } from "./slices.ts";

export type Writing = ReturnType<typeof prepareWriting>;

interface OldChunk {
  key: number;
  position: number;
  start_line: number;
  end_line: number;
}

/** Chunks depend on no embedder; the column is there for the documented form of the id. */
const model = "";

/** Changes to documents. The caller has begun the transaction in which they become visible, all or none. */
export function prepareWriting(db: DatabaseSync, fullText: FullText | null, now: () => number) {
  const findFile = db.prepare("SELECT id, chunk_count FROM files WHERE path = ? AND source = ?");
  const insertFile = db.prepare(
    `INSERT INTO files (path, source, hash, mtime, size, version, chunker, date, scope, chunk_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateFile = db.prepare(
    `UPDATE files SET hash = ?, mtime = ?, size = ?, version = ?, chunker = ?, date = ?, scope = ?, chunk_count = ?
     WHERE id = ?`,
  );
  const deleteFile = db.prepare("DELETE FROM files WHERE id = ?");
  const setVersion = db.prepare("UPDATE files SET version = ? WHERE path = ? AND source = ?");
  const oldChunks = db.prepare(
    "SELECT key, position, start_line, end_line, hash, headings FROM chunks WHERE file = ? ORDER BY position",
  );
  const insertChunk = db.prepare(
    `INSERT INTO chunks (file, position, start_line, end_line, updated_at, source, path, id, hash, model, headings, text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '${model}', ?, ?)`,
  );
  const moveChunk = db.prepare(
    "UPDATE chunks SET position = ?, start_line = ?, end_line = ?, updated_at = ?, id = ? WHERE key = ?",
  );
  const deleteChunk = db.prepare("DELETE FROM chunks WHERE key = ?");
  const setMeta = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );

  const removeChunk = (key: number): void => {
    fullText?.remove(key);
    deleteChunk.run(key);
  };

  const saveFile = (
    document: Document,
    chunkerId: string,
    chunkCount: number,
  ): { id: number; isNew: boolean } => {
    const { path, source, version, sizeBytes, modifiedAt, date, scope } = document;
    const mtime = Number.isFinite(modifiedAt.getTime()) ? Math.trunc(modifiedAt.getTime()) : 0;
    const found = findFile.get(path, source) as { id: number; chunk_count: number } | undefined;
    const rest = [
      document.hash,
      mtime,
      sizeBytes,
      version,
      chunkerId,
      date ?? null,
      scope,
      chunkCount,
    ] as const;
    if (found !== undefined) {
      updateFile.run(...rest, found.id);
      return { id: found.id, isNew: false };
    }
    return { id: Number(insertFile.run(path, source, ...rest).lastInsertRowid), isNew: true };
  };

  /**
   * A chunk whose text and headings stand in the old document too keeps its row and its words: an entry appended to a
   * long daily note writes one chunk. Only its place is corrected.
   */
  const replace = async (
    { document, chunks }: IndexedDocument,
    chunkerId: string,
    slices: Slices,
  ): Promise<void> => {
    const { path, source } = document;
    const file = saveFile(document, chunkerId, chunks.length);
    const kept = file.isNew ? new Map<string, OldChunk[]>() : groupByContent(oldChunks.all(file.id));
    const at = now();
    for (const [position, chunk] of chunks.entries()) {
      const { start, end } = chunk.lines;
      const headings = JSON.stringify(chunk.headings);
      const old = kept.get(contentKey(chunk.hash, headings))?.shift();
      if (old === undefined) {
        const id = chunkId(document, chunk);
        const text = chunk.text.toWellFormed();
        const inserted = insertChunk.run(
          file.id,
          position,
          start,
          end,
          at,
          source,
          path,
          id,
          chunk.hash,
          headings,
          text,
        );
        fullText?.insert(Number(inserted.lastInsertRowid), { text, headings: chunk.headings, path });
      } else if (old.position !== position || old.start_line !== start || old.end_line !== end) {
        moveChunk.run(position, start, end, at, chunkId(document, chunk), old.key);
      }
      if (slices.isOver()) await slices.next();
    }
    for (const leftover of kept.values()) {
      for (const { key } of leftover) {
        removeChunk(key);
        if (slices.isOver()) await slices.next();
      }
    }
  };

  return {
    put: async (documents: readonly IndexedDocument[], chunkerId: string, slices: Slices): Promise<void> => {
      for (const document of documents) await replace(document, chunkerId, slices);
    },
    touch: (source: SourceName, versions: ReadonlyMap<string, string>): void => {
      for (const [path, version] of versions) setVersion.run(version, path, source);
    },
    remove: async (source: SourceName, paths: readonly string[], slices: Slices): Promise<void> => {
      for (const path of paths) {
        const file = findFile.get(path, source) as { id: number } | undefined;
        if (file === undefined) continue;
        for (const { key } of oldChunks.all(file.id) as unknown as OldChunk[]) {
          removeChunk(key);
          if (slices.isOver()) await slices.next();
        }
        deleteFile.run(file.id);
      }
    },
    setMeta: (key: string, value: string): void => {
      setMeta.run(key, value);
    },
  };
}

/** The documented form: SHA-256 of `source:path:startLine:endLine:hash:model`. */
function chunkId({ source, path }: Document, { lines, hash: textHash }: Chunk): string {
  return hash("sha256", `${source}:${path}:${lines.start}:${lines.end}:${textHash}:${model}`);
}

function contentKey(textHash: string, headings: string): string {
  return `${textHash}${headings}`;
}

/** Chunks of equal content are used up in their old order. */
function groupByContent(rows: unknown[]): Map<string, OldChunk[]> {
  const groups = new Map<string, OldChunk[]>();
  for (const row of rows as (OldChunk & { hash: string; headings: string })[]) {
    const key = contentKey(row.hash, row.headings);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
