import type { Chunk, DocumentHead } from "../../text/document.ts";
import { type Addition, chunkId } from "../plan-replacement.ts";
import { encodeIntegers, encodeTexts } from "./binary-array.ts";
import type { Sql } from "./database.ts";
import { withDeleted } from "./delete-rows.ts";
import { countTokens, type TokenCounts } from "./tokens.ts";
import { removeVectors, type VectorSets } from "./vectors-follow.ts";
import type { ChunkTokens } from "./words-write.ts";
import { toWhole, type WritingParts } from "./writing-parts.ts";

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

/** Gives the words that they had, and how many of them had vectors. `paths` are those of files that are deleted already. */
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
