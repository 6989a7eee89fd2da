import type { Chunk, Document, SourceName } from "../../text/document.ts";
import { type Addition, chunkId, lastOfEach, type OldChunk, planReplacement } from "../plan-replacement.ts";
import type { IndexedDocument } from "../store.ts";
import { type AgentRow, advanceAgent } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { countTokens, type TokenCounts, type Tokens } from "./tokens.ts";
import { inheritVectors, removeVectors } from "./vectors-follow.ts";
import { type ChunkTokens, changeWords } from "./words-write.ts";

export interface WritingParts {
  readonly sql: Sql;
  /** Locked by the caller. */
  readonly agent: AgentRow;
  readonly tokens: Tokens;
  readonly at: number;
}

interface FileRow {
  readonly id: string;
  readonly source: SourceName;
  readonly path: string;
  readonly version: string;
  readonly chunk_count: number;
}

interface OldRow extends OldChunk {
  readonly file_id: string;
}

/** A document with the chunks that it replaces; those before are left alone. */
interface Replaced extends IndexedDocument {
  readonly old: readonly OldRow[];
  readonly keptCount: number;
}

interface NewChunk extends Addition {
  readonly document: Document;
  readonly file: string;
  readonly key: number;
  readonly text: string;
  readonly tokens: TokenCounts;
}

const nameOf = ({ source, path }: { source: string; path: string }): string => JSON.stringify([source, path]);

/**
 * Replaces documents, all in the transaction of the caller and each table in one statement or two. Gives by how many
 * chunks the index has grown.
 */
export async function putDocuments(
  parts: WritingParts,
  documents: readonly IndexedDocument[],
  chunkerId: string,
): Promise<number> {
  const { sql, agent, tokens, at } = parts;
  const replaced = await findReplaced(parts, lastOfEach(documents));
  const files = await saveFiles(parts, replaced, chunkerId);
  const plans = replaced.map((each) => ({
    ...each,
    ...planReplacement(each.chunks, each.old, each.keptCount),
  }));
  await moveChunks(
    parts,
    plans.flatMap(({ document, moved }) => moved.map((each) => ({ ...each, document }))),
  );
  let nextKey = agent.nextKey;
  const added = plans.flatMap(({ document, added }) =>
    added.map((addition): NewChunk => {
      const text = addition.chunk.text.toWellFormed();
      const { headings } = addition.chunk;
      return {
        ...addition,
        document,
        file: files.get(nameOf(document))!,
        key: nextKey++,
        text,
        tokens: countTokens(tokens({ text, headings, path: document.path })),
      };
    }),
  );
  await insertChunks(sql, agent.id, added, at);
  // Before the old ones go: a text that only moves takes its vectors along.
  await inheritVectors(sql, agent, added.length);
  const gone = await removeChunks(
    parts,
    plans.flatMap((plan) => plan.gone.map(({ key }) => key)),
  );
  await changeWords(sql, agent.id, { added, gone: gone.chunks });
  const growth = added.length - gone.chunks.length;
  await advanceAgent(sql, agent.id, {
    keys: added.length,
    gone: gone.vectors,
    chunks: growth,
    tokens: countAll(added) - countAll(gone.chunks),
    content: true,
  });
  return growth;
}

export async function touchDocuments(
  { sql, agent }: WritingParts,
  source: SourceName,
  versions: ReadonlyMap<string, string>,
): Promise<void> {
  if (versions.size === 0) return;
  await sql(
    `UPDATE longhand.files f SET version = v.version FROM unnest($3::text[], $4::text[]) AS v (path, version)
     WHERE f.agent_id = $1 AND f.source = $2 AND f.path = v.path`,
    [agent.id, source, [...versions.keys()], [...versions.values()]],
  );
  await advanceAgent(sql, agent.id, { content: true });
}

export async function removeDocuments(
  parts: WritingParts,
  source: SourceName,
  paths: readonly string[],
): Promise<void> {
  const { sql, agent } = parts;
  const files = await sql<{ id: string; path: string }>(
    "DELETE FROM longhand.files WHERE agent_id = $1 AND source = $2 AND path = ANY($3::text[]) RETURNING id, path",
    [agent.id, source, paths],
  );
  if (files.length === 0) return;
  const rows = await sql<{ key: number }>(
    "SELECT key::float8 AS key FROM longhand.chunks WHERE agent_id = $1 AND file_id = ANY($2::int8[])",
    [agent.id, files.map(({ id }) => id)],
  );
  const gone = await removeChunks(
    parts,
    rows.map(({ key }) => key),
    new Map(files.map(({ id, path }) => [id, path])),
  );
  await changeWords(sql, agent.id, { added: [], gone: gone.chunks });
  await advanceAgent(sql, agent.id, {
    gone: gone.vectors,
    chunks: -gone.chunks.length,
    tokens: -countAll(gone.chunks),
    content: true,
  });
}

/** What each document replaces. One that follows a version which is not there is left out. */
async function findReplaced(
  { sql, agent }: WritingParts,
  documents: readonly IndexedDocument[],
): Promise<Replaced[]> {
  const files = await sql<FileRow>(
    `SELECT f.id, f.source, f.path, f.version, f.chunk_count
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
    if (follows !== undefined && file?.version !== follows.version) return [];
    return [{ ...each, file, openLine: follows?.openLine ?? 0 }];
  });
  const open = wanted.filter(({ file }) => file !== undefined);
  const old = await sql<OldRow>(
    `SELECT c.file_id, c.key::float8 AS key, c.position, c.start_line, c.end_line, c.hash, c.headings
     FROM unnest($2::int8[], $3::int4[]) AS d (file_id, open_line)
     JOIN longhand.chunks c ON c.file_id = d.file_id AND c.start_line >= d.open_line
     WHERE c.agent_id = $1 ORDER BY c.file_id, c.position`,
    [agent.id, open.map(({ file }) => file!.id), open.map(({ openLine }) => openLine)],
  );
  const byFile = Map.groupBy(old, ({ file_id }) => file_id);
  return wanted.map(({ document, chunks, file, openLine }) => {
    const rows = (file && byFile.get(file.id)) ?? [];
    return { document, chunks, old: rows, keptCount: openLine === 0 ? 0 : file!.chunk_count - rows.length };
  });
}

/** Gives the number of each document by its name. */
async function saveFiles(
  { sql, agent }: WritingParts,
  replaced: readonly Replaced[],
  chunkerId: string,
): Promise<Map<string, string>> {
  if (replaced.length === 0) return new Map();
  const rows = await sql<{ id: string; source: string; path: string }>(
    `INSERT INTO longhand.files
       (agent_id, chunker, source, path, hash, mtime, size, version, date, scope, chunk_count)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::int8[], $7::int8[], $8::text[], $9::text[],
       $10::text[], $11::int4[])
     ON CONFLICT (agent_id, source, path) DO UPDATE SET chunker = excluded.chunker, hash = excluded.hash,
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
    ],
  );
  return new Map(rows.map((row) => [nameOf(row), row.id]));
}

async function moveChunks(
  { sql, agent, at }: WritingParts,
  moved: readonly { key: number; position: number; chunk: Chunk; document: Document }[],
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

async function insertChunks(
  sql: Sql,
  agentId: number,
  added: readonly NewChunk[],
  at: number,
): Promise<void> {
  if (added.length === 0) return;
  await sql(
    `INSERT INTO longhand.chunks
       (agent_id, updated_at, key, file_id, position, start_line, end_line, token_count, id, hash, headings, text)
     SELECT $1, $2, * FROM unnest($3::int8[], $4::int8[], $5::int4[], $6::int4[], $7::int4[], $8::int4[], $9::text[],
       $10::text[], $11::text[], $12::text[])`,
    [
      agentId,
      toWhole(at),
      added.map(({ key }) => key),
      added.map(({ file }) => file),
      added.map(({ position }) => position),
      added.map(({ chunk }) => chunk.lines.start),
      added.map(({ chunk }) => chunk.lines.end),
      added.map(({ tokens }) => tokens.total),
      added.map(({ document, chunk }) => chunkId(document, chunk)),
      added.map(({ chunk }) => chunk.hash),
      added.map(({ headings }) => headings),
      added.map(({ text }) => text),
    ],
  );
}

/** Gives the words that they had, and how many of them had vectors. `paths` are those of files that are deleted already. */
async function removeChunks(
  { sql, agent, tokens }: WritingParts,
  keys: readonly number[],
  paths: ReadonlyMap<string, string> = new Map(),
): Promise<{ chunks: ChunkTokens[]; vectors: number }> {
  if (keys.length === 0) return { chunks: [], vectors: 0 };
  const rows = await sql<{
    key: number;
    file_id: string;
    headings: string;
    text: string;
    path: string | null;
  }>(
    `WITH gone AS (
       DELETE FROM longhand.chunks WHERE agent_id = $1 AND key = ANY($2::int8[])
       RETURNING key, file_id, headings, text)
     SELECT g.key::float8 AS key, g.file_id, g.headings, g.text, f.path
     FROM gone g LEFT JOIN longhand.files f ON f.id = g.file_id`,
    [agent.id, keys],
  );
  const vectors = await removeVectors(sql, agent, keys);
  const chunks = rows.map(({ key, file_id, headings, text, path }) => ({
    key,
    tokens: countTokens(
      tokens({ text, headings: JSON.parse(headings), path: path ?? paths.get(file_id) ?? "" }),
    ),
  }));
  return { chunks, vectors };
}

function countAll(chunks: readonly { readonly tokens: TokenCounts }[]): number {
  return chunks.reduce((sum, { tokens }) => sum + tokens.total, 0);
}

function toWhole(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}
