import { LonghandError } from "../../errors.ts";
import type { DocumentState } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { lockRows, type Sql } from "./database.ts";

/**
 * The row of an agent, which its writers lock. Its 64-bit numbers never exceed what a JavaScript number holds exactly.
 */
export interface AgentRow {
  readonly id: number;
  readonly nextKey: number;
  readonly goneCount: number;
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly revision: number;
  readonly contentRevision: number;
  /** The content revision of the last write that removed documents. */
  readonly removedRevision: number;
}

const columns = `id, next_key::float8 AS "nextKey", gone_count::float8 AS "goneCount",
  chunk_count::float8 AS "chunkCount", token_count::float8 AS "tokenCount", revision::float8 AS revision,
  content_revision::float8 AS "contentRevision", removed_revision::float8 AS "removedRevision"`;

/** Checked even where row-level security does not apply. */
const isOwn = "id = $1 AND id = (SELECT longhand.current_agent())";

/** The id of the current agent; null if it has no row yet. */
export async function findAgent(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ id: number | null }>("SELECT longhand.current_agent() AS id");
  return row?.id ?? null;
}

/** Creates the row of a new agent, and returns its id. */
export async function claimAgent(sql: Sql, name: string): Promise<number> {
  const known = await findAgent(sql);
  if (known !== null) return known;
  const [role] = await sql<{ role: string; makes: boolean }>(
    "SELECT session_user AS role, has_table_privilege('longhand.agents', 'INSERT') AS makes",
  );
  if (role?.makes) await sql("INSERT INTO longhand.agents (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
  const made = await findAgent(sql);
  if (made === null) throw refuseAgent(name, role?.role ?? "this role");
  return made;
}

function refuseAgent(name: string, role: string): LonghandError {
  return new LonghandError(
    "store-refused",
    `The database does not let the role ${role} act as the agent ${name}: there is no such agent, or it is bound to another role.`,
    {
      hint: `The owner of the tables can add the agent for this role: SELECT longhand.add_agent('${name}', '${role}'). See docs/scaling.md.`,
    },
  );
}

export async function readAgent(sql: Sql, id: number): Promise<AgentRow> {
  const [row] = await sql<AgentRow>(`SELECT ${columns} FROM longhand.agents WHERE ${isOwn}`, [id]);
  if (row === undefined) throw hidden(`the agent number ${id}`);
  return row;
}

/** For compare-and-set: whether a row of `files`, or its absence, is as the writer saw it. */
export function isAsSeen(
  { removedRevision }: AgentRow,
  row: { readonly revision: number } | undefined,
  asOf: DocumentState | undefined,
): boolean {
  return asOf === undefined || (row?.revision ?? removedRevision) <= Number(asOf);
}

/** The revision of the documents in the current write. */
export function nextRevision({ contentRevision }: AgentRow): number {
  return contentRevision + 1;
}

/** Waits for other writers of this agent. */
export async function lockAgent(sql: Sql, id: number): Promise<AgentRow> {
  const locking = `SELECT ${columns} FROM longhand.agents WHERE ${isOwn} FOR UPDATE`;
  const [row] = await lockRows<AgentRow>(sql, "longhand.agents", locking, [id]);
  if (row === undefined) throw hidden(`the agent number ${id}`);
  return row;
}

function hidden(agent: string): LonghandError {
  return new LonghandError("store-refused", `The database does not show this role the rows of ${agent}.`, {
    hint: "The agent was removed, or is bound to another role (agents.login, see docs/scaling.md). Open the memory again, or connect as that role.",
  });
}

export interface AgentChange {
  readonly keys?: number;
  readonly gone?: number;
  readonly chunks?: number;
  readonly tokens?: number;
  /** Documents have changed, not only metadata or vectors. */
  readonly content?: boolean;
  /** Documents were removed. */
  readonly removed?: boolean;
}

/** Ends a write: counts it. */
export async function advanceAgent(sql: Sql, id: number, change: AgentChange = {}): Promise<void> {
  const { keys = 0, gone = 0, chunks = 0, tokens = 0, content = false, removed = false } = change;
  await sql(
    `UPDATE longhand.agents SET next_key = next_key + $2, gone_count = gone_count + $3,
       chunk_count = chunk_count + $4, token_count = token_count + $5, revision = revision + 1,
       content_revision = content_revision + $6,
       removed_revision = CASE WHEN $7 THEN content_revision + $6 ELSE removed_revision END
     WHERE id = $1`,
    [id, keys, gone, chunks, tokens, content ? 1 : 0, removed],
  );
}

/** The parts that every change to documents needs. */
export interface WritingParts {
  readonly sql: Sql;
  /** Locked by the caller. */
  readonly agent: AgentRow;
  readonly tokens: Tokens;
  readonly at: number;
}

/** Rounded for an integer column. */
export function toWhole(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}
