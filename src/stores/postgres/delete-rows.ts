import type { ownedTables } from "./schema.ts";

type OwnedTable = (typeof ownedTables)[number];

/**
 * Rows are deleted by a function of the schema, which sees to it that they are those of the agent. A tenant has no right
 * to DELETE: whoever has it may also lock the whole table, and everybody else would wait.
 */
export function deleteSelected(table: OwnedTable, selectPlaces: string): string {
  return `SELECT longhand.delete_rows('${table}', ARRAY(${selectPlaces}))::float8 AS count`;
}

/** The condition may go on with ORDER BY and LIMIT; `t` is the table. */
export function deleteRows(table: OwnedTable, condition: string): string {
  return deleteSelected(table, `SELECT t.ctid FROM longhand.${table} t WHERE ${condition}`);
}

/** Two parts of a WITH: `gone` are the rows, and they are deleted when `deleted` is joined to them. */
export function withDeleted(table: OwnedTable, columns: string, condition: string): string {
  return `WITH gone AS MATERIALIZED (SELECT t.ctid, ${columns} FROM longhand.${table} t WHERE ${condition}),
    deleted AS MATERIALIZED (SELECT longhand.delete_rows('${table}', ARRAY(SELECT ctid FROM gone)))`;
}
