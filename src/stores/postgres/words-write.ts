import type { Tokens } from "../tokens.ts";
import type { Sql } from "./database.ts";
import { deleteRows, deleteSelected, withDeleted } from "./delete-rows.ts";
import {
  blockOf,
  blockSize,
  countTokens,
  encodePostings,
  entryBytes,
  packPosting,
  type TokenCounts,
  withoutKeys,
} from "./postings.ts";
import { base64Of, encodeBytes, encodeIntegers, encodeTexts, fromBase64 } from "./sql-values.ts";

export interface ChunkTokens {
  readonly key: number;
  readonly tokens: TokenCounts;
}

/**
 * Chunks whose tokens are added and removed in one transaction. New chunks have greater keys than all existing ones.
 */
export interface WordChange {
  readonly added: readonly ChunkTokens[];
  readonly gone: readonly ChunkTokens[];
}

/**
 * Updates the postings for added and removed chunks. The caller holds the lock of the agent, and has counted the chunks
 * in `fresh_words`.
 */
export async function changeWords(
  sql: Sql,
  agentId: number,
  { added, gone }: WordChange,
  freshCount: number,
): Promise<void> {
  await removeWords(sql, agentId, gone);
  if (added.length === 0) return;
  const isTooMuch = freshCount + added.length > maxFresh;
  await Promise.all([
    isTooMuch ? foldFresh(sql, agentId) : null,
    added.length > maxFresh ? appendPostings(sql, agentId, added) : insertFresh(sql, agentId, added),
  ]);
}

interface PostingRow {
  readonly token: string;
  readonly block: number;
}

const columnsOf = (rows: readonly PostingRow[]): [Buffer, Buffer] => [
  encodeTexts(rows.map(({ token }) => token)),
  encodeIntegers(rows.map(({ block }) => block)),
];

/** Rows per statement: while the server writes them, the next are prepared. */
const rowsAtOnce = 5000;

async function appendPostings(sql: Sql, agentId: number, added: readonly ChunkTokens[]): Promise<void> {
  const writing: Promise<unknown>[] = [];
  for (const [block, chunks] of Map.groupBy(added, ({ key }) => blockOf(key))) {
    const packed = new Map<string, number[]>();
    for (const { key, tokens } of chunks) {
      for (const [token, often] of tokens.counts) {
        const entry = packPosting(key, tokens.total, often);
        const known = packed.get(token);
        if (known === undefined) packed.set(token, [entry]);
        else known.push(entry);
      }
    }
    // In index order: neighbours share a page.
    const tokens = [...packed.keys()].sort();
    for (let at = 0; at < tokens.length; at += rowsAtOnce) {
      const group = tokens.slice(at, at + rowsAtOnce);
      const written = sql(
        `INSERT INTO longhand.postings AS p (agent_id, token, block, entries)
         SELECT $1, e.token, $2, e.entries FROM unnest($3::text[], $4::bytea[]) AS e (token, entries)
         ON CONFLICT (agent_id, token, block) DO UPDATE SET entries = p.entries || excluded.entries`,
        [
          agentId,
          block,
          encodeTexts(group),
          encodeBytes(group.map((token) => encodePostings(packed.get(token)!))),
        ],
      );
      writing.push(written);
    }
  }
  await Promise.all(writing);
}

export async function removeWords(sql: Sql, agentId: number, gone: readonly ChunkTokens[]): Promise<void> {
  if (gone.length === 0) return;
  const fresh = await removeFresh(
    sql,
    agentId,
    gone.map(({ key }) => key),
  );
  const rows = new Map<string, PostingRow & { keys: Set<number> }>();
  for (const { key, tokens } of gone) {
    if (fresh.has(key)) continue;
    for (const token of tokens.counts.keys()) {
      const block = blockOf(key);
      const name = `${block} ${token}`;
      const known = rows.get(name);
      if (known === undefined) rows.set(name, { token, block, keys: new Set([key]) });
      else known.keys.add(key);
    }
  }
  if (rows.size > 0) await rewritePostings(sql, agentId, rows);
}

async function rewritePostings(
  sql: Sql,
  agentId: number,
  rows: ReadonlyMap<string, PostingRow & { readonly keys: ReadonlySet<number> }>,
): Promise<void> {
  const before = await sql<PostingRow & { entries: string }>(
    `SELECT p.token, p.block, ${base64Of("p.entries")} AS entries
     FROM unnest($2::text[], $3::int4[]) AS e (token, block)
     JOIN longhand.postings p ON p.agent_id = $1 AND p.token = e.token AND p.block = e.block`,
    [agentId, ...columnsOf([...rows.values()])],
  );
  const after = before.map(({ token, block, entries }) => {
    const { keys } = rows.get(`${block} ${token}`)!;
    return { token, block, entries: withoutKeys(block, fromBase64(entries), keys) };
  });
  const [kept, empty] = [
    after.filter(({ entries }) => entries.length > 0),
    after.filter(({ entries }) => entries.length === 0),
  ];
  if (empty.length > 0) {
    await sql(
      deleteSelected(
        "postings",
        `SELECT p.ctid FROM unnest($2::text[], $3::int4[]) AS e (token, block)
         JOIN longhand.postings p ON p.agent_id = $1 AND p.token = e.token AND p.block = e.block`,
      ),
      [agentId, ...columnsOf(empty)],
    );
  }
  if (kept.length === 0) return;
  await sql(
    `UPDATE longhand.postings p SET entries = e.entries
     FROM unnest($2::text[], $3::int4[], $4::bytea[]) AS e (token, block, entries)
     WHERE p.agent_id = $1 AND p.token = e.token AND p.block = e.block`,
    [agentId, ...columnsOf(kept), encodeBytes(kept.map(({ entries }) => entries))],
  );
}

/** How many chunks `fresh_words` may hold, because each search reads all of them. */
const maxFresh = 64;

export async function countFresh(sql: Sql, agentId: number): Promise<number> {
  const [row] = await sql<{ count: number }>(
    "SELECT count(*)::int4 AS count FROM longhand.fresh_words WHERE agent_id = $1",
    [agentId],
  );
  return row?.count ?? 0;
}

async function insertFresh(sql: Sql, agentId: number, chunks: readonly ChunkTokens[]): Promise<void> {
  const rows = chunks.filter(({ tokens }) => tokens.counts.size > 0);
  if (rows.length === 0) return;
  const entries = rows.map(({ key, tokens }) =>
    encodePostings([...tokens.counts.values()].map((often) => packPosting(key, tokens.total, often))),
  );
  // A token contains no space.
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

/** Returns the keys that were found. */
async function removeFresh(sql: Sql, agentId: number, keys: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ key: number }>(
    `${withDeleted("fresh_words", "key", "agent_id = $1 AND key = ANY($2::int8[])")}
     SELECT key::float8 AS key FROM deleted CROSS JOIN gone`,
    [agentId, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** The posting of the token at a position of a row `f`. */
const entryAt = (place: string): string =>
  `substring(f.entries FROM (${entryBytes} * (${place} - 1) + 1)::int4 FOR ${entryBytes})`;

const blockOfKey = `(f.key / ${blockSize})::int4`;

/** Moves all of them to `postings`. */
async function foldFresh(sql: Sql, agentId: number): Promise<void> {
  await sql(
    `${withDeleted("fresh_words", "key, tokens, entries", "agent_id = $1")}
     INSERT INTO longhand.postings AS p (agent_id, token, block, entries)
     SELECT $1, t.token, ${blockOfKey}, string_agg(${entryAt("t.place")}, ''::bytea ORDER BY f.key)
     FROM deleted CROSS JOIN gone f CROSS JOIN LATERAL unnest(f.tokens) WITH ORDINALITY AS t (token, place) GROUP BY 2, 3 ORDER BY 2, 3
     ON CONFLICT (agent_id, token, block) DO UPDATE SET entries = p.entries || excluded.entries`,
    [agentId],
  );
}

/** Rows in the form of `postings`, for the tokens in the array `$2`. */
export const freshOfTokens = `SELECT q.token, ${blockOfKey} AS block, ${entryAt("array_position(f.tokens, q.token)")} AS entries
  FROM longhand.fresh_words f JOIN unnest($2::text[]) AS q (token) ON q.token = ANY(f.tokens) WHERE f.agent_id = $1`;

/** The same for the tokens from `$2` to `$3`. */
export const freshBetween = `SELECT t.token, ${blockOfKey} AS block, ${entryAt("t.place")} AS entries
  FROM longhand.fresh_words f CROSS JOIN LATERAL unnest(f.tokens) WITH ORDINALITY AS t (token, place)
  WHERE f.agent_id = $1 AND t.token >= $2 AND t.token <= $3`;

const chunksAtOnce = 2000;

/** Rebuilds the postings of all chunks of an agent, in the transaction of the caller, who holds its lock. */
export async function rebuildWords(sql: Sql, agentId: number, tokens: Tokens): Promise<void> {
  await sql(deleteRows("postings", "agent_id = $1"), [agentId]);
  await sql(deleteRows("fresh_words", "agent_id = $1"), [agentId]);
  for (let last = 0; ; ) {
    const rows = await sql<{ key: number; text: string; headings: string; path: string }>(
      `SELECT c.key::float8 AS key, c.text, c.headings, f.path
       FROM longhand.chunks c JOIN longhand.files f ON f.agent_id = c.agent_id AND f.id = c.file_id
       WHERE c.agent_id = $1 AND c.key > $2 ORDER BY c.key LIMIT ${chunksAtOnce}`,
      [agentId, last],
    );
    if (rows.length === 0) break;
    last = rows.at(-1)!.key;
    const added = rows.map(({ key, text, headings, path }) => ({
      key,
      tokens: countTokens(tokens({ text, headings: JSON.parse(headings), path })),
    }));
    await changeWords(sql, agentId, { added, gone: [] }, maxFresh);
    await sql(
      `UPDATE longhand.chunks c SET token_count = t.total, word_count = t.words
       FROM unnest($2::int8[], $3::int4[], $4::int4[]) AS t (key, total, words)
       WHERE c.agent_id = $1 AND c.key = t.key AND (c.token_count, c.word_count) <> (t.total, t.words)`,
      [
        agentId,
        added.map(({ key }) => key),
        encodeIntegers(added.map((each) => each.tokens.total)),
        encodeIntegers(added.map((each) => each.tokens.counts.size)),
      ],
    );
  }
  await recount(sql, agentId);
}

/** Recomputes the counts of an agent. */
async function recount(sql: Sql, agentId: number): Promise<void> {
  await sql(
    `UPDATE longhand.agents SET (chunk_count, token_count) =
       (SELECT count(*), coalesce(sum(token_count), 0) FROM longhand.chunks WHERE agent_id = $1)
     WHERE id = $1`,
    [agentId],
  );
}
