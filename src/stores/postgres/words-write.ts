import type { Sql } from "./database.ts";
import { blockOf, encodePostings, type Posting, withoutKeys } from "./postings.ts";
import type { TokenCounts } from "./tokens.ts";

export interface ChunkTokens {
  readonly key: number;
  readonly tokens: TokenCounts;
}

/** Chunks whose words come and go in one transaction. */
export interface WordChange {
  readonly added: readonly ChunkTokens[];
  readonly gone: readonly ChunkTokens[];
}

/** What changes in one row of `postings`. */
interface RowChange {
  readonly token: string;
  readonly block: number;
  readonly added: Posting[];
  readonly gone: Set<number>;
}

/** Brings `words` and `postings` in step with chunks that come and go. The caller holds the lock of the agent. */
export async function changeWords(sql: Sql, agentId: number, change: WordChange): Promise<void> {
  const { rows, deltas } = gather(change);
  if (deltas.size === 0) return;
  const ids = await findWords(sql, agentId, deltas);
  await countWords(sql, ids, deltas);
  // In the order of the index: neighbours lie on one page.
  const numberOf = ({ token }: RowChange): number => Number(ids.get(token) ?? 0);
  const appended = rows.filter(({ gone }) => gone.size === 0).sort((a, b) => numberOf(a) - numberOf(b));
  await appendPostings(sql, agentId, ids, appended);
  await rewritePostings(
    sql,
    agentId,
    ids,
    rows.filter(({ gone }) => gone.size > 0),
  );
}

function gather({ added, gone }: WordChange): { rows: RowChange[]; deltas: Map<string, number> } {
  const rows = new Map<string, RowChange>();
  const deltas = new Map<string, number>();
  const rowOf = (token: string, key: number): RowChange => {
    const block = blockOf(key);
    const name = `${block} ${token}`;
    const known = rows.get(name);
    if (known !== undefined) return known;
    const row: RowChange = { token, block, added: [], gone: new Set() };
    rows.set(name, row);
    return row;
  };
  for (const { key, tokens } of gone) {
    for (const token of tokens.counts.keys()) {
      rowOf(token, key).gone.add(key);
      deltas.set(token, (deltas.get(token) ?? 0) - 1);
    }
  }
  for (const { key, tokens } of added) {
    for (const [token, { body, head }] of tokens.counts) {
      rowOf(token, key).added.push({ key, tokenCount: tokens.total, body, head });
      deltas.set(token, (deltas.get(token) ?? 0) + 1);
    }
  }
  return { rows: [...rows.values()], deltas };
}

/** The numbers of words; those that are not there yet get one. */
async function findWords(
  sql: Sql,
  agentId: number,
  deltas: ReadonlyMap<string, number>,
): Promise<Map<string, string>> {
  const tokens = [...deltas.keys()];
  const known = await sql<{ id: string; token: string }>(
    "SELECT id, token FROM longhand.words WHERE agent_id = $1 AND token = ANY($2::text[])",
    [agentId, tokens],
  );
  const ids = new Map(known.map(({ id, token }) => [token, id]));
  const missing = tokens.filter((token) => !ids.has(token) && deltas.get(token)! > 0);
  if (missing.length === 0) return ids;
  const made = await sql<{ id: string; token: string }>(
    `INSERT INTO longhand.words (agent_id, chunks, token) SELECT $1, 0, token FROM unnest($2::text[]) AS token
     RETURNING id, token`,
    [agentId, missing],
  );
  for (const { id, token } of made) ids.set(token, id);
  return ids;
}

/** A word that no chunk has any more goes, with whatever is left of its postings. */
async function countWords(
  sql: Sql,
  ids: ReadonlyMap<string, string>,
  deltas: ReadonlyMap<string, number>,
): Promise<void> {
  const changed = [...deltas].filter(([token, delta]) => delta !== 0 && ids.has(token));
  if (changed.length === 0) return;
  const unused = await sql<{ id: string }>(
    `WITH counted AS (
       UPDATE longhand.words w SET chunks = w.chunks + d.delta
       FROM unnest($1::int8[], $2::int4[]) AS d (id, delta) WHERE w.id = d.id RETURNING w.id, w.chunks)
     SELECT id FROM counted WHERE chunks <= 0`,
    [changed.map(([token]) => ids.get(token)), changed.map(([, delta]) => delta)],
  );
  if (unused.length === 0) return;
  const gone = unused.map(({ id }) => id);
  await sql("DELETE FROM longhand.words WHERE id = ANY($1::int8[])", [gone]);
  await sql("DELETE FROM longhand.postings WHERE word_id = ANY($1::int8[])", [gone]);
}

async function appendPostings(
  sql: Sql,
  agentId: number,
  ids: ReadonlyMap<string, string>,
  rows: readonly RowChange[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql(
    `INSERT INTO longhand.postings (word_id, block, agent_id, entries)
     SELECT word_id, block, $1, entries FROM unnest($2::int8[], $3::int4[], $4::bytea[]) AS e (word_id, block, entries)
     ON CONFLICT (word_id, block) DO UPDATE SET entries = postings.entries || excluded.entries`,
    [
      agentId,
      rows.map(({ token }) => ids.get(token)),
      rows.map(({ block }) => block),
      rows.map(({ added }) => encodePostings(added)),
    ],
  );
}

async function rewritePostings(
  sql: Sql,
  agentId: number,
  ids: ReadonlyMap<string, string>,
  rows: readonly RowChange[],
): Promise<void> {
  const known = rows.filter(({ token }) => ids.has(token));
  if (known.length === 0) return;
  const places = [known.map(({ token }) => ids.get(token)), known.map(({ block }) => block)];
  const before = await sql<{ word_id: string; block: number; entries: Buffer }>(
    `SELECT p.word_id, p.block, p.entries FROM unnest($2::int8[], $3::int4[]) AS e (word_id, block)
     JOIN longhand.postings p ON p.word_id = e.word_id AND p.block = e.block WHERE p.agent_id = $1`,
    [agentId, ...places],
  );
  const entriesOf = new Map(before.map((row) => [`${row.word_id} ${row.block}`, row.entries]));
  const after = known.map(({ token, block, added, gone }) => {
    const id = ids.get(token)!;
    const entries = entriesOf.get(`${id} ${block}`) ?? Buffer.alloc(0);
    return { id, block, entries: Buffer.concat([withoutKeys(block, entries, gone), encodePostings(added)]) };
  });
  const [kept, empty] = [
    after.filter(({ entries }) => entries.length > 0),
    after.filter(({ entries }) => entries.length === 0),
  ];
  if (empty.length > 0) {
    await sql(
      `DELETE FROM longhand.postings p USING unnest($1::int8[], $2::int4[]) AS e (word_id, block)
       WHERE p.word_id = e.word_id AND p.block = e.block`,
      [empty.map(({ id }) => id), empty.map(({ block }) => block)],
    );
  }
  if (kept.length === 0) return;
  await sql(
    `INSERT INTO longhand.postings (word_id, block, agent_id, entries)
     SELECT word_id, block, $1, entries FROM unnest($2::int8[], $3::int4[], $4::bytea[]) AS e (word_id, block, entries)
     ON CONFLICT (word_id, block) DO UPDATE SET entries = excluded.entries`,
    [agentId, kept.map(({ id }) => id), kept.map(({ block }) => block), kept.map(({ entries }) => entries)],
  );
}
