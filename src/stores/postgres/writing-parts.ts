import type { Tokens } from "../tokens.ts";
import type { AgentRow } from "./agent-row.ts";
import type { Sql } from "./database.ts";

/** What every change to documents is made with. */
export interface WritingParts {
  readonly sql: Sql;
  /** Locked by the caller. */
  readonly agent: AgentRow;
  readonly tokens: Tokens;
  readonly at: number;
}

/** A number as a column of whole ones takes it. */
export function toWhole(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}
