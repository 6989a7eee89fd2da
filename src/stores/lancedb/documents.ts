import type { SourceName } from "../../text/document.ts";
import { readChunkRow } from "../chunk-row.ts";
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
  documentKey,
  type OldRow,
  oldRowColumns,
  planDocument,
} from "./document-rows.ts";
import type { LanceTable } from "./lance-package.ts";
import { type ChunkRow, chunkColumns } from "./schema.ts";
import type { Session } from "./session.ts";
import {
  deleteRowsWith,
  findRows,
  findRowsWith,
  inParts,
  isChunk,
  isDocument,
  isOneOf,
  quote,
} from "./sql.ts";

/** Hashes of texts that a change removed from documents. Other documents may still contain them. */
export type GoneTexts = readonly string[];

export interface PutOutcome {
  readonly gone: GoneTexts;
  readonly refused: readonly DocumentName[];
}

/** Above this many removed rows, documents are rewritten entirely instead of row by row. */
const maxGone = 500;

/**
 * One merge for all documents. If other processes may write meanwhile, documents are written entirely, so that the last
 * of two writers wins whatever the other one did.
 */
export async function putDocuments(
  { arrow, chunks, isExclusive }: Session,
  documents: readonly IndexedDocument[],
  options: ChangeOptions & { readonly write: DocumentWrite },
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
  const rows = changes.flatMap((change) => change.rows);
  // A merge scans the whole table for the keys, which is unnecessary if none of them can exist.
  if (isExclusive && old.size === 0) {
    await chunks.add(rows);
    return { gone: [], refused };
  }
  const gone = changes.flatMap((change) => change.gone);
  const upsert = chunks.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll();
  let merge = upsert;
  if (!isExclusive || gone.length > maxGone) {
    const kept = changes.flatMap((change) => change.kept.map(({ key }) => key));
    rows.push(...(await findRowsWith(chunks, ["key", kept], chunkColumns(arrow))));
    const docs = changes.map(({ doc }) => doc);
    merge = upsert.whenNotMatchedBySourceDelete({ where: isOneOf("doc", docs) });
  } else if (gone.length > 0) {
    const keys = gone.map(({ key }) => key);
    merge = upsert.whenNotMatchedBySourceDelete({ where: isOneOf("key", keys) });
  }
  const { version } = await merge.execute(rows);
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
  const rows = await findRowsWith(chunks, ["doc", docs], oldRowColumns);
  rows.sort((a, b) => a.position! - b.position!);
  return Map.groupBy(rows, ({ doc }) => doc);
}

export async function touchDocuments(
  { arrow, chunks }: Session,
  source: SourceName,
  versions: ReadonlyMap<string, string>,
  write: DocumentWrite,
): Promise<string[]> {
  const left = new Set(versions.keys());
  for (const paths of inParts([...versions.keys()])) {
    const keys = paths.map((path) => documentKey(source, path));
    const { revision } = write;
    const rows = (await findRowsWith(chunks, ["key", keys], chunkColumns(arrow)))
      .filter((row) => write.isAsSeen(row))
      .map((row) => ({ ...row, version: versions.get(row.path)!, revision }));
    if (rows.length === 0) continue;
    // Only rows that still exist: a document that was removed meanwhile must not come back without its chunks.
    const { version } = await chunks.mergeInsert("key").whenMatchedUpdateAll().execute(rows);
    if (write.isAlone(version)) for (const { path } of rows) left.delete(path);
  }
  return [...left];
}

export async function removeDocuments(
  { chunks }: Session,
  source: SourceName,
  paths: readonly string[],
  write: DocumentWrite,
): Promise<{ readonly gone: GoneTexts; readonly refused: readonly string[] }> {
  const docs = paths.map((path) => docOf(source, path));
  const found = await findRowsWith(chunks, ["doc", docs], ["doc", "path", "hash", "id", "revision"]);
  const refused = found.filter((row) => row.id === null && !write.isAsSeen(row));
  const kept = new Set(refused.map(({ doc }) => doc));
  const rows = found.filter(({ doc }) => !kept.has(doc));
  if (rows.length > 0 || !write.isConditional) await write.noteRemoval();
  await deleteRowsWith(chunks, "doc", [...new Set(rows.map(({ doc }) => doc))]);
  return {
    gone: [...new Set(rows.filter(({ id }) => id !== null).map(({ hash }) => hash))],
    refused: refused.map(({ path }) => path),
  };
}

export async function readVersions(
  chunks: LanceTable,
  source: SourceName,
  paths?: readonly string[],
): Promise<Map<string, IndexedVersion>> {
  const columns = ["path", "version", "hash", "chunker"] as const;
  const rows =
    paths === undefined
      ? await findRows(chunks, `${isDocument} AND source = ${quote(source)}`, columns)
      : await findRowsWith(chunks, ["key", paths.map((path) => documentKey(source, path))], columns);
  return new Map(
    rows.map(({ path, version, hash, chunker }) => [path, { version: version!, hash, chunker: chunker! }]),
  );
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
] as const;

/** In the order of the ids; missing ones are left out. */
export async function readChunks(chunks: LanceTable, ids: readonly number[]): Promise<StoredChunk[]> {
  const rows = await findRowsWith(chunks, ["id", ids.filter(Number.isSafeInteger)], storedColumns);
  const found = new Map(rows.map((row) => [row.id, toChunk(row)]));
  return ids.map((id) => found.get(id)).filter((chunk) => chunk !== undefined);
}

export async function readChunksOf(
  chunks: LanceTable,
  doc: string,
  fromLine: number | undefined,
): Promise<StoredChunk[]> {
  const from = fromLine === undefined ? "" : ` AND start_line >= ${Math.ceil(fromLine)}`;
  const rows = await findRows(chunks, `doc = ${quote(doc)} AND ${isChunk}${from}`, storedColumns);
  return rows.sort((a, b) => a.position! - b.position!).map(toChunk);
}

export async function listDocuments(chunks: LanceTable): Promise<DocumentSummary[]> {
  const rows = await findRows(chunks, isDocument, ["source", "path", "date", "chunk_count"]);
  return rows
    .map(({ source, path, date, chunk_count }) => ({
      source,
      path,
      chunks: chunk_count!,
      ...(date === null ? {} : { date }),
    }))
    .sort((a, b) =>
      Buffer.compare(Buffer.from(docOf(a.source, a.path)), Buffer.from(docOf(b.source, b.path))),
    );
}

export async function countDocuments(chunks: LanceTable): Promise<StoreStatistics["sources"]> {
  const rows = await findRows(chunks, isDocument, ["source", "chunk_count"]);
  return [...Map.groupBy(rows, ({ source }) => source)]
    .map(([source, files]) => ({
      source,
      files: files.length,
      chunks: files.reduce((sum, { chunk_count }) => sum + chunk_count!, 0),
    }))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

function toChunk(row: Pick<ChunkRow, (typeof storedColumns)[number]>): StoredChunk {
  const { id, start_line, end_line, headings, text } = row;
  if (id === null || text === null || start_line === null || end_line === null || headings === null) {
    throw new Error("a row of the table chunks lacks values");
  }
  return readChunkRow({ ...row, key: id, start_line, end_line, headings, text }, JSON.parse(headings));
}
