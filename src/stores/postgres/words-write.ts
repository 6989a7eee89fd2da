import { encodeBytes, encodeIntegers, encodeTexts } from "./binary-array.ts";
import type { Sql } from "./database.ts";
import { deleteSelected } from "./delete-rows.ts";
import { foldFresh, insertFresh, mostFresh, removeFresh } from "./fresh-words.ts";
import { blockOf, encodePostings, packPosting, withoutKeys } from "./postings.ts";
import { base64Of, fromBase64 } from "./sql-text.ts";
import type { TokenCounts } from "./tokens.ts";

export interface ChunkTokens {
  readonly key: number;
  readonly tokens: TokenCounts;
}

/** Chunks whose words come and go in one transaction. Those that come have greater keys than all that were there. */
export interface WordChange {
  readonly added: readonly ChunkTokens[];
  readonly gone: readonly ChunkTokens[];
}

/**
 * Brings the words in step with chunks that come and go. The caller holds the lock of the agent, and has counted the
 * chunks whose words are kept apart.
 */
export async function changeWords(
  sql: Sql,
  agentId: number,
  { added, gone }: WordChange,
  freshCount: number,
): Promise<void> {
  await removeWords(sql, agentId, gone);
  if (added.length === 0) return;
  const isTooMuch = freshCount + added.length > mostFresh;
  await Promise.all([
    isTooMuch ? foldFresh(sql, agentId) : null,
    added.length > mostFresh ? appendPostings(sql, agentId, added) : insertFresh(sql, agentId, added),
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

/** So many rows a statement: while the server writes them, the next are made. */
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
    // In the order of the index: neighbours lie on one page.
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
