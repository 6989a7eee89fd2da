import type { ownedTables } from "./schema.ts";

type OwnedTable = (typeof ownedTables)[number];

/**
 * Deletes rows through a function of the schema, which checks that they belong to the agent. A tenant has no DELETE
 * privilege, because that would let it lock the whole table.
 */
export function deleteSelected(table: OwnedTable, selectRowIds: string): string {
  return `SELECT longhand.delete_rows('${table}', ARRAY(${selectRowIds}))::float8 AS count`;
}

/** The condition may continue with ORDER BY and LIMIT; `t` is the table. */
export function deleteRows(table: OwnedTable, condition: string): string {
  return deleteSelected(table, `SELECT t.ctid FROM longhand.${table} t WHERE ${condition}`);
}

/** Two parts of a WITH: `gone` selects the rows, and joining `deleted` deletes them. */
export function withDeleted(table: OwnedTable, columns: string, condition: string): string {
  return `WITH gone AS MATERIALIZED (SELECT t.ctid, ${columns} FROM longhand.${table} t WHERE ${condition}),
    deleted AS MATERIALIZED (SELECT longhand.delete_rows('${table}', ARRAY(SELECT ctid FROM gone)))`;
}
