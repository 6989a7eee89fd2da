import { join, resolve } from "node:path";
import { lanceAccess, prepareLance } from "../config/lance-access.ts";
import type { Settings } from "../config/settings.ts";
import type { BuiltinEngineOptions } from "../engines/builtin.ts";
import type { IndexContents } from "../stores/index-contents.ts";
import { lockPathOf } from "../stores/lock.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import { checkIndexFile } from "../stores/sqlite/open-for-reading.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../stores/sqlite/sqlite-store.ts";
import type { Store } from "../stores/store.ts";
import { createWorkLock } from "../stores/work-lock-file.ts";
import { sha256 } from "../text/hash.ts";

/** Indexing parameters that every store needs. */
export type IndexingParts = Required<
  Pick<SqliteStoreOptions, "analyzerId" | "tokens" | "chunking" | "maxCachedVectors">
>;

/** The index that the settings ask for. */
export interface ChosenStore {
  /** Its location for display: a path, or an address without secrets. */
  readonly place: string;
  open(): Promise<Store>;
  /** Coordinate large work with other processes on the same index. */
  readonly locks: BuiltinEngineOptions["locks"];
  /** Problems with its files, one sentence each. */
  checkFiles(): readonly string[];
  /** The complete contents of the open store and of an index file, in a form that can be compared. */
  openContents(store: Store, embedderId: string | undefined): Promise<IndexContents>;
  openFileContents(path: string, embedderId: string | undefined): Promise<IndexContents>;
  /** For an index shared between machines: what this machine has indexed of its files. */
  readonly seen?: SeenContents;
  /** Whether it accepts tokens prepared in advance. */
  readonly takesWords?: true;
}

type StoreDriver = (settings: Settings, parts: IndexingParts) => Promise<ChosenStore>;

const drivers: Record<Settings["memorySearch"]["store"]["driver"], StoreDriver> = {
  sqlite: chooseSqlite,
  postgres: choosePostgres,
  lancedb: chooseLance,
};

/** Loads only the chosen driver. */
export async function chooseStore(settings: Settings, parts: IndexingParts): Promise<ChosenStore> {
  return await drivers[settings.memorySearch.store.driver](settings, parts);
}

/** Deletes the rows of an agent in a shared database; an index in files is deleted with its files. */
export async function discardIndex(settings: Settings): Promise<void> {
  const { memorySearch, agentId } = settings;
  const { driver, url } = memorySearch.store;
  if (driver !== "postgres") return;
  const { removeAgent } = await import("../stores/postgres/postgres-store.ts");
  await removeAgent({ url: url!.reveal(), place: `${url}`, agent: agentId });
}

/** Opens an index file, whatever the settings say, for a fresh build to compare with. */
export async function openIndexFile(path: string, parts: IndexingParts): Promise<Store> {
  return await openSqliteStore({ path, ...parts });
}

async function chooseSqlite(settings: Settings, parts: IndexingParts): Promise<ChosenStore> {
  const { path, vector } = settings.memorySearch.store;
  const owner = settings.agentId;
  const vectorExtension = vector.enabled ? vector.extensionPath : undefined;
  return {
    place: path,
    open: () => openSqliteStore({ path, owner, vectorExtension, ...parts }),
    locks: openLocks(settings.stateDir, resolve(path)),
    checkFiles: () => checkIndexFile(path),
    openContents: (_, embedderId) => openContentsOf(path, embedderId),
    openFileContents: openContentsOf,
    takesWords: true,
  };
}

async function chooseLance(settings: Settings, parts: IndexingParts): Promise<ChosenStore> {
  const { openLanceStore, parseLocation } = await import("../stores/lancedb/lance-store.ts");
  prepareLance();
  const access = lanceAccess(settings);
  const { shown } = parseLocation(access.location);
  return {
    place: shown,
    open: () => openLanceStore({ ...access, owner: settings.agentId, ...parts }),
    locks: openLocks(settings.stateDir, shown),
    seen: await openSeen(settings, shown),
    ...compareByInterface(parts),
  };
}

async function openContentsOf(path: string, embedderId: string | undefined): Promise<IndexContents> {
  const { openIndexContents } = await import("../stores/sqlite/index-contents.ts");
  return await openIndexContents({ path, embedderId });
}

async function choosePostgres(settings: Settings, parts: IndexingParts): Promise<ChosenStore> {
  const { createPostgresIndex } = await import("../stores/postgres/postgres-store.ts");
  // The configuration check guarantees an address for this driver.
  const address = settings.memorySearch.store.url!;
  const place = `${address}`;
  // Clones and worktrees share the index of their project; an older index made for the folder is still used.
  const { agentId, project } = settings;
  const owner = project?.id ?? agentId;
  const formerly = project === null ? undefined : agentId;
  const { open, locks } = createPostgresIndex({ url: address.reveal(), place, owner, formerly, ...parts });
  const { watch } = openLocks(settings.stateDir, `${place} ${owner}`)!;
  // Processes on one machine elect a watcher; each machine has its own notes.
  const seen = await openSeen(settings, place);
  return { place, open, locks: { ...locks, watch }, seen, ...compareByInterface(parts) };
}

/** One per notes folder: two folders may share an index and differ. */
async function openSeen({ stateDir, agentId, workspaceDir }: Settings, place: string): Promise<SeenContents> {
  const { createSeenContents } = await import("../stores/seen-contents.ts");
  const digest = sha256(`${place} ${agentId} ${workspaceDir}`).slice(0, 16);
  return createSeenContents(join(stateDir, "memory", `seen-${digest}.json`));
}

/** For an index that is not a file: compares it through the store interface. */
function compareByInterface(
  parts: IndexingParts,
): Pick<ChosenStore, "checkFiles" | "openContents" | "openFileContents"> {
  return {
    checkFiles: () => [],
    async openContents(store, embedderId) {
      const { readStoreContents } = await import("../stores/index-contents.ts");
      return { ...readStoreContents(store, embedderId), async [Symbol.asyncDispose]() {} };
    },
    async openFileContents(path, embedderId) {
      const { readStoreContents } = await import("../stores/index-contents.ts");
      const store = await openIndexFile(path, parts);
      const contents = readStoreContents(store, embedderId);
      return { ...contents, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
  };
}

/** One set of locks per index for all processes on this machine, created on demand because most searches need none. */
function openLocks(stateDir: string, place: string): ChosenStore["locks"] {
  const lockOf = (work: string) => createWorkLock(lockPathOf(stateDir, work, place));
  return {
    get documents() {
      return lockOf("documents");
    },
    get vectors() {
      return lockOf("vectors");
    },
    get watch() {
      return lockOf("watch");
    },
  };
}
