import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import type { StoreDescription } from "../store.ts";
import type { LancePlace } from "./place.ts";
import type { Session } from "./session.ts";

/** How large the tables are: the files of a folder, or what LanceDB says of storage elsewhere. */
export async function measureTables(
  session: Session,
  { folder }: LancePlace,
): Promise<StoreDescription["sizes"]> {
  const sizes = new Map<string, number>();
  for (const name of await session.tableNames()) {
    const table = folder === null ? await session.find(name) : null;
    sizes.set(name, table ? (await table.stats()).totalBytes : measure(join(folder!, `${name}.lance`)));
  }
  const sum = (prefix: string): number =>
    [...sizes].reduce((total, [name, size]) => (name.startsWith(prefix) ? total + size : total), 0);
  return { databaseBytes: sum(""), walBytes: 0, vectorBytes: sum("set_"), cacheBytes: sum("cache_") };
}

/** A file that goes away meanwhile counts nothing. */
function measure(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((total, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return total + measure(path);
      return total + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return 0;
  }
}
