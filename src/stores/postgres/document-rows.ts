import type { Chunk, DocumentHead, SourceName } from "../../text/document.ts";
import { type Addition, chunkId, type OldChunk } from "../plan-replacement.ts";
import type { DocumentState, IndexedDocument } from "../store.ts";
import { isAsSeen, nextRevision, toWhole, type WritingParts } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { withDeleted } from "./delete-rows.ts";
import { countTokens, type TokenCounts } from "./postings.ts";
import { encodeIntegers, encodeTexts } from "./sql-values.ts";
import { removeVectors, type VectorSets } from "./vectors-write.ts";
import type { ChunkTokens } from "./words-write.ts";

export interface NewChunk extends Addition {
  readonly document: DocumentHead;
  readonly file: string;
  readonly key: number;
  readonly text: string;
  readonly tokens: TokenCounts;
}

export async function moveChunks(
  { sql, agent, at }: WritingParts,
  moved: readonly { key: number; position: number; chunk: Chunk; document: DocumentHead }[],
): Promise<void> {
  if (moved.length === 0) return;
  await sql(
    `UPDATE longhand.chunks c SET position = m.position, start_line = m.start_line, end_line = m.end_line, id = m.id,
       updated_at = $2
     FROM unnest($3::int8[], $4::int4[], $5::int4[], $6::int4[], $7::text[])
       AS m (key, position, start_line, end_line, id)
     WHERE c.agent_id = $1 AND c.key = m.key`,
    [
      agent.id,
      toWhole(at),
      moved.map(({ key }) => key),
      moved.map(({ position }) => position),
      moved.map(({ chunk }) => chunk.lines.start),
      moved.map(({ chunk }) => chunk.lines.end),
      moved.map(({ document, chunk }) => chunkId(document, chunk)),
    ],
  );
}

export async function insertChunks(
  sql: Sql,
  agentId: number,
  added: readonly NewChunk[],
  at: number,
): Promise<void> {
  if (added.length === 0) return;
  await sql(
    `INSERT INTO longhand.chunks
       (agent_id, updated_at, key, file_id, position, start_line, end_line, token_count, word_count, id, hash,
        headings, text)
     SELECT $1, $2, * FROM unnest($3::int8[], $4::int8[], $5::int4[], $6::int4[], $7::int4[], $8::int4[], $9::int4[],
       $10::text[], $11::text[], $12::text[], $13::text[])`,
    [
      agentId,
      toWhole(at),
      added.map(({ key }) => key),
      added.map(({ file }) => file),
      added.map(({ position }) => position),
      added.map(({ chunk }) => chunk.lines.start),
      added.map(({ chunk }) => chunk.lines.end),
      encodeIntegers(added.map(({ tokens }) => tokens.total)),
      encodeIntegers(added.map(({ tokens }) => tokens.counts.size)),
      encodeTexts(added.map(({ document, chunk }) => chunkId(document, chunk))),
      encodeTexts(added.map(({ chunk }) => chunk.hash)),
      encodeTexts(added.map(({ headings }) => headings)),
      encodeTexts(added.map(({ text }) => text)),
    ],
  );
}

/** Returns the tokens they had, and how many of them had vectors. The files of `paths` are deleted already. */
export async function removeChunks(
  { sql, agent, tokens }: WritingParts,
  sets: VectorSets,
  keys: readonly number[],
  paths: ReadonlyMap<string, string> = new Map(),
): Promise<{ chunks: ChunkTokens[]; vectors: number }> {
  if (keys.length === 0) return { chunks: [], vectors: 0 };
  const [rows, vectors] = await Promise.all([
    sql<{ key: number; file_id: string; headings: string; text: string; path: string | null }>(
      `${withDeleted("chunks", "key, file_id, headings, text", "agent_id = $1 AND key = ANY($2::int8[])")}
       SELECT g.key::float8 AS key, g.file_id, g.headings, g.text, f.path
       FROM deleted CROSS JOIN gone g LEFT JOIN longhand.files f ON f.agent_id = $1 AND f.id = g.file_id`,
      [agent.id, keys],
    ),
    removeVectors(sql, agent, sets, keys),
  ]);
  const chunks = rows.map(({ key, file_id, headings, text, path }) => ({
    key,
    tokens: countTokens(
      tokens({ text, headings: JSON.parse(headings), path: path ?? paths.get(file_id) ?? "" }),
    ),
  }));
  return { chunks, vectors };
}

interface FileRow {
  readonly id: string;
  readonly source: SourceName;
  readonly path: string;
  readonly version: string;
  readonly chunk_count: number;
  readonly revision: number;
}

interface OldRow extends OldChunk {
  readonly file_id: string;
}

/** A document with the chunks that it replaces; earlier ones stay as they are. */
interface Replaced extends IndexedDocument {
  readonly old: readonly OldRow[];
  readonly keptCount: number;
  readonly isNew: boolean;
}

export const nameOf = ({ source, path }: { source: string; path: string }): string =>
  JSON.stringify([source, path]);

/** What each document replaces. One that has changed since `asOf` is left out. */
export async function findReplaced(
  { sql, agent }: WritingParts,
  documents: readonly IndexedDocument[],
  asOf: DocumentState | undefined,
): Promise<Replaced[]> {
  const files = await sql<FileRow>(
    `SELECT f.id, f.source, f.path, f.version, f.chunk_count, f.revision::float8 AS revision
     FROM unnest($2::text[], $3::text[]) AS d (source, path)
     JOIN longhand.files f ON f.agent_id = $1 AND f.source = d.source AND f.path = d.path`,
    [
      agent.id,
      documents.map(({ document }) => document.source),
      documents.map(({ document }) => document.path),
    ],
  );
  const known = new Map(files.map((file) => [nameOf(file), file]));
  const wanted = documents.flatMap((each) => {
    const file = known.get(nameOf(each.document));
    const follows = each.document.part?.follows;
    const isSeen = follows ? file?.version === follows.version : isAsSeen(agent, file, asOf);
    if (!isSeen) return [];
    return [{ ...each, file, openLine: follows?.openLine ?? 0 }];
  });
  const open = wanted.filter(({ file }) => file !== undefined);
  const old =
    open.length === 0
      ? []
      : await sql<OldRow>(
          `SELECT c.file_id, c.key::float8 AS key, c.position, c.start_line, c.end_line, c.hash, c.headings
     FROM unnest($2::int8[], $3::int4[]) AS d (file_id, open_line)
     JOIN longhand.chunks c ON c.file_id = d.file_id AND c.start_line >= d.open_line
     WHERE c.agent_id = $1 ORDER BY c.file_id, c.position`,
          [agent.id, open.map(({ file }) => file!.id), open.map(({ openLine }) => openLine)],
        );
  const byFile = Map.groupBy(old, ({ file_id }) => file_id);
  return wanted.map(({ document, chunks, file, openLine }) => {
    const rows = (file && byFile.get(file.id)) ?? [];
    const keptCount = openLine === 0 ? 0 : file!.chunk_count - rows.length;
    return { document, chunks, old: rows, keptCount, isNew: file === undefined };
  });
}

/** Returns the id of each document by its name. */
export async function saveFiles(
  { sql, agent }: WritingParts,
  replaced: readonly Replaced[],
  chunkerId: string,
): Promise<Map<string, string>> {
  if (replaced.length === 0) return new Map();
  const rows = await sql<{ id: string; source: string; path: string }>(
    `INSERT INTO longhand.files
       (agent_id, chunker, revision, source, path, hash, mtime, size, version, date, scope, chunk_count)
     SELECT $1, $2, $12::int8, * FROM unnest($3::text[], $4::text[], $5::text[], $6::int8[], $7::int8[], $8::text[], $9::text[],
       $10::text[], $11::int4[])
     ON CONFLICT (agent_id, source, path) DO UPDATE SET chunker = excluded.chunker, revision = excluded.revision, hash = excluded.hash,
       mtime = excluded.mtime, size = excluded.size, version = excluded.version, date = excluded.date,
       scope = excluded.scope, chunk_count = excluded.chunk_count
     RETURNING id, source, path`,
    [
      agent.id,
      chunkerId,
      replaced.map(({ document }) => document.source),
      replaced.map(({ document }) => document.path),
      replaced.map(({ document }) => document.hash),
      replaced.map(({ document }) => toWhole(document.modifiedAt.getTime())),
      replaced.map(({ document }) => toWhole(document.sizeBytes)),
      replaced.map(({ document }) => document.version),
      replaced.map(({ document }) => document.date ?? null),
      replaced.map(({ document }) => document.scope),
      replaced.map(({ chunks, keptCount }) => keptCount + chunks.length),
      nextRevision(agent),
    ],
  );
  return new Map(rows.map((row) => [nameOf(row), row.id]));
}
