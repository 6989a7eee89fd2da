import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { systemErrorCode } from "../errors.ts";
import { discardIndex } from "../memory/open-memory.ts";
import { type NotesPlace, settingsFor } from "./settings-for.ts";

const prefix = "longhand-eval-";

/**
 * Lends some work settings with an index of their own, and removes that index afterwards, also when the work fails. A
 * folder goes even when the process ends early. Rows in a database cannot: there the folder stays as well, and says to
 * the next evaluation on this machine what is left to remove.
 */
export async function withTemporaryIndex<T>(
  settings: Settings,
  notes: Omit<NotesPlace, "stateDir">,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  await removeLeftovers(settings);
  const stateDir = mkdtempSync(join(tmpdir(), prefix));
  const remove = (): void => rmSync(stateDir, { recursive: true, force: true });
  const place = databaseOf(settings);
  if (place === null) process.once("exit", remove);
  else writeFileSync(join(stateDir, "owner.json"), JSON.stringify({ pid: process.pid, place }));
  const own = settingsFor(settings, { ...notes, stateDir });
  try {
    return await work(own);
  } finally {
    // What cannot be removed now is left to the next evaluation, with the folder that names it.
    await discardIndex(own);
    process.off("exit", remove);
    remove();
  }
}

/** Removes what evaluations that were killed have left in this database. Their agents are named by their folders. */
async function removeLeftovers(settings: Settings): Promise<void> {
  const place = databaseOf(settings);
  if (place === null) return;
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    const stateDir = join(tmpdir(), name);
    const owner = readOwner(join(stateDir, "owner.json"));
    if (owner === null || owner.place !== place || isAlive(owner.pid)) continue;
    await discardIndex({ ...settings, agentId: basename(stateDir) });
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** The address without its secrets; null for an index in files. */
function databaseOf({ memorySearch: { store } }: Settings): string | null {
  return store.driver === "postgres" ? `${store.url}` : null;
}

function readOwner(path: string): { readonly pid: number; readonly place: string } | null {
  try {
    const { pid, place } = JSON.parse(readFileSync(path, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 && typeof place === "string" ? { pid, place } : null;
  } catch {
    // No such file, or one that was cut short: not ours to judge.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== "ESRCH";
  }
}
