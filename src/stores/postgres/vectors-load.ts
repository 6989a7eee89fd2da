import { findTextsEnd, vectorCodings } from "../vectors/vector-codes.ts";
import { createVectorMatrix, type VectorMatrix, type VectorRows } from "../vectors/vector-matrix.ts";
import { readAgent } from "./agent-row.ts";
import type { Sql } from "./database.ts";
import { base64Of, fromBase64 } from "./sql-values.ts";
import type { SetRow } from "./vector-sets.ts";

interface Held {
  readonly set: number;
  readonly matrix: VectorMatrix;
  revision: number;
  /** Rows up to this key were complete when they were read; later ones may have gaps. */
  doneKey: number;
  goneSeq: number;
}

/**
 * The codes of embedders with several vectors per text, in memory. A process loads them once, and afterwards only the
 * changes. Returns those of a set in the caller's snapshot; one call at a time.
 */
export function createVectorLoading(agentId: number): (sql: Sql, set: SetRow) => Promise<VectorMatrix> {
  const all = new Map<string, Held>();

  const begin = (set: SetRow, goneSeq: number): Held => ({
    set: set.id,
    matrix: createVectorMatrix("bits", set.dims, null),
    revision: Number.NaN,
    doneKey: set.done_key,
    goneSeq,
  });

  /** False if an incremental update is impossible. */
  const update = async (sql: Sql, held: Held, set: SetRow, goneCount: number): Promise<boolean> => {
    if (goneCount > held.goneSeq) {
      const rows = await sql<{ seq: number; key: number }>(
        `SELECT seq::float8 AS seq, key::float8 AS key FROM longhand.chunks_gone
         WHERE agent_id = $1 AND seq > $2 ORDER BY seq`,
        [agentId, held.goneSeq],
      );
      if (rows.length !== goneCount - held.goneSeq) return false;
      for (const { key } of rows) held.matrix.remove(key);
    }
    for await (const rows of readRows(sql, set, held.doneKey)) {
      if (!held.matrix.append(rows)) return false;
    }
    Object.assign(held, { doneKey: set.done_key, goneSeq: goneCount });
    return held.matrix.goneCount * 2 <= held.matrix.keys.length;
  };

  return async (sql, set) => {
    const { revision, goneCount } = await readAgent(sql, agentId);
    let held = all.get(set.name);
    // Codes read in a later snapshot are equally valid.
    if (held?.set === set.id && held.revision >= revision) return held.matrix;
    if (held?.set !== set.id || !(await update(sql, held, set, goneCount))) {
      all.delete(set.name);
      held = begin(set, goneCount);
      for await (const rows of readRows(sql, set, 0)) held.matrix.append(rows);
      all.set(set.name, held);
    }
    held.revision = revision;
    return held.matrix;
  };
}

const rowsAtOnce = 4000;

/** Aggregated by the server: sending and reading each row takes several times as long. */
async function* readRows(sql: Sql, set: SetRow, afterKey: number): AsyncGenerator<VectorRows> {
  const width = vectorCodings.bits.widthOf(set.dims);
  for (let last = afterKey; ; ) {
    const [joined] = await sql<{ keys: string | null; codes: string | null }>(
      `SELECT ${base64Of("string_agg(int8send(key), ''::bytea ORDER BY key)")} AS keys,
         ${base64Of("string_agg(codes, ''::bytea ORDER BY key)")} AS codes
       FROM (SELECT key, codes FROM longhand.chunks_vec WHERE agent_id = $3 AND embedder_id = $1 AND key > $2
         ORDER BY key LIMIT ${rowsAtOnce}) AS r`,
      [set.id, last, set.agent_id],
    );
    if (!joined?.keys || !joined.codes) return;
    const keys = readKeys(fromBase64(joined.keys));
    const texts = fromBase64(joined.codes);
    if (findTextsEnd(texts, keys.length, width) !== texts.length)
      throw new Error("the codes of a set of vectors do not have the length they should");
    yield { keys, texts };
    last = keys.at(-1)!;
    if (keys.length < rowsAtOnce) return;
  }
}

/** Concatenated `int8send` values. */
export function readKeys(bytes: Buffer): number[] {
  const keys: number[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    keys.push(bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4));
  }
  return keys;
}
