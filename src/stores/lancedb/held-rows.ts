import type { LanceTable } from "./lance-package.ts";
import type { TableRow } from "./schema.ts";
import { inParts, isOneOf } from "./sql.ts";

/** What was read from a table, cached until the table changes. */
export function cacheUntilChange<Value>(
  read: (table: LanceTable) => Promise<Value>,
): (table: LanceTable) => Promise<Value> {
  const cached = new WeakMap<LanceTable, { readonly version: number; readonly value: Promise<Value> }>();
  return async (table) => {
    const version = await table.version();
    const known = cached.get(table);
    if (known?.version === version) return await known.value;
    const value = read(table);
    cached.set(table, { version, value });
    try {
      return await value;
    } catch (error) {
      // Storage that could not be reached may answer the next call.
      if (cached.get(table)?.value === value) cached.delete(table);
      throw error;
    }
  };
}

export interface HeldRowsOptions<Value> {
  /** The column that identifies a row, and the one that is held; null holds the keys alone. */
  readonly key: keyof TableRow;
  readonly value: keyof TableRow | null;
  readonly where?: string;
  has(key: string): boolean;
  add(key: string, value: Value | null): void;
  /** Removes what is not in `present`. */
  retain(present: ReadonlySet<string>): void;
}

/** Above this many missing rows, reading all rows is faster than looking them up. */
const maxLookedUp = 5000;

/**
 * Rows of a table in memory: the first refresh reads all of them, later ones only the changes. A row never changes
 * while its key stays the same.
 */
export function createHeldRows<Value>(options: HeldRowsOptions<Value>) {
  const { key, value, where, has, add, retain } = options;
  let version = -1;
  let updating: Promise<void> = Promise.resolve();

  const update = async (table: LanceTable): Promise<void> => {
    const now = await table.version();
    if (now === version) return;
    const present = new Set<string>();
    for await (const [name] of readRows(table, [key], where)) present.add(name);
    retain(present);
    const missing = [...present].filter((name) => !has(name));
    const conditions =
      missing.length > maxLookedUp ? [where] : inParts(missing).map((part) => isOneOf(key, part));
    for (const condition of conditions) {
      const rows = readRows<Value>(table, value === null ? [key] : [key, value], condition);
      for await (const [name, held] of rows) if (!has(name)) add(name, held ?? null);
    }
    version = now;
  };

  return {
    refresh: async (table: LanceTable): Promise<void> => {
      updating = updating.catch(() => {}).then(() => update(table));
      await updating;
    },
    /** For our own commit, whose rows need not be read again; false if another one came before it. */
    note: (committedVersion: number): boolean => {
      if (committedVersion !== version + 1) return false;
      version = committedVersion;
      return true;
    },
  };
}

async function* readRows<Value>(
  table: LanceTable,
  columns: readonly string[],
  where: string | undefined,
): AsyncGenerator<[key: string, value?: Value]> {
  const query = table.query().select([...columns]);
  if (where !== undefined) query.where(where);
  for await (const batch of query) {
    const read = columns.map((name) => batch.getChild(name)!);
    for (let at = 0; at < batch.numRows; at++) yield read.map((column) => column.get(at)) as [string, Value];
  }
}
