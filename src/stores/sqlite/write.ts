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

/** A chunk that has no row yet. */
interface Addition {
  readonly file: number;
  readonly position: number;
  readonly document: Document;
  readonly chunk: Chunk;
  readonly headings: string;
}

interface Replacement {
  readonly added: readonly Addition[];
  /** Keys of chunks that the new document has not. */
  readonly gone: readonly number[];
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
   * A chunk whose text and headings stand in the old document too keeps its row and its words, and only its
   * place is corrected: an entry appended to a long daily note writes one chunk. Returns what is left to
   * do.
   */
  const reuse = ({ document, chunks }: IndexedDocument, chunkerId: string, at: number): Replacement => {
    const { id: file, isNew } = saveFile(document, chunkerId, chunks.length);
    const old = isNew ? new Map<string, OldChunk[]>() : groupByContent(oldChunks.all(file));
    const added: Addition[] = [];
    for (const [position, chunk] of chunks.entries()) {
      const headings = JSON.stringify(chunk.headings);
      const kept = old.get(contentKey(chunk.hash, headings))?.shift();
      const { start, end } = chunk.lines;
      if (kept === undefined) added.push({ file, position, document, chunk, headings });
      else if (kept.position !== position || kept.start_line !== start || kept.end_line !== end) {
        moveChunk.run(position, start, end, at, chunkId(document, chunk), kept.key);
      }
    }
    return { added, gone: [...old.values()].flat().map(({ key }) => key) };
  };

  const add = ({ file, position, document, chunk, headings }: Addition, at: number): void => {
    const { path, source } = document;
    const { start, end } = chunk.lines;
    const text = chunk.text.toWellFormed();
    const id = chunkId(document, chunk);
    const inserted = insertChunk.run(
      file,
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
  };

  return {
    /**
     * All that goes is deleted first, in the order of keys, and all that comes is added then: FTS5 gathers
     * what is written in ascending order, but writes out a segment each time the order is broken.
     */
    put: async (documents: readonly IndexedDocument[], chunkerId: string, slices: Slices): Promise<void> => {
      const at = now();
      const replacements: Replacement[] = [];
      for (const document of lastOfEach(documents)) {
        replacements.push(reuse(document, chunkerId, at));
        if (slices.isOver()) await slices.next();
      }
      for (const key of replacements.flatMap(({ gone }) => gone).sort((a, b) => a - b)) {
        removeChunk(key);
        if (slices.isOver()) await slices.next();
      }
      for (const { added } of replacements) {
        for (const addition of added) {
          add(addition, at);
          if (slices.isOver()) await slices.next();
        }
      }
    },
    touch: (source: SourceName, versions: ReadonlyMap<string, string>): void => {
      for (const [path, version] of versions) setVersion.run(version, path, source);
    },
    remove: async (source: SourceName, paths: readonly string[], slices: Slices): Promise<void> => {
      const keys: number[] = [];
      for (const path of paths) {
        const file = findFile.get(path, source) as { id: number } | undefined;
        if (file === undefined) continue;
        for (const { key } of oldChunks.all(file.id) as unknown as OldChunk[]) keys.push(key);
        deleteFile.run(file.id);
      }
      for (const key of keys.sort((a, b) => a - b)) {
        removeChunk(key);
        if (slices.isOver()) await slices.next();
      }
    },
    setMeta: (key: string, value: string): void => {
      setMeta.run(key, value);
    },
  };
}

/** A document that is there twice counts as it stands last. */
function lastOfEach(documents: readonly IndexedDocument[]): Iterable<IndexedDocument> {
  return new Map(
    documents.map((each) => [JSON.stringify([each.document.source, each.document.path]), each]),
  ).values();
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
