import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { systemErrorCode } from "../errors.ts";
import { removeFolderSync } from "../files.ts";
import { discardIndex } from "../memory/open-memory.ts";
import { readTextFile } from "../paths.ts";
import { fieldsOf } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";

const prefix = "longhand-eval-";

/**
 * Runs some work with a temporary index, which is removed afterwards even if the work fails. A folder is removed even
 * when the process exits early. Rows in a database are not: then the folder stays too, and tells the next evaluation on
 * this machine what to remove.
 */
export async function withTemporaryIndex<T>(
  settings: Settings,
  notes: Omit<NotesLocation, "stateDir">,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  await removeLeftovers(settings);
  const stateDir = mkdtempSync(join(tmpdir(), prefix));
  const remove = (): void => removeFolderSync(stateDir);
  const place = databaseOf(settings);
  if (place === null) process.once("exit", remove);
  else writeFileSync(join(stateDir, "owner.json"), JSON.stringify({ pid: process.pid, place }));
  const own = settingsFor(settings, { ...notes, stateDir });
  try {
    return await work(own);
  } finally {
    // If this fails, the next evaluation removes the index named by the folder.
    await discardIndex(own);
    process.off("exit", remove);
    remove();
  }
}

/** Removes the indexes of killed evaluations from this database. Their agents are named after their folders. */
async function removeLeftovers(settings: Settings): Promise<void> {
  const place = databaseOf(settings);
  if (place === null) return;
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    const stateDir = join(tmpdir(), name);
    const owner = readOwner(join(stateDir, "owner.json"));
    if (owner === null || owner.place !== place || isAlive(owner.pid)) continue;
    await discardIndex({ ...settings, agentId: basename(stateDir) });
    removeFolderSync(stateDir);
  }
}

/** The address without its secrets; null for an index in files. */
function databaseOf({ memorySearch: { store } }: Settings): string | null {
  return store.driver === "postgres" ? `${store.url}` : null;
}

function readOwner(path: string): { readonly pid: number; readonly place: string } | null {
  // Missing or truncated: the folder is left alone.
  const { pid, place } = fieldsOf(parseJson(readTextFile(path) ?? ""));
  const isOwner = typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0;
  return isOwner && typeof place === "string" ? { pid, place } : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== "ESRCH";
  }
}

interface NotesLocation {
  readonly workspaceDir: string;
  readonly extraPaths: readonly string[];
  readonly exclude: readonly string[];
  /** The location of the index. */
  readonly stateDir: string;
}

/**
 * The same settings for other notes, with a separate index. Chunking, embedding and ranking stay the same; the user's
 * own notes and index are not touched.
 */
export function settingsFor(settings: Settings, place: NotesLocation): Settings {
  const quiet = withoutScans(settings);
  const { workspaceDir, stateDir, extraPaths, exclude } = place;
  const { store } = quiet.memorySearch;
  return {
    ...quiet,
    workspaceDir,
    stateDir,
    // A unique agent, so that a shared database keeps the index apart.
    agentId: basename(stateDir),
    project: null,
    userLayer: null,
    memory: { ...quiet.memory, backend: "builtin" },
    memorySearch: {
      ...quiet.memorySearch,
      sources: ["memory"],
      extraPaths: [...extraPaths],
      exclude: [...exclude],
      store: {
        ...store,
        path: join(stateDir, "index.sqlite"),
        // Without one, the index is below the state folder.
        url: store.driver === "postgres" ? store.url : undefined,
      },
    },
  };
}

/** Searches without the check for changed files, which would distort the timing. */
export function withoutScans(settings: Settings): Settings {
  const { memorySearch } = settings;
  const sync = { ...memorySearch.sync, onSearch: false, watch: false };
  return { ...settings, memorySearch: { ...memorySearch, sync } };
}
