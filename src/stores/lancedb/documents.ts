import type { SourceName } from "../../text/document.ts";
import { lastOfEach } from "../plan-replacement.ts";
import type {
  DocumentSummary,
  IndexedDocument,
  IndexedVersion,
  StoredChunk,
  StoreStatistics,
} from "../store.ts";
import { type ChangeOptions, docOf, type OldRow, oldRowColumns, planDocument } from "./document-rows.ts";
import type { LanceTable } from "./lance-package.ts";
import type { ChunkRow } from "./schema.ts";
import { inParts, isOneOf, quote } from "./sql.ts";

/** Texts that a change took out of documents, by hash. Other documents may hold them still. */
export type GoneTexts = readonly string[];

/** More rows than these are not listed one by one: the documents are written whole. */
const mostGone = 500;

/**
 * One merge for all documents. `isExclusive` says that nobody else writes meanwhile; otherwise documents are written
 * whole, so that the last of two writers is right whatever the other one did.
 */
export async function putDocuments(
  chunks: LanceTable,
  documents: readonly IndexedDocument[],
  options: ChangeOptions & { readonly isExclusive: boolean },
): Promise<GoneTexts> {
  const last = new Map(
    lastOfEach(documents).map((each) => [docOf(each.document.source, each.document.path), each]),
  );
  const old = await readOld(chunks, [...last.keys()]);
  const changes = [...last]
    .map(([doc, each]) => planDocument(each, old.get(doc) ?? [], options))
    .filter((change) => change !== null);
  if (changes.length === 0) return [];
  const gone = changes.flatMap((change) => change.gone);
  const isWhole = !options.isExclusive || gone.length > mostGone;
  const kept = isWhole
    ? await readKept(
        chunks,
        changes.flatMap((change) => change.kept),
      )
    : [];
  const rows = [...changes.flatMap((change) => change.rows), ...kept];
  const written = rows as unknown as Record<string, unknown>[];
  // A merge looks through the whole table for the keys, which is not needed where none of them can be there.
  if (options.isExclusive && old.size === 0) {
    await chunks.add(written);
    return [];
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
  await merge.execute(written);
  return [...new Set(gone.map((row) => row.hash))];
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
): Promise<void> {
  for (const paths of inParts([...versions.keys()])) {
    const keys = paths.map((path) => `d:${docOf(source, path)}`);
    const found = await chunks.query().where(isOneOf("key", keys)).toArray();
    if (found.length === 0) continue;
    const rows = found.map((row) => ({ ...row.toJSON(), version: versions.get(row.path) }));
    // Only what is there still: a document that was removed meanwhile must not come back without its chunks.
    await chunks.mergeInsert("key").whenMatchedUpdateAll().execute(rows);
  }
}

export async function removeDocuments(
  chunks: LanceTable,
  source: SourceName,
  paths: readonly string[],
): Promise<GoneTexts> {
  const gone = new Set<string>();
  for (const part of inParts(paths)) {
    const condition = isOneOf(
      "doc",
      part.map((path) => docOf(source, path)),
    );
    const rows = await chunks.query().where(condition).select(["hash", "id"]).toArray();
    if (rows.length === 0) continue;
    for (const { hash, id } of rows) if (id !== null) gone.add(hash);
    await chunks.delete(condition);
  }
  return [...gone];
}

export async function readVersions(
  chunks: LanceTable,
  source: SourceName,
): Promise<Map<string, IndexedVersion>> {
  const rows = await chunks
    .query()
    .where(`id IS NULL AND source = ${quote(source)}`)
    .select(["path", "version", "hash", "chunker"])
    .toArray();
  return new Map(rows.map(({ path, version, hash, chunker }) => [path, { version, hash, chunker }]));
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

/** In the order of the ids; one that is gone by now is left out. */
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
