import type { Connection, Table } from "@lancedb/lancedb";
import { LonghandError, messageOf } from "../../errors.ts";
import { makeFolder, removeFolderSync } from "../../files.ts";
import { sha256 } from "../../text/hash.ts";
import type { EntryIndex, EntryRow } from "../entry-index.ts";
import { type Lance, loadLance } from "./lance-package.ts";
import { inParts, isOneOf } from "./sql.ts";

export interface LanceEntryIndexOptions {
  readonly folder: string;
  /** Keeps other writers of the same folder out. */
  readonly withLock: <T>(work: () => Promise<T>) => Promise<T>;
  readonly packageName?: string;
}

/** One table per vector set, so that dimensions are uniform and models are never compared. */
export async function openLanceEntryIndex({
  folder,
  withLock,
  packageName,
}: LanceEntryIndexOptions): Promise<EntryIndex> {
  const lance = await loadLance({
    user: "The entries plugin (memory-lancedb)",
    ...(packageName !== undefined && { packageName }),
  });
  let connection: Connection | undefined;

  /**
   * The folder may be deleted or damaged at any moment. Everything in it can be rebuilt: the second attempt uses a new
   * connection, the third an empty folder.
   */
  async function withDatabase<T>(
    work: (database: Connection) => Promise<T>,
    clear: () => Promise<void>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 2) await clear();
        connection ??= await connect(lance, folder);
        return await work(connection);
      } catch (cause) {
        connection?.close();
        connection = undefined;
        if (attempt > 2) throw refuseFolder(folder, cause);
      }
    }
  }

  const clear = async (): Promise<void> => removeFolderSync(folder);
  const read = <T>(work: (database: Connection) => Promise<T>) => withDatabase(work, () => withLock(clear));
  const write = (embedderId: string, work: (database: Connection, name: string) => Promise<void>) =>
    withLock(() => withDatabase((database) => work(database, tableName(embedderId)), clear));

  return {
    keys: (embedderId) =>
      read(async (database) => {
        using table = await openTable(database, tableName(embedderId));
        return new Set(await readKeys(table));
      }),

    vectorsOf: (embedderId, textHashes) =>
      read(async (database) => {
        const found = new Map<string, Float32Array[]>();
        using table = await openTable(database, tableName(embedderId));
        if (table === null) return found;
        for (const some of inParts(textHashes)) {
          const rows = await table
            .query()
            .where(isOneOf("textHash", some))
            .select(["textHash", "part", "vector"])
            .toArray();
          for (const row of rows as StoredRow[]) {
            const vectors = found.get(row.textHash) ?? [];
            // Entries with the same text have the same vectors.
            vectors[row.part] ??= Float32Array.from(row.vector);
            found.set(row.textHash, vectors);
          }
        }
        return found;
      }),

    change: (embedderId, { add, remove }) =>
      write(embedderId, async (database, name) => {
        using table = await openTable(database, name);
        const known = new Set(await readKeys(table));
        const rows = toRows(add.filter(({ key }) => !known.has(key)));
        if (table === null) {
          if (rows.length > 0) (await database.createTable(name, rows)).close();
          return;
        }
        for (const some of inParts(remove)) await table.delete(isOneOf("key", some));
        if (rows.length > 0) await table.add(rows);
        // Every change adds a small file and a version.
        if ((await table.version()) % versionsToCompact === 0)
          await table.optimize({ cleanupOlderThan: hourAgo() });
      }),

    nearest: (embedderId, vector, limit) =>
      read(async (database) => {
        using table = await openTable(database, tableName(embedderId));
        if (table === null) return [];
        const rows: { key: string; _distance: number }[] = await table
          .vectorSearch(vector)
          .distanceType("dot")
          .limit(limit)
          .select(["key", "_distance"])
          .toArray();
        const best = new Map<string, number>();
        for (const { key, _distance } of rows) best.set(key, Math.max(best.get(key) ?? -1, 1 - _distance));
        return [...best].map(([key, similarity]) => ({ key, similarity }));
      }),

    purge: (embedderId, kept) =>
      write(embedderId, async (database, name) => {
        const keys = new Set(kept);
        using table = await openTable(database, name);
        const rows = table === null ? [] : await table.query().toArray();
        const left = rows.filter(({ key }) => keys.has(key)).map(copyRow);
        // Deleting rows would leave their bytes in older versions of the table.
        for (const each of await database.tableNames()) await database.dropTable(each);
        if (left.length > 0) (await database.createTable(name, left)).close();
      }),

    async [Symbol.asyncDispose]() {
      connection?.close();
      connection = undefined;
    },
  };
}

type StoredRow = Omit<EntryRow, "createdAt" | "vector"> & {
  /** The position among the vectors of its text. */
  readonly part: number;
  /** Empty if unknown: with only nulls, LanceDB could not infer the column's type. */
  readonly createdAt: string;
  readonly vector: Float32Array;
};

const versionsToCompact = 64;

function hourAgo(): Date {
  return new Date(Date.now() - 3_600_000);
}

function tableName(embedderId: string): string {
  return `entries-${sha256(embedderId).slice(0, 12)}`;
}

async function openTable(database: Connection, name: string): Promise<(Table & Disposable) | null> {
  const names = await database.tableNames();
  if (!names.includes(name)) return null;
  const table = await database.openTable(name);
  return Object.assign(table, { [Symbol.dispose]: () => table.close() });
}

async function readKeys(table: Table | null): Promise<string[]> {
  if (table === null) return [];
  // Reading a whole column is many times faster than reading row by row.
  const column = (await table.query().select(["key"]).toArrow()).getChild("key");
  return column === null ? [] : (column.toArray() as string[]);
}

function toRows(rows: readonly EntryRow[]): StoredRow[] {
  const parts = new Map<string, number>();
  return rows.map((row) => {
    const part = parts.get(row.key) ?? 0;
    parts.set(row.key, part + 1);
    return { ...row, createdAt: row.createdAt ?? "", part };
  });
}

/** Rows of a query are views into a buffer that lives as long as the query's result. */
function copyRow(row: { toJSON(): StoredRow }): StoredRow {
  const copy = row.toJSON();
  return { ...copy, vector: Float32Array.from(copy.vector) };
}

/** Readable only by its owner: vectors can be turned back into text. */
async function connect(lance: Lance, folder: string): Promise<Connection> {
  makeFolder(folder, 0o700);
  return await lance.connect(folder, { readConsistencyInterval: 0 });
}

function refuseFolder(folder: string, cause: unknown): LonghandError {
  const why = messageOf(cause).split("\n", 1)[0]!.slice(0, 200);
  return new LonghandError("index-unusable", `The index of entries at ${folder} cannot be used: ${why}.`, {
    hint: "Check the permissions of the folder and the free disk space; it can be deleted at any time.",
    cause,
  });
}
