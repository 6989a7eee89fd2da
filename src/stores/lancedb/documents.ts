import type { SourceName } from "../../text/document.ts";
import { lastOfEach } from "../plan-replacement.ts";
import type {
  DocumentName,
  DocumentSummary,
  IndexedDocument,
  IndexedVersion,
  StoredChunk,
  StoreStatistics,
} from "../store.ts";
import {
  type ChangeOptions,
  type DocumentChange,
  type DocumentWrite,
  docOf,
  type OldRow,
  oldRowColumns,
  planDocument,
} from "./document-rows.ts";
import type { LanceTable } from "./lance-package.ts";
import type { ChunkRow } from "./schema.ts";
import { inParts, isOneOf, quote } from "./sql.ts";

/** Hashes of texts that a change removed from documents. Other documents may still contain them. */
export type GoneTexts = readonly string[];

export interface PutOutcome {
  readonly gone: GoneTexts;
  readonly refused: readonly DocumentName[];
}

/** Above this many removed rows, documents are rewritten entirely instead of row by row. */
const maxGone = 500;

/**
 * One merge for all documents. With `isExclusive`, no other process writes meanwhile; otherwise documents are written
 * entirely, so that the last of two writers wins whatever the other one did.
 */
export async function putDocuments(
  chunks: LanceTable,
  documents: readonly IndexedDocument[],
  options: ChangeOptions & { readonly write: DocumentWrite; readonly isExclusive: boolean },
): Promise<PutOutcome> {
  const last = new Map(
    lastOfEach(documents).map((each) => [docOf(each.document.source, each.document.path), each]),
  );
  const old = await readOld(chunks, [...last.keys()]);
  const changes: DocumentChange[] = [];
  const refused: DocumentName[] = [];
  for (const [doc, each] of last) {
    const change = planDocument(each, old.get(doc) ?? [], options);
    if (change === null) refused.push(nameOf(each));
    else changes.push(change);
  }
  if (changes.length === 0) return { gone: [], refused };
  const gone = changes.flatMap((change) => change.gone);
  const isWhole = !options.isExclusive || gone.length > maxGone;
  const kept = isWhole
    ? await readKept(
        chunks,
        changes.flatMap((change) => change.kept),
      )
    : [];
  const rows = [...changes.flatMap((change) => change.rows), ...kept];
  const written = rows as unknown as Record<string, unknown>[];
  // A merge scans the whole table for the keys, which is unnecessary if none of them can exist.
  if (options.isExclusive && old.size === 0) {
    await chunks.add(written);
    return { gone: [], refused };
  }
  const leaving = isWhole
    ? isOneOf(
        "doc",
        changes.map(({ doc }) => doc),
      )
    : isOneOf(
        "key",
        gone.map(({ key }) => key),
      );
  const upsert = chunks.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll();
  const merge = isWhole || gone.length > 0 ? upsert.whenNotMatchedBySourceDelete({ where: leaving }) : upsert;
  const { version } = await merge.execute(written);
  // It may have replaced something newer. The writer checks again, and finds its own text or stores what it missed.
  const isSure = options.write.isAlone(version);
  return {
    gone: [...new Set(gone.map((row) => row.hash))],
    refused: isSure ? refused : [...last.values()].map(nameOf),
  };
}

function nameOf({ document: { source, path } }: IndexedDocument): DocumentName {
  return { source, path };
}

async function readOld(chunks: LanceTable, docs: readonly string[]): Promise<Map<string, OldRow[]>> {
  const rows: OldRow[] = [];
  for (const part of inParts(docs)) {
    const found = await chunks
      .query()
      .where(isOneOf("doc", part))
      .select([...oldRowColumns])
      .toArray();
    for (const row of found) rows.push(row.toJSON());
  }
  rows.sort((a, b) => a.position! - b.position!);
  return Map.groupBy(rows, ({ doc }) => doc);
}

async function readKept(chunks: LanceTable, kept: readonly OldRow[]): Promise<ChunkRow[]> {
  const rows: ChunkRow[] = [];
  for (const part of inParts(kept)) {
    const keys = part.map(({ key }) => key);
    for (const row of await chunks.query().where(isOneOf("key", keys)).toArray()) rows.push(row.toJSON());
  }
  return rows;
}

export async function touchDocuments(
  chunks: LanceTable,
  source: SourceName,
  versions: ReadonlyMap<string, string>,
  write: DocumentWrite,
): Promise<string[]> {
  const left = new Set(versions.keys());
  for (const paths of inParts([...versions.keys()])) {
    const keys = paths.map((path) => `d:${docOf(source, path)}`);
    const found = await chunks.query().where(isOneOf("key", keys)).toArray();
    const { revision } = write;
    const rows = found
      .filter((row) => write.isAsSeen(row))
      .map((row) => ({ ...row.toJSON(), version: versions.get(row.path), revision }));
    if (rows.length === 0) continue;
    // Only rows that still exist: a document that was removed meanwhile must not come back without its chunks.
    const { version } = await chunks.mergeInsert("key").whenMatchedUpdateAll().execute(rows);
    if (write.isAlone(version)) for (const { path } of rows) left.delete(path);
  }
  return [...left];
}

export async function removeDocuments(
  chunks: LanceTable,
  source: SourceName,
  paths: readonly string[],
  write: DocumentWrite,
): Promise<{ readonly gone: GoneTexts; readonly refused: readonly string[] }> {
  const gone = new Set<string>();
  const refused: string[] = [];
  let isNoted = !write.isConditional;
  if (isNoted) await write.noteRemoval();
  for (const part of inParts(paths)) {
    const docs = part.map((path) => docOf(source, path));
    const found = await chunks
      .query()
      .where(isOneOf("doc", docs))
      .select(["doc", "path", "hash", "id", "revision"])
      .toArray();
    const changed = found.filter(({ id, revision }) => id === null && !write.isAsSeen({ revision }));
    refused.push(...changed.map(({ path }) => path));
    const kept = new Set(changed.map(({ doc }) => doc));
    const rows = found.filter(({ doc }) => !kept.has(doc));
    if (rows.length === 0) continue;
    if (!isNoted) await write.noteRemoval();
    isNoted = true;
    for (const { hash, id } of rows) if (id !== null) gone.add(hash);
    await chunks.delete(isOneOf("doc", [...new Set(rows.map(({ doc }) => doc))]));
  }
  return { gone: [...gone], refused };
}

export async function readVersions(
  chunks: LanceTable,
  source: SourceName,
  paths?: readonly string[],
): Promise<Map<string, IndexedVersion>> {
  const named = paths && [...inParts(paths.map((path) => `d:${docOf(source, path)}`))];
  const conditions = named
    ? named.map((keys) => isOneOf("key", keys))
    : [`id IS NULL AND source = ${quote(source)}`];
  const versions = new Map<string, IndexedVersion>();
  for (const condition of conditions) {
    const rows = await chunks
      .query()
      .where(condition)
      .select(["path", "version", "hash", "chunker"])
      .toArray();
    for (const { path, version, hash, chunker } of rows) versions.set(path, { version, hash, chunker });
  }
  return versions;
}

const storedColumns = [
  "id",
  "path",
  "source",
  "position",
  "start_line",
  "end_line",
  "headings",
  "text",
  "date",
  "scope",
];

/** In the order of the ids; missing ones are left out. */
export async function readChunks(chunks: LanceTable, ids: readonly number[]): Promise<StoredChunk[]> {
  const found = new Map<number, StoredChunk>();
  for (const part of inParts(ids.filter(Number.isSafeInteger))) {
    const rows = await chunks.query().where(isOneOf("id", part)).select(storedColumns).toArray();
    for (const row of rows) found.set(row.id, toChunk(row.toJSON()));
  }
  return ids.map((id) => found.get(id)).filter((chunk) => chunk !== undefined);
}

export async function readChunksOf(
  chunks: LanceTable,
  doc: string,
  fromLine: number | undefined,
): Promise<StoredChunk[]> {
  const from = fromLine === undefined ? "" : ` AND start_line >= ${Math.ceil(fromLine)}`;
  const rows: ChunkRow[] = (
    await chunks
      .query()
      .where(`doc = ${quote(doc)} AND id IS NOT NULL${from}`)
      .select(storedColumns)
      .toArray()
  ).map((row) => row.toJSON());
  return rows.sort((a, b) => a.position! - b.position!).map(toChunk);
}

export async function listDocuments(chunks: LanceTable): Promise<DocumentSummary[]> {
  const rows = await chunks
    .query()
    .where("id IS NULL")
    .select(["source", "path", "date", "chunk_count"])
    .toArray();
  return rows
    .map(({ source, path, date, chunk_count }) => ({
      source: source as SourceName,
      path: path as string,
      chunks: chunk_count as number,
      ...(date === null ? {} : { date: date as string }),
    }))
    .sort((a, b) =>
      Buffer.compare(Buffer.from(docOf(a.source, a.path)), Buffer.from(docOf(b.source, b.path))),
    );
}

export async function countDocuments(chunks: LanceTable): Promise<StoreStatistics["sources"]> {
  const rows = await chunks.query().where("id IS NULL").select(["source", "chunk_count"]).toArray();
  const counts = new Map<SourceName, { files: number; chunks: number }>();
  for (const { source, chunk_count } of rows) {
    const count = counts.get(source) ?? { files: 0, chunks: 0 };
    counts.set(source, { files: count.files + 1, chunks: count.chunks + chunk_count });
  }
  return [...counts]
    .map(([source, count]) => ({ source, ...count }))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

function toChunk(row: ChunkRow): StoredChunk {
  const { id, path, source, start_line, end_line, headings, text, date, scope } = row;
  if (id === null || text === null || start_line === null || end_line === null || headings === null) {
    throw new Error("a row of the table chunks lacks values");
  }
  return {
    id,
    path,
    source: source as SourceName,
    lines: { start: start_line, end: end_line },
    headings: JSON.parse(headings),
    text,
    ...(date === null ? {} : { date }),
    scope: scope as StoredChunk["scope"],
  };
}
