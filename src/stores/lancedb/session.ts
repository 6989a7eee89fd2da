import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { LonghandError } from "../../errors.ts";
import { classifyFailure } from "./failure.ts";
import type { Arrow, ArrowSchema, Lance, LanceConnection, LanceTable } from "./lance-package.ts";
import type { LanceLocation } from "./location.ts";
import { chunkSchema, metaSchema, revisionColumn } from "./schema.ts";
import { listMeta, writeMeta } from "./sql.ts";
import { indexWords, wordsColumn } from "./words.ts";

/** The opened tables of an index. If the tables are replaced, another session is opened. */
export interface Session {
  readonly lance: Lance;
  readonly arrow: Arrow;
  readonly location: LanceLocation;
  /** Whether a writer is the only one: what it reads at its start then still holds at its end. */
  readonly isExclusive: boolean;
  readonly chunks: LanceTable;
  readonly meta: LanceTable;
  /** Null if the table does not exist. */
  find(name: string): Promise<LanceTable | null>;
  /** Creates the table if it does not exist. */
  ensure(name: string, schema: ArrowSchema): Promise<LanceTable>;
  tableNames(): Promise<string[]>;
  /** False if the folder has been deleted or replaced since. */
  isIntact(): boolean;
  readonly identity: string;
  close(): void;
}

export interface OpenSessionOptions {
  readonly lance: Lance;
  readonly arrow: Arrow;
  readonly location: LanceLocation;
  readonly storageOptions: Readonly<Record<string, string>>;
  /** Keeps other processes from creating the same tables. */
  readonly whileLocked: <T>(work: () => Promise<T>) => Promise<T>;
}

/** These always exist. The others are recorded in `meta`. */
const coreTables: readonly string[] = ["chunks", "meta"];
const tablePrefix = "table:";

export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { lance, arrow, location, storageOptions } = options;
  // A query always sees what any process committed before it.
  const connection: LanceConnection = await lance.connect(location.uri, {
    readConsistencyInterval: 0,
    storageOptions: { ...storageOptions, ...location.storageOptions },
  });
  const opened = new Map<string, LanceTable>();

  const find = async (name: string): Promise<LanceTable | null> => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    try {
      const table = await connection.openTable(name);
      opened.set(name, table);
      return table;
    } catch (error) {
      if (classifyFailure(error) === "gone") return null;
      throw error;
    }
  };

  const ensure = async (name: string, schema: ArrowSchema): Promise<LanceTable> => {
    const known = await find(name);
    if (known !== null) return known;
    // Recorded first: not every storage can list its folders.
    if (!coreTables.includes(name)) await writeMeta(meta, { [tablePrefix + name]: "" });
    const table = await connection.createEmptyTable(name, schema, { existOk: true });
    opened.set(name, table);
    return table;
  };

  const tableNames = async (): Promise<string[]> => {
    const noted = await listMeta(meta, tablePrefix);
    return [...new Set([...coreTables, ...noted.keys(), ...(await connection.tableNames())])];
  };

  const isIndexed = async (table: LanceTable): Promise<boolean> =>
    (await table.listIndices()).some(({ columns }) => columns.includes(wordsColumn));

  const isCurrent = async (table: LanceTable): Promise<boolean> =>
    (await table.schema()).fields.some(({ name }) => name === revisionColumn);

  const createAll = async (): Promise<void> => {
    await ensure("meta", metaSchema(arrow));
    const known = await find("chunks");
    if (known && !(await isCurrent(known))) {
      // The table of longhand 0.1.0 has other columns; the next sync fills the new one.
      opened.delete("chunks");
      await connection.dropTable("chunks");
    }
    const table = await ensure("chunks", chunkSchema(arrow));
    if (!(await isIndexed(table))) await indexWords(lance, table);
  };

  await refuseForeign(location, () => connection.tableNames());
  const found = { meta: await find("meta"), chunks: await find("chunks") };
  const isComplete =
    found.meta && found.chunks && (await isCurrent(found.chunks)) && (await isIndexed(found.chunks));
  // An existing index can be read even where nothing can be written, not even a lock.
  if (!isComplete) await options.whileLocked(createAll);
  const meta = await ensure("meta", metaSchema(arrow));
  const chunks = await ensure("chunks", chunkSchema(arrow));
  const identity = identify(location);
  return {
    lance,
    arrow,
    location,
    isExclusive: location.folder !== null,
    chunks,
    meta,
    find,
    ensure,
    tableNames,
    isIntact: () => identify(location) === identity,
    identity,
    close() {
      for (const table of opened.values()) table.close();
      connection.close();
    },
  };
}

/** A folder with tables but none of ours, and without our lock, belongs to another program. */
async function refuseForeign({ folder }: LanceLocation, tableNames: () => Promise<string[]>): Promise<void> {
  if (folder === null || existsSync(`${folder}.lock`)) return;
  const names = await tableNames();
  if (names.length === 0 || names.includes("meta")) return;
  throw new LonghandError(
    "index-foreign",
    `Could not open the index ${folder}: another program keeps tables of LanceDB there (${names[0]}).`,
    { hint: "Set `store.url` to another folder. longhand does not touch this one." },
  );
}

/** Distinguishes a folder from a later one with the same path. Remote storage is assumed to stay the same. */
function identify({ folder }: LanceLocation): string {
  if (folder === null) return "elsewhere";
  return ["chunks", "meta"]
    .map((name) => {
      const stats = statSync(join(folder, `${name}.lance`), { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? "none" : `${stats.ino} ${stats.birthtimeNs}`;
    })
    .join(":");
}
