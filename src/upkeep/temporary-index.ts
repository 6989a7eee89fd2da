import { lstatSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { removeFolderSync } from "../files.ts";
import { listNames } from "../paths.ts";
import { sha256 } from "../text/hash.ts";
import { temporaryPrefix } from "./state-files.ts";

/** Provides a path for a temporary index, and removes everything that was created there. */
export async function withTemporaryIndex<T>(dbPath: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = makeFolder(dbPath);
  const remove = (): void => removeFolderSync(folder);
  process.once("exit", remove);
  try {
    return await work(join(folder, "index.sqlite"));
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Removes leftovers of killed processes, and returns those in use. */
export function removeTemporaryIndexes(dbPath: string): { deleted: string[]; inUse: string[] } {
  const deleted: string[] = [];
  const inUse: string[] = [];
  for (const prefix of prefixesOf(dbPath)) {
    for (const name of listNames(dirname(prefix))) {
      if (!name.startsWith(basename(prefix))) continue;
      const folder = join(dirname(prefix), name);
      if (isInUse(folder, name.slice(basename(prefix).length))) inUse.push(folder);
      else {
        removeFolderSync(folder);
        deleted.push(folder);
      }
    }
  }
  return { deleted, inUse };
}

/** The name begins with the id of the process that created it; version 0.1.0 did not add one. */
function isInUse(folder: string, rest: string): boolean {
  const pid = Number(/^(\d+)-/.exec(rest)?.[1] ?? Number.NaN);
  if (Number.isNaN(pid)) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    return stats !== undefined && Date.now() - stats.mtimeMs < namelessMs;
  }
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}

const namelessMs = 3_600_000;

/** Beside the index, where there is as much space and privacy; elsewhere if that is not writable. */
function makeFolder(dbPath: string): string {
  const [beside, elsewhere] = prefixesOf(dbPath);
  try {
    return mkdtempSync(`${beside}${process.pid}-`);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return mkdtempSync(`${elsewhere}${process.pid}-`);
  }
}

function prefixesOf(dbPath: string): [beside: string, elsewhere: string] {
  return [
    join(dirname(dbPath), temporaryPrefix(dbPath)),
    join(tmpdir(), `longhand-verify-${sha256(dbPath).slice(0, 16)}-`),
  ];
}
