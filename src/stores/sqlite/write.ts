import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Chunk, Document, SourceName } from "../../text/document.ts";
import type { IndexedDocument } from "../store.ts";
import { prepareAddUsage } from "./embedder-usage.ts";
import type { FullText } from "./full-text.ts";
import type { Slices } from "./slices.ts";
import { prepareSetChanges } from "./vector-set-changes.ts";
import { prepareVectorWriting } from "./vectors-write.ts";

export type Writing = ReturnType<typeof prepareWriting>;

interface OldChunk {
  key: number;
  hash: string;
  position: number;
  start_line: number;
  end_line: number;
}

interface OldRow extends OldChunk {
  headings: string;
}

interface FileRow {
  id: number;
  version: string;
  chunk_count: number;
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
  /** Chunks that the new document has not. */
  readonly gone: readonly OldChunk[];
}

/** Chunks depend on no embedder; the column is there for the documented form of the id. */
const model = "";

/** Changes to documents. The caller has begun the transaction in which they become visible, all or none. */
export function prepareWriting(db: DatabaseSync, fullText: FullText | null, now: () => number) {
  const findFile = db.prepare("SELECT id, version, chunk_count FROM files WHERE path = ? AND source = ?");
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
  const lastChunks = db.prepare(
    "SELECT key, position, start_line, end_line, hash, headings FROM chunks WHERE file = ? ORDER BY position DESC",
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

  const vectors = prepareVectorWriting(db, now);
  const sets = prepareSetChanges(db);

  const removeChunk = (key: number): void => {
    fullText?.remove(key);
    vectors.removeChunk(key);
    deleteChunk.run(key);
  };

  /** The old chunks that the document replaces, in order; null when the index does not hold what it follows. */
  const findReplaced = ({ path, source, part }: Document): { old: OldRow[]; keptCount: number } | null => {
    const found = findFile.get(path, source) as FileRow | undefined;
    if (part?.follows === undefined) {
      return {
        old: found === undefined ? [] : (oldChunks.all(found.id) as unknown as OldRow[]),
        keptCount: 0,
      };
    }
    if (found?.version !== part.follows.version) return null;
    const old: OldRow[] = [];
    for (const row of lastChunks.iterate(found.id) as Iterable<unknown> as Iterable<OldRow>) {
      if (row.start_line < part.follows.openLine) break;
      old.push(row);
    }
    return { old: old.reverse(), keptCount: found.chunk_count - old.length };
  };

  const saveFile = (document: Document, chunkerId: string, chunkCount: number): number => {
    const { path, source, version, sizeBytes, modifiedAt, date, scope } = document;
    const mtime = Number.isFinite(modifiedAt.getTime()) ? Math.trunc(modifiedAt.getTime()) : 0;
    const found = findFile.get(path, source) as FileRow | undefined;
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
      return found.id;
    }
    return Number(insertFile.run(path, source, ...rest).lastInsertRowid);
  };

  /**
   * A chunk whose text and headings stand in the old document too keeps its row and its words, and only its
   * place is corrected: an entry appended to a long daily note writes one chunk. Returns what is left to
   * do.
   */
  const reuse = ({ document, chunks }: IndexedDocument, chunkerId: string, at: number): Replacement => {
    const replaced = findReplaced(document);
    if (replaced === null) return { added: [], gone: [] };
    const file = saveFile(document, chunkerId, replaced.keptCount + chunks.length);
    const old = groupByContent(replaced.old);
    const added: Addition[] = [];
    for (const [index, chunk] of chunks.entries()) {
      const position = replaced.keptCount + index;
      const headings = JSON.stringify(chunk.headings);
      const kept = old.get(contentKey(chunk.hash, headings))?.shift();
      const { start, end } = chunk.lines;
      if (kept === undefined) added.push({ file, position, document, chunk, headings });
      else if (kept.position !== position || kept.start_line !== start || kept.end_line !== end) {
        moveChunk.run(position, start, end, at, chunkId(document, chunk), kept.key);
      }
    }
    return { added, gone: [...old.values()].flat() };
  };

  const add = ({ file, position, document, chunk, headings }: Addition, at: number): number => {
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
    const key = Number(inserted.lastInsertRowid);
    fullText?.insert(key, { text, headings: chunk.headings, path });
    return key;
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
      const change = vectors.startChange();
      const coming = new Set(replacements.flatMap(({ added }) => added.map(({ chunk }) => chunk.hash)));
      for (const { key, hash } of replacements.flatMap(({ gone }) => gone).sort((a, b) => a.key - b.key)) {
        if (coming.has(hash)) change.carry(key, hash);
        removeChunk(key);
        if (slices.isOver()) await slices.next();
      }
      for (const { added } of replacements) {
        for (const addition of added) {
          change.inherit(add(addition, at), addition.chunk.hash);
          if (slices.isOver()) await slices.next();
        }
      }
      change.finish();
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
    putVectors: vectors.put,
    markUsed: vectors.markUsed,
    evict: vectors.evict,
    dropSet: sets.drop,
    recode: sets.recode,
    addUsage: prepareAddUsage(db, now),
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
function groupByContent(rows: readonly OldRow[]): Map<string, OldChunk[]> {
  const groups = new Map<string, OldChunk[]>();
  for (const row of rows) {
    const key = contentKey(row.hash, row.headings);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
