import { LonghandError } from "../../errors.ts";
import { awaitOwnLocks, type Database, type Sql } from "./database.ts";
import { sqlStateOf } from "./postgres-failure.ts";
import { migrations } from "./schema.ts";

/** Any number that nobody else takes: "longhand" in ASCII, as far as it fits. */
const lockKey = 0x6c686e64;

const missingTable = "42P01";

/** Brings the schema up to date. Whoever comes second waits, and finds nothing left to do. */
export async function migrate(db: Database): Promise<void> {
  const version = await db.read(readVersion).catch((error: unknown) => {
    if (sqlStateOf(error) === missingTable) return 0;
    throw error;
  });
  refuseNewer(version, db.place);
  if (version === migrations.length) return;
  await db.write(async (sql) => {
    await awaitOwnLocks(sql);
    // Anybody in the database could hold it, but before there is a schema nobody else has anything to do with it.
    if (version === 0) await sql("SELECT pg_advisory_xact_lock($1)", [lockKey]);
    await sql("CREATE SCHEMA IF NOT EXISTS longhand");
    await sql(
      `CREATE TABLE IF NOT EXISTS longhand.migrations (
         version int4 PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    await sql("LOCK TABLE longhand.migrations IN SHARE ROW EXCLUSIVE MODE");
    const from = await readVersion(sql);
    refuseNewer(from, db.place);
    for (const [index, migration] of migrations.entries()) {
      if (index < from) continue;
      await sql(migration);
      await sql("INSERT INTO longhand.migrations (version) VALUES ($1)", [index + 1]);
    }
    await sql("SELECT longhand.secure_tenants()");
  });
}

async function readVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }>(
    "SELECT coalesce(max(version), 0) AS version FROM longhand.migrations",
  );
  return row?.version ?? 0;
}

function refuseNewer(version: number, place: string): void {
  if (version <= migrations.length) return;
  throw new LonghandError(
    "index-newer",
    `Could not use the database ${place}: its schema has version ${version}, and this longhand knows ${migrations.length}.`,
    { hint: "Update longhand on this machine. The database is left alone." },
  );
}
