import type { DatabaseSync } from "node:sqlite";
import type { DocumentHead, SourceName } from "../../text/document.ts";
import {
  type Addition,
  chunkId,
  chunkModel,
  lastOfEach,
  type OldChunk,
  planReplacement,
  type Replacement,
} from "../plan-replacement.ts";
import type { ChunkWords, IndexedDocument } from "../store.ts";
import { prepareAddUsage } from "./embedder-usage.ts";
import type { FullText } from "./full-text.ts";
import type { Slices } from "./slices.ts";
import { prepareSetChanges } from "./vector-set-changes.ts";
import { prepareVectorWriting } from "./vectors-write.ts";

export type Writing = ReturnType<typeof prepareWriting>;

interface FileRow {
  id: number;
  version: string;
  chunk_count: number;
}

/** What is left to do when a document has its row. */
interface Remaining extends Pick<Replacement<OldChunk>, "added" | "gone"> {
  readonly file: number;
  readonly document: DocumentHead;
  readonly words: readonly ChunkWords[] | undefined;
  /** Chunks that stand before those with these words. */
  readonly keptCount: number;
}

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
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '${chunkModel}', ?, ?)`,
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
  const findReplaced = ({
    path,
    source,
    part,
  }: DocumentHead): { old: OldChunk[]; keptCount: number } | null => {
    const found = findFile.get(path, source) as FileRow | undefined;
    if (part?.follows === undefined) {
      return {
        old: found === undefined ? [] : (oldChunks.all(found.id) as unknown as OldChunk[]),
        keptCount: 0,
      };
    }
    if (found?.version !== part.follows.version) return null;
    const old: OldChunk[] = [];
    for (const row of lastChunks.iterate(found.id) as Iterable<unknown> as Iterable<OldChunk>) {
      if (row.start_line < part.follows.openLine) break;
      old.push(row);
    }
    return { old: old.reverse(), keptCount: found.chunk_count - old.length };
  };

  const saveFile = (document: DocumentHead, chunkerId: string, chunkCount: number): number => {
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

  /** Corrects what stays. Returns what is left to do, null when the document is passed over. */
  const reuse = (indexed: IndexedDocument, chunkerId: string, at: number): Remaining | null => {
    const { document, chunks, words } = indexed;
    const replaced = findReplaced(document);
    if (replaced === null) return null;
    const { keptCount } = replaced;
    const file = saveFile(document, chunkerId, keptCount + chunks.length);
    const { moved, added, gone } = planReplacement(chunks, replaced.old, keptCount);
    for (const { key, position, chunk } of moved) {
      moveChunk.run(position, chunk.lines.start, chunk.lines.end, at, chunkId(document, chunk), key);
    }
    return { file, document, words, keptCount, added, gone };
  };

  const add = (remaining: Remaining, addition: Addition, at: number): number => {
    const { file, document, words, keptCount } = remaining;
    const { position, chunk, headings } = addition;
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
    fullText?.insert(key, { text, headings: chunk.headings, path }, words?.[position - keptCount]);
    return key;
  };

  return {
    /**
     * All that goes is deleted first, in the order of keys, and all that comes is added then: FTS5 gathers
     * what is written in ascending order, but writes out a segment each time the order is broken.
     */
    put: async (documents: readonly IndexedDocument[], chunkerId: string, slices: Slices): Promise<void> => {
      const at = now();
      const replacements: Remaining[] = [];
      for (const document of lastOfEach(documents)) {
        const remaining = reuse(document, chunkerId, at);
        if (remaining !== null) replacements.push(remaining);
        if (slices.isOver()) await slices.next();
      }
      const change = vectors.startChange();
      const coming = new Set(replacements.flatMap(({ added }) => added.map(({ chunk }) => chunk.hash)));
      for (const { key, hash } of replacements.flatMap(({ gone }) => gone).sort((a, b) => a.key - b.key)) {
        if (coming.has(hash)) change.carry(key, hash);
        removeChunk(key);
        if (slices.isOver()) await slices.next();
      }
      for (const remaining of replacements) {
        for (const addition of remaining.added) {
          change.inherit(add(remaining, addition, at), addition.chunk.hash);
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
