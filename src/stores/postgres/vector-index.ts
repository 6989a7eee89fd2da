import type { Database } from "./database.ts";
import type { VectorExtension } from "./vector-extension.ts";
import type { SetRow } from "./vector-sets.ts";
import { createPostgresWorkLock } from "./work-lock-postgres.ts";

const mostWaitMs = 600_000;

/** pgvector cannot index longer ones, even at half precision. */
const mostIndexedDims = 4000;

/** A graph is built several times as fast while it fits into this; more would be too much to ask of a shared server. */
const mostBuildMegabytes = 2048;

/**
 * How dense a graph is. Among 60,000 × 256, 24 and 128 took twice as long to build (66 s of a processor against 31 s) and
 * a third longer to search; with 300 vectors in sight both found all of the best 24, and of the best 96 .998 and .990.
 */
const graph = { neighbours: 16, effort: 64 };
/** In memory, besides the vector: each has twice as many neighbours in the lowest layer, 16 bytes for each. */
const nodeBytes = 2 * graph.neighbours * 16 + 200;

type SetPlace = Pick<SetRow, "id" | "agent_id">;

function indexNameOf({ agent_id, id }: SetPlace): string {
  return `chunks_vec_${agent_id}_${id}`;
}

/** Rows of one set, written with its numbers: PostgreSQL uses a partial index only where it sees that all rows are in it. */
export function rowsOfSet({ agent_id, id }: SetPlace): string {
  return `agent_id = ${agent_id} AND embedder_id = ${id}`;
}

/** What is indexed and what is searched, written in one place: PostgreSQL uses an index only for the same expression. */
export function indexedExpression(set: Pick<SetRow, "dims">, { schema }: VectorExtension): string {
  return `(v.embedding::${schema}.halfvec(${set.dims}))`;
}

export function canBeIndexed(set: SetRow): boolean {
  return set.vectors_per_text === "one" && set.dims > 0 && set.dims <= mostIndexedDims;
}

/**
 * Builds the graph of one set, an index of its own: a search then meets no vectors of other agents or models, which it
 * would have to pass over. Concurrently, so that nobody waits to write meanwhile; who comes second leaves it to the
 * first. Gives false when somebody else is at it.
 */
export async function buildVectorIndex(
  db: Database,
  set: SetRow,
  extension: VectorExtension,
  rowCount: number,
): Promise<boolean> {
  const name = indexNameOf(set);
  const bytes = 1.1 * rowCount * (2 * set.dims + nodeBytes);
  const megabytes = Math.ceil(Math.min(mostBuildMegabytes, 64 + bytes / 2 ** 20));
  const lock = createPostgresWorkLock({ connect: async () => ({ db, agentId: set.agent_id }), name });
  await using held = await lock.tryTake("building a graph of vectors");
  if (held === null) return false;
  // It waits for every transaction that is older, whoever has left it open.
  const settings = `-c statement_timeout=0 -c lock_timeout=${mostWaitMs} -c maintenance_work_mem=${megabytes}MB`;
  await db.withClient(
    async (client) => {
      // What a crash has left half built is not used, but kept up to date with every write.
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS longhand.${name}`);
      await client.query(
        `CREATE INDEX CONCURRENTLY ${name} ON longhand.chunks_vec USING hnsw
           (${indexedExpression(set, extension).replace("v.", "")} ${extension.schema}.halfvec_cosine_ops)
           WITH (m = ${graph.neighbours}, ef_construction = ${graph.effort}) WHERE ${rowsOfSet(set)}`,
      );
    },
    { options: settings },
  );
  return true;
}

export async function dropVectorIndex(db: Database, set: SetPlace): Promise<void> {
  await db.withClient((client) =>
    client.query(`DROP INDEX CONCURRENTLY IF EXISTS longhand.${indexNameOf(set)}`),
  );
}
