import type { EmbedderIdentity, VectorEntry } from "../store-vectors.ts";
import { encodeText, refuseFaultyVectors, toUnit } from "../vectors/vector-codes.ts";
import { isUsedLately } from "../vectors/vector-set.ts";
import type { Arrow, ArrowTable, LanceTable } from "./lance-package.ts";
import { compactTable } from "./maintenance.ts";
import { cacheSchema, setSchema } from "./schema.ts";
import type { Session } from "./session.ts";
import type { SetRow, VectorTexts } from "./set-texts.ts";
import { deleteRowsWith, findRowsWith, listMeta, writeMeta } from "./sql.ts";
import {
  blankKey,
  cachesOf,
  cacheTableName,
  findSet,
  newSet,
  ownerOf,
  type SetRecord,
  saveSet,
  setKey,
  setTableName,
} from "./vector-records.ts";

export interface VectorWritingParts {
  readonly texts: VectorTexts;
  readonly now: () => number;
}

/** Writes vectors, within a write. */
export function createVectorWriting({ texts, now }: VectorWritingParts) {
  /** Existing rows stay. A merge scans the whole table for them, which is unnecessary under a lock. */
  const insertNew = async (
    { isExclusive }: Session,
    table: LanceTable,
    hashes: readonly string[],
    toData: (hashes: readonly string[]) => ArrowTable | SetRow[],
  ): Promise<number> => {
    if (!isExclusive) {
      return (await table.mergeInsert("hash").whenNotMatchedInsertAll().execute(toData(hashes))).version;
    }
    const rows = await findRowsWith(table, ["hash", hashes], ["hash"]);
    const known = new Set(rows.map(({ hash }) => hash));
    const fresh = hashes.filter((hash) => !known.has(hash));
    return fresh.length === 0 ? await table.version() : (await table.add(toData(fresh))).version;
  };

  const addToSet = async (session: Session, record: SetRecord, rows: readonly SetRow[]): Promise<void> => {
    if (rows.length === 0) return;
    const table = await session.ensure(setTableName(record.name), setSchema(session.arrow));
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    const version = await insertNew(session, table, [...byHash.keys()], (hashes) =>
      hashes.map((hash) => byHash.get(hash)!),
    );
    texts.heldOf(session, record).note(rows, version);
    await compactTable(table);
  };

  const putVectors = async (
    session: Session,
    embedder: EmbedderIdentity,
    entries: readonly VectorEntry[],
    vectorsPerText: "one" | "several",
  ): Promise<void> => {
    const known = await findSet(session.meta, embedder.id);
    const record = known ?? newSet(embedder, vectorsPerText, now());
    const dims = checkEntries(entries, record);
    const inChunks = await texts.ofChunks(session);
    const done = known && (await texts.ofSet(session, known));
    // Vectors of a text that no chunk contains any more are dropped: it may have been forgotten.
    const unique = [...new Map(entries.map((entry) => [entry.hash, entry])).values()].filter(({ hash }) =>
      inChunks.has(hash),
    );
    if (record.vectorsPerText === "one") {
      const vectors = new Map(
        unique.flatMap(({ hash, vectors: [vector] }) => (vector ? [[hash, toUnit(vector)]] : [])),
      );
      if (vectors.size > 0) {
        const cache = await session.ensure(
          cacheTableName(record.owner, dims),
          cacheSchema(session.arrow, dims),
        );
        await insertNew(session, cache, [...vectors.keys()], (hashes) =>
          vectorRows(session.arrow, new Map(hashes.map((hash) => [hash, vectors.get(hash)!])), {
            dims,
            nowMs: now(),
          }),
        );
        await compactTable(cache);
      }
      const blanks = unique.filter((entry) => entry.vectors.length === 0);
      await writeMeta(
        session.meta,
        Object.fromEntries(blanks.map(({ hash }) => [blankKey(record.owner, hash), `${now()}`])),
      );
    }
    if (known?.dims !== dims || !isUsedLately(known, now())) {
      await saveSet(session.meta, { ...record, dims, used_at: now() });
    }
    const isSeveral = record.vectorsPerText === "several";
    const rows = unique
      .filter(({ hash }) => !done?.has(hash))
      .map(({ hash, vectors }) => ({ hash, codes: isSeveral ? encodeText("bits", vectors) : null }));
    await addToSet(session, { ...record, dims }, rows);
  };

  const reuseVectors = async (
    session: Session,
    embedder: EmbedderIdentity,
    only: readonly string[] | undefined,
  ): Promise<number> => {
    const owner = ownerOf(embedder);
    const known = await findSet(session.meta, embedder.id);
    const caches = (await cachesOf(session, owner)).filter(({ dims }) => !known?.dims || dims === known.dims);
    const [cache] = caches.sort((a, b) => b.dims - a.dims);
    const blanks = await listMeta(session.meta, blankKey(owner, ""));
    if (cache === undefined && blanks.size === 0) return 0;
    const wanted = only && new Set(only);
    const missing = (await texts.missing(session, known)).filter((hash) => wanted?.has(hash) ?? true);
    const rows = cache === undefined ? [] : await findRowsWith(cache.table, ["hash", missing], ["hash"]);
    const found = new Set([...missing.filter((hash) => blanks.has(hash)), ...rows.map(({ hash }) => hash)]);
    if (found.size === 0) return 0;
    const before = known ?? newSet(embedder, "one", now());
    const record = { ...before, dims: before.dims || (cache?.dims ?? 0) };
    if (known?.dims !== record.dims) await saveSet(session.meta, { ...record, used_at: now() });
    const added = [...found].map((hash) => ({ hash, codes: null }));
    await addToSet(session, record, added);
    return found.size;
  };

  return { putVectors, reuseVectors };
}

export async function dropSet(session: Session, { name }: SetRecord): Promise<void> {
  // Never drops the table: others have it open. Rows first, so that no set exists with rows of an earlier one.
  await (await session.find(setTableName(name)))?.delete("true");
  await deleteRowsWith(session.meta, "key", [setKey(name)]);
}

/** Rejects vectors that would break a search; returns their dimensions. */
function checkEntries(entries: readonly VectorEntry[], record: SetRecord): number {
  const { name: embedderId, vectorsPerText } = record;
  let { dims } = record;
  for (const { vectors } of entries) {
    if (dims === 0) dims = vectors[0]?.length ?? 0;
    refuseFaultyVectors(vectors, { dims, embedderId, vectorsPerText });
  }
  return dims;
}

/**
 * Vectors by the hash of their text, as rows of a table. Built by hand, because a builder appends one number at a time.
 */
function vectorRows(
  arrow: Arrow,
  vectors: ReadonlyMap<string, Float32Array>,
  { dims, nowMs }: { readonly dims: number; readonly nowMs: number },
): ArrowTable {
  const { Float32, Float64, RecordBatch, Struct, Table, Utf8, makeData, vectorFromArray } = arrow;
  const schema = cacheSchema(arrow, dims);
  const length = vectors.size;
  const numbers = new Float32Array(length * dims);
  for (const [index, vector] of [...vectors.values()].entries()) numbers.set(vector, index * dims);
  const type = schema.fields[2]!.type as InstanceType<Arrow["FixedSizeList"]>;
  const child = makeData({ type: new Float32(), data: numbers });
  const children = [
    vectorFromArray([...vectors.keys()], new Utf8()).data[0]!,
    makeData({ type: new Float64(), data: new Float64Array(length).fill(nowMs) }),
    makeData({ type, length, nullCount: 0, child }),
  ];
  const rows = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, rows)]);
}
