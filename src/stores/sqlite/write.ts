import type { DatabaseSync } from "node:sqlite";
import type { ChunkWords, DocumentHead, SourceName } from "../../text/document.ts";
import type { Slices } from "../../timing.ts";
import {
  type Addition,
  lastOfEach,
  type OldChunk,
  planReplacement,
  type Replacement,
} from "../plan-replacement.ts";
import type { DocumentName, IndexedDocument, WriteOptions } from "../store.ts";
import type { EmbedderUsage } from "../store-vectors.ts";
import type { FullText } from "./full-text.ts";
import { type DocumentWrite, prepareDocumentWrites } from "./read.ts";
import {
  repeatedStart,
  shownHash,
  storedHash,
  type TextOfLines,
  toStoredHash,
  wholeText,
  withPredecessor,
} from "./stored-chunk.ts";
import { prepareSetChanges, prepareVectorWriting } from "./vectors-write.ts";

export type Writing = ReturnType<typeof prepareWriting>;

interface FileRow {
  id: number;
  version: string;
  chunk_count: number;
  revision: number;
}

/** The work that remains once a document has its row. */
interface Remaining extends Pick<Replacement<OldChunk>, "added" | "gone"> {
  readonly file: number;
  readonly document: DocumentHead;
  readonly words: readonly ChunkWords[] | undefined;
  /** How many chunks precede those with these tokens. */
  readonly keptCount: number;
}

/** A chunk that was just added, with the text as it is stored. */
interface AddedChunk extends TextOfLines {
  readonly key: number;
  readonly position: number;
}

/** Changes to documents. The caller has begun the transaction in which all of them become visible. */
export function prepareWriting(db: DatabaseSync, fullText: FullText | null, now: () => number) {
  const findFile = db.prepare(
    "SELECT id, version, chunk_count, revision FROM files WHERE path = ? AND source = ?",
  );
  const insertFile = db.prepare(
    `INSERT INTO files (path, source, hash, mtime, size, version, chunker, date, scope, chunk_count, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateFile = db.prepare(
    `UPDATE files SET hash = ?, mtime = ?, size = ?, version = ?, chunker = ?, date = ?, scope = ?, chunk_count = ?,
       revision = ? WHERE id = ?`,
  );
  const deleteFile = db.prepare("DELETE FROM files WHERE id = ?");
  const setVersion = db.prepare("UPDATE files SET version = ?, revision = ? WHERE id = ?");
  const chunksOf = `SELECT key, position, start_line, end_line, ${shownHash("hash")} AS hash, headings
    FROM chunk_rows WHERE file = ? ORDER BY position`;
  const oldChunks = db.prepare(chunksOf);
  const lastChunks = db.prepare(`${chunksOf} DESC`);
  const insertChunk = db.prepare(
    `INSERT INTO chunk_rows (file, position, start_line, end_line, updated_at, repeated, hash, headings, text)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ${storedHash("?7")}, ?8, ?9)`,
  );
  const moveChunk = db.prepare(
    "UPDATE chunk_rows SET position = ?, start_line = ?, end_line = ?, updated_at = ? WHERE key = ?",
  );
  const completeText = db.prepare(
    `UPDATE chunk_rows SET repeated = 0, text = (SELECT ${wholeText} FROM chunk_rows c ${withPredecessor} WHERE c.key = ?1)
     WHERE key = ?1 AND repeated > 0`,
  );
  const deleteChunk = db.prepare("DELETE FROM chunk_rows WHERE key = ?");
  const setMeta = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );

  const vectors = prepareVectorWriting(db, now);
  const sets = prepareSetChanges(db);
  const beginWrite = prepareDocumentWrites(db, now);

  /** A chunk that stays gets back the text that only its predecessor had. */
  const removeChunks = async (
    gone: readonly OldChunk[],
    slices: Slices,
    onChunk: (chunk: OldChunk) => void = () => {},
  ): Promise<void> => {
    const keys = new Set(gone.map(({ key }) => key));
    for (const chunk of gone.toSorted((a, b) => a.key - b.key)) {
      const { key } = chunk;
      onChunk(chunk);
      if (!keys.has(key + 1)) completeText.run(key + 1);
      fullText?.remove(key);
      vectors.removeChunk(key);
      deleteChunk.run(key);
      if (slices.isOver()) await slices.next();
    }
  };

  /** The old chunks that the document replaces, in order; null if the index has changed since the writer read it. */
  const findReplaced = (
    { path, source, part }: DocumentHead,
    write: DocumentWrite,
  ): { old: OldChunk[]; keptCount: number } | null => {
    const found = findFile.get(path, source) as FileRow | undefined;
    if (part?.follows === undefined) {
      if (!write.isAsSeen(found)) return null;
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

  const saveFile = (
    document: DocumentHead,
    chunkerId: string,
    { chunkCount, revision }: { chunkCount: number; revision: number },
  ): number => {
    const { path, source, version, sizeBytes, modifiedAt, date, scope } = document;
    const mtime = Number.isFinite(modifiedAt.getTime()) ? Math.trunc(modifiedAt.getTime()) : 0;
    const found = findFile.get(path, source) as FileRow | undefined;
    const rest = [
      toStoredHash(document.hash),
      mtime,
      sizeBytes,
      version,
      chunkerId,
      date ?? null,
      scope,
      chunkCount,
      revision,
    ] as const;
    if (found !== undefined) {
      updateFile.run(...rest, found.id);
      return found.id;
    }
    return Number(insertFile.run(path, source, ...rest).lastInsertRowid);
  };

  /** Updates the chunks that stay. Returns the remaining work, or null if the document is refused. */
  const reuse = (
    indexed: IndexedDocument,
    chunkerId: string,
    { write, at }: { write: DocumentWrite; at: number },
  ): Remaining | null => {
    const { document, chunks, words } = indexed;
    const replaced = findReplaced(document, write);
    if (replaced === null) return null;
    const { keptCount } = replaced;
    const { revision } = write;
    const file = saveFile(document, chunkerId, { chunkCount: keptCount + chunks.length, revision });
    const { moved, added, gone } = planReplacement(chunks, replaced.old, keptCount);
    for (const { key, position, chunk } of moved) {
      moveChunk.run(position, chunk.lines.start, chunk.lines.end, at, key);
    }
    return { file, document, words, keptCount, added, gone };
  };

  const add = (
    { file, document, words, keptCount }: Remaining,
    { position, chunk, headings }: Addition,
    { at, before }: { readonly at: number; readonly before: AddedChunk | null },
  ): AddedChunk => {
    const { lines } = chunk;
    const text = chunk.text.toWellFormed();
    const repeated = before?.position === position - 1 ? repeatedStart(before, { lines, text }) : "";
    const own = text.slice(repeated.length);
    const inserted = insertChunk.run(
      ...[file, position, lines.start, lines.end, at, Buffer.byteLength(repeated)],
      ...[chunk.hash, headings, own],
    );
    const key = Number(inserted.lastInsertRowid);
    const { path } = document;
    fullText?.insert(key, { text, headings: chunk.headings, path }, words?.[position - keptCount]);
    return { key, position, lines, text: own };
  };

  return {
    /**
     * All deletions first, in the order of keys, then all additions: FTS5 buffers writes in ascending order, and writes
     * out a segment each time the order is broken.
     */
    put: async (
      documents: readonly IndexedDocument[],
      chunkerId: string,
      { asOf, slices }: WriteOptions & { slices: Slices },
    ): Promise<DocumentName[]> => {
      const at = now();
      const write = beginWrite(asOf);
      const replacements: Remaining[] = [];
      const refused: DocumentName[] = [];
      for (const indexed of lastOfEach(documents)) {
        const remaining = reuse(indexed, chunkerId, { write, at });
        if (remaining !== null) replacements.push(remaining);
        else refused.push({ source: indexed.document.source, path: indexed.document.path });
        if (slices.isOver()) await slices.next();
      }
      if (replacements.length === 0) return refused;
      const change = vectors.startChange();
      const coming = new Set(replacements.flatMap(({ added }) => added.map(({ chunk }) => chunk.hash)));
      const gone = replacements.flatMap((replacement) => replacement.gone);
      await removeChunks(gone, slices, ({ key, hash }) => {
        if (coming.has(hash)) change.carry(key, hash);
      });
      for (const remaining of replacements) {
        let before: AddedChunk | null = null;
        for (const addition of remaining.added) {
          before = add(remaining, addition, { at, before });
          change.inherit(before.key, addition.chunk.hash);
          if (slices.isOver()) await slices.next();
        }
      }
      change.finish();
      write.finish({ hasRemoved: false });
      return refused;
    },
    touch: (
      source: SourceName,
      versions: ReadonlyMap<string, string>,
      { asOf }: WriteOptions = {},
    ): string[] => {
      const write = beginWrite(asOf);
      const refused: string[] = [];
      for (const [path, version] of versions) {
        const file = findFile.get(path, source) as FileRow | undefined;
        if (file !== undefined && write.isAsSeen(file)) setVersion.run(version, write.revision, file.id);
        else if (asOf !== undefined) refused.push(path);
      }
      if (refused.length < versions.size) write.finish({ hasRemoved: false });
      return refused;
    },
    remove: async (
      source: SourceName,
      paths: readonly string[],
      { asOf, slices }: WriteOptions & { slices: Slices },
    ): Promise<string[]> => {
      const write = beginWrite(asOf);
      const gone: OldChunk[] = [];
      const refused: string[] = [];
      let removed = 0;
      for (const path of paths) {
        const file = findFile.get(path, source) as FileRow | undefined;
        if (file === undefined) continue;
        if (!write.isAsSeen(file)) {
          refused.push(path);
          continue;
        }
        removed++;
        for (const chunk of oldChunks.all(file.id) as unknown as OldChunk[]) gone.push(chunk);
        deleteFile.run(file.id);
      }
      await removeChunks(gone, slices);
      if (removed > 0 || (asOf === undefined && paths.length > 0)) write.finish({ hasRemoved: true });
      return refused;
    },
    /** Makes every process read the documents again, and check what it was about to write. */
    renewDocumentState: (): void => beginWrite(undefined).finish({ hasRemoved: true }),
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

/** Adds to the usage of an embedder; an unknown cost makes the sum unknown. */
function prepareAddUsage(db: DatabaseSync, now: () => number) {
  const add = db.prepare(
    `INSERT INTO embedder_usage (embedder, requests, tokens, texts, cost_usd, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (embedder) DO UPDATE SET requests = requests + excluded.requests,
       tokens = tokens + excluded.tokens, texts = texts + excluded.texts,
       cost_usd = cost_usd + excluded.cost_usd, updated_at = excluded.updated_at`,
  );
  return (embedderId: string, { requests, tokens, texts, costUsd }: EmbedderUsage): void => {
    add.run(embedderId, requests, tokens, texts, costUsd, now());
  };
}
