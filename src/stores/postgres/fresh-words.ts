import { encodeBytes, encodeTexts } from "./binary-array.ts";
import type { Sql } from "./database.ts";
import { withDeleted } from "./delete-rows.ts";
import { blockSize, encodePostings, entryBytes, packPosting } from "./postings.ts";
import type { ChunkTokens } from "./words-write.ts";

/** So many chunks are kept apart at most: each search looks through all of them. */
export const mostFresh = 64;

export async function countFresh(sql: Sql, agentId: number): Promise<number> {
  const [row] = await sql<{ count: number }>(
    "SELECT count(*)::int4 AS count FROM longhand.fresh_words WHERE agent_id = $1",
    [agentId],
  );
  return row?.count ?? 0;
}

export async function insertFresh(sql: Sql, agentId: number, chunks: readonly ChunkTokens[]): Promise<void> {
  const rows = chunks.filter(({ tokens }) => tokens.counts.size > 0);
  if (rows.length === 0) return;
  const entries = rows.map(({ key, tokens }) =>
    encodePostings([...tokens.counts.values()].map((often) => packPosting(key, tokens.total, often))),
  );
  // A token holds no blank.
  await sql(
    `INSERT INTO longhand.fresh_words (agent_id, key, tokens, entries)
     SELECT $1, n.key, string_to_array(n.tokens, ' '), n.entries
     FROM unnest($2::int8[], $3::text[], $4::bytea[]) AS n (key, tokens, entries)`,
    [
      agentId,
      rows.map(({ key }) => key),
      encodeTexts(rows.map(({ tokens }) => [...tokens.counts.keys()].join(" "))),
      encodeBytes(entries),
    ],
  );
}

/** Gives the keys of those that were here. */
export async function removeFresh(sql: Sql, agentId: number, keys: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ key: number }>(
    `${withDeleted("fresh_words", "key", "agent_id = $1 AND key = ANY($2::int8[])")}
     SELECT key::float8 AS key FROM deleted CROSS JOIN gone`,
    [agentId, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** The entry of the token at a place of a row `f`. */
const entryAt = (place: string): string =>
  `substring(f.entries FROM (${entryBytes} * (${place} - 1) + 1)::int4 FOR ${entryBytes})`;

const blockOfKey = `(f.key / ${blockSize})::int4`;

/** Moves all of them to `postings`. */
export async function foldFresh(sql: Sql, agentId: number): Promise<void> {
  await sql(
    `${withDeleted("fresh_words", "key, tokens, entries", "agent_id = $1")}
     INSERT INTO longhand.postings AS p (agent_id, token, block, entries)
     SELECT $1, t.token, ${blockOfKey}, string_agg(${entryAt("t.place")}, ''::bytea ORDER BY f.key)
     FROM deleted CROSS JOIN gone f CROSS JOIN LATERAL unnest(f.tokens) WITH ORDINALITY AS t (token, place) GROUP BY 2, 3 ORDER BY 2, 3
     ON CONFLICT (agent_id, token, block) DO UPDATE SET entries = p.entries || excluded.entries`,
    [agentId],
  );
}

/** Rows as those of `postings`, of the tokens in the array `$2`. */
export const freshOfTokens = `SELECT q.token, ${blockOfKey} AS block, ${entryAt("array_position(f.tokens, q.token)")} AS entries
  FROM longhand.fresh_words f JOIN unnest($2::text[]) AS q (token) ON q.token = ANY(f.tokens) WHERE f.agent_id = $1`;

/** The same of the tokens from `$2` to `$3`. */
export const freshBetween = `SELECT t.token, ${blockOfKey} AS block, ${entryAt("t.place")} AS entries
  FROM longhand.fresh_words f CROSS JOIN LATERAL unnest(f.tokens) WITH ORDINALITY AS t (token, place)
  WHERE f.agent_id = $1 AND t.token >= $2 AND t.token <= $3`;
