import { messageOf } from "../../errors.ts";
import { awaitOwnLocks, type Database, type Sql } from "./database.ts";
import { classifyFailure } from "./postgres-failure.ts";
import { encodeArray } from "./sql-values.ts";

/** The installed pgvector extension. */
export interface VectorExtension {
  readonly version: string;
  /** The schema it was created in, quoted. */
  readonly schema: string;
  /** The OID of the type `vector`, needed to send values. */
  readonly vectorOid: number;
  /** The attribute number of the column `embedding`. */
  readonly column: number;
  /** Since 0.8 a search continues until it has as many results as requested. */
  readonly iterates: boolean;
}

export type ExtensionState =
  | { readonly extension: VectorExtension }
  /** Why there is none, and what to do. */
  | { readonly problem: string };

const advice =
  "a superuser can run CREATE EXTENSION vector in this database; until then vectors are compared by this process";

/**
 * Finds pgvector. The extension is created if that is allowed, and `chunks_vec` gets its column as soon as it exists,
 * so that an index that was started without it continues with it.
 */
export async function prepareExtension(db: Database): Promise<ExtensionState> {
  let found = await db.read(findExtension);
  if (found === null) {
    const refusal = await db
      .write((sql) => sql("CREATE EXTENSION IF NOT EXISTS vector"))
      .then(() => null)
      .catch((error: unknown) => {
        if (classifyFailure((error as Error).cause ?? error) === "unreachable") throw error;
        return error;
      });
    if (refusal !== null) return { problem: `pgvector is not there: ${advice}` };
    found = await db.read(findExtension);
  }
  if (found === null || !found.hasHalf) return { problem: `pgvector 0.7 or newer is needed: ${advice}` };
  const known = toExtension(found);
  if (known !== null) return { extension: known };
  const { schema } = found;
  try {
    await db.write(async (sql) => {
      await awaitOwnLocks(sql);
      await sql(`ALTER TABLE longhand.chunks_vec ADD COLUMN IF NOT EXISTS embedding ${schema}.halfvec`);
      // Inline storage: fetching each vector from TOAST takes several times as long.
      await sql("ALTER TABLE longhand.chunks_vec ALTER COLUMN embedding SET STORAGE MAIN");
      await sql("SELECT longhand.secure_tenants()");
    });
  } catch (error) {
    const failure = classifyFailure((error as Error).cause ?? error);
    if (failure === "unreachable") throw error;
    const why =
      failure === "refused" ? "this role does not own the tables" : `the server refused: ${messageOf(error)}`;
    return { problem: `pgvector is there, but its column could not be added: ${why}` };
  }
  const made = await db.read(findExtension);
  return { extension: toExtension(made!)! };
}

interface FoundExtension extends Omit<VectorExtension, "column"> {
  readonly column: number | null;
  readonly hasHalf: boolean;
}

function toExtension({ column, hasHalf: _, ...rest }: FoundExtension): VectorExtension | null {
  return column === null ? null : { ...rest, column };
}

async function findExtension(sql: Sql): Promise<FoundExtension | null> {
  const [row] = await sql<{
    version: string;
    schema: string;
    oid: number | null;
    half: boolean;
    column: number | null;
  }>(
    `SELECT e.extversion AS version, quote_ident(n.nspname) AS schema,
       (SELECT t.oid::int8::float8 FROM pg_type t WHERE t.typname = 'vector' AND t.typnamespace = n.oid) AS oid,
       EXISTS (SELECT 1 FROM pg_type t WHERE t.typname = 'halfvec' AND t.typnamespace = n.oid) AS half,
       (SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = 'longhand.chunks_vec'::regclass
         AND a.attname = 'embedding' AND NOT a.attisdropped) AS column
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  if (row === undefined || row.oid === null) return null;
  const [major = 0, minor = 0] = row.version.split(".").map(Number);
  return {
    version: row.version,
    schema: row.schema,
    vectorOid: row.oid,
    iterates: major > 0 || minor >= 8,
    hasHalf: row.half,
    column: row.column,
  };
}

/** A vector in pgvector's binary format: its dimensions and its numbers, big-endian. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 4 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  bytes.writeUInt16BE(0, 2);
  for (let index = 0; index < vector.length; index++) bytes.writeFloatBE(vector[index]!, 4 + 4 * index);
  return bytes;
}

/** Null elements become SQL NULL. */
export function encodeVectorArray(vectors: readonly (Float32Array | null)[], oid: number): Buffer {
  return encodeArray(
    oid,
    vectors.map((vector) => vector && encodeVector(vector)),
  );
}
