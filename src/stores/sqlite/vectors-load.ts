import type { DatabaseSync } from "node:sqlite";
import { monotonicMs } from "../../timing.ts";
import { findTextsEnd, vectorCodings } from "../vectors/vector-codes.ts";
import { createVectorMatrix, type VectorMatrix, type VectorRows } from "../vectors/vector-matrix.ts";
import { DamagedVectors } from "./sqlite-failure.ts";
import { chunkOfRow, vectorsAfter } from "./stored-chunk.ts";
import { type EmbedderRow, prepareFindEmbedder } from "./vector-sets.ts";

interface Held {
  readonly embedder: number;
  readonly matrix: VectorMatrix;
  /** False while only the first rows have been read. */
  isWhole: boolean;
  revision: number;
  /** Rows up to this key were complete when they were read; later ones may have gaps. */
  doneKey: number;
  goneSeq: number;
}

/** The vectors of embedders in memory. A process loads them once, and afterwards only the changes. */
export function prepareVectorLoading(db: DatabaseSync, revision: () => number) {
  const find = prepareFindEmbedder(db);
  const readRows = prepareReadRows(db);
  const goneRange = db.prepare(
    "SELECT (SELECT min(seq) FROM chunks_gone) AS first, (SELECT max(seq) FROM chunks_gone) AS last",
  );
  const goneSince = db.prepare("SELECT key FROM chunks_gone WHERE seq > ?");
  const all = new Map<string, Held>();

  const rangeOfGone = (): { first: number; last: number } => {
    const { first, last } = goneRange.get() as { first: number | null; last: number | null };
    return { first: first ?? 1, last: last ?? 0 };
  };

  const begin = (name: string, embedder: EmbedderRow): Held => {
    const held: Held = {
      embedder: embedder.id,
      matrix: createVectorMatrix(embedder.coding, embedder.dims, embedder.centre),
      isWhole: false,
      revision: Number.NaN,
      doneKey: embedder.done_key,
      goneSeq: rangeOfGone().last,
    };
    all.set(name, held);
    return held;
  };

  const continueReading = (held: Held, embedder: EmbedderRow, sliceMs: number): void => {
    const endsAtMs = monotonicMs() + sliceMs;
    for (const rows of readRows(embedder, held.matrix.keys.at(-1) ?? 0)) {
      held.matrix.append(rows);
      if (monotonicMs() > endsAtMs) return;
    }
    held.isWhole = true;
  };

  /** False if an incremental update is impossible. */
  const update = (held: Held, embedder: EmbedderRow): boolean => {
    const { first, last } = rangeOfGone();
    if (held.goneSeq < first - 1) return false;
    for (const row of goneSince.all(held.goneSeq)) held.matrix.remove(row["key"] as number);
    for (const rows of readRows(embedder, held.doneKey)) {
      if (!held.matrix.append(rows)) return false;
    }
    Object.assign(held, { doneKey: embedder.done_key, goneSeq: last });
    return held.matrix.goneCount * 2 <= held.matrix.keys.length;
  };

  /** The cached vectors of an embedder, complete or not; null if it has none. */
  const open = (name: string): { held: Held; embedder: EmbedderRow } | null => {
    const embedder = find(name);
    if (embedder === null || embedder.dims === 0) {
      all.delete(name);
      return null;
    }
    const known = all.get(name);
    return { held: known?.embedder === embedder.id ? known : begin(name, embedder), embedder };
  };

  return {
    /**
     * Continues loading for this long; false if there is more to read. May be called again later, in another snapshot.
     */
    loadSome: (name: string, sliceMs: number): boolean => {
      if (all.get(name)?.isWhole) return true;
      const opened = open(name);
      if (opened !== null) continueReading(opened.held, opened.embedder, sliceMs);
      return opened?.held.isWhole ?? true;
    },
    /** The vectors in the caller's snapshot, null if there are none. */
    load: (name: string): VectorMatrix | null => {
      const now = revision();
      const known = all.get(name);
      if (known?.revision === now) return known.matrix;
      const opened = open(name);
      if (opened === null) return null;
      const { embedder } = opened;
      let { held } = opened;
      if (!held.isWhole || !update(held, embedder)) {
        held = begin(name, embedder);
        continueReading(held, embedder, Number.POSITIVE_INFINITY);
      }
      held.revision = now;
      return held.matrix;
    },
  };
}

/**
 * SQLite joins the codes of many rows into one blob: fetching each row takes twice as long. Joining treats bytes as
 * text, which changes none of them.
 */
function prepareReadRows(db: DatabaseSync) {
  const rowsAtOnce = 256;
  const statement = db.prepare(
    `SELECT json_group_array(key), CAST(group_concat(codes, '') AS BLOB)
     FROM (SELECT ${chunkOfRow} AS key, codes FROM vector_rows WHERE ${vectorsAfter("?1", "?2")}
       ORDER BY place LIMIT ${rowsAtOnce})`,
  );
  statement.setReturnArrays(true);
  return function* ({ id, coding, dims }: EmbedderRow, afterKey: number): Generator<VectorRows> {
    const width = vectorCodings[coding].widthOf(dims);
    for (let last = afterKey; ; ) {
      const [list, texts] = statement.get(id, last) as unknown as [string, Uint8Array | null];
      const keys = JSON.parse(list) as number[];
      if (keys.length === 0 || texts === null) return;
      for (const key of keys) {
        // In a damaged table the next rows may be earlier ones, forever.
        if (!(key > last)) throw damaged();
        last = key;
      }
      if (findTextsEnd(texts, keys.length, width) !== texts.length) throw damaged();
      yield { keys, texts };
      if (keys.length < rowsAtOnce) return;
    }
  };
}

function damaged(): DamagedVectors {
  return new DamagedVectors("the table vector_rows holds codes of the wrong length or out of order");
}
