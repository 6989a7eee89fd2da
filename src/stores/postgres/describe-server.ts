import type { Sql } from "./database.ts";

/** Of all agents: what belongs to one of them cannot be told without reading all. */
export async function measureSchema(sql: Sql): Promise<number> {
  const [row] = await sql<{ size: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS size FROM pg_class
     WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'r'`,
  );
  return row?.size ?? 0;
}

/** Why nothing can be changed there; null where it can. */
export async function whyReadOnly(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ replica: boolean; preset: string }>(
    `SELECT pg_is_in_recovery() AS replica, current_setting('default_transaction_read_only') AS preset`,
  );
  if (row?.replica) return "the server is a replica that only reads";
  return row?.preset === "on" ? "default_transaction_read_only is set for this role or database" : null;
}

export async function measureVectors(sql: Sql): Promise<{ vectorBytes: number; cacheBytes: number }> {
  const [row] = await sql<{ vectorBytes: number; cacheBytes: number }>(
    `SELECT pg_total_relation_size('longhand.chunks_vec')::float8 AS "vectorBytes",
       pg_total_relation_size('longhand.embedding_cache')::float8 AS "cacheBytes"`,
  );
  return row!;
}

export async function describeServer(sql: Sql): Promise<{ server: string; rowSecurity: string }> {
  const [row] = await sql<{ server: string; bypasses: boolean }>(
    `SELECT current_setting('server_version') AS server, rolsuper OR rolbypassrls AS bypasses
     FROM pg_roles WHERE rolname = current_user`,
  );
  return {
    server: `PostgreSQL ${row?.server ?? "of an unknown version"}`,
    rowSecurity: row?.bypasses ? "bypassed by this role" : "enforced",
  };
}
