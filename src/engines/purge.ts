import type { Source } from "../sources/source.ts";
import type { PurgeReport, Store } from "../stores/store.ts";
import type { HeldLock, WorkLock } from "../stores/work-lock.ts";
import { acquireWorkLock } from "../sync/acquire-work-lock.ts";
import { clearRefused } from "../sync/embedding-record.ts";
import { indexPaths } from "../sync/index-paths.ts";
import type { Chunker } from "../text/document.ts";
import type { Purge } from "./engine.ts";

interface PurgeParts {
  readonly source: Source;
  readonly store: Store;
  readonly chunker: Chunker;
  /** Waits for a sync that may have read the notes before they were edited. */
  readonly settle: () => Promise<void>;
  /** Held by a process that indexes many notes, which may have read them too. */
  readonly lock?: WorkLock | undefined;
  /** How long to wait for it. */
  readonly waitMs?: number;
}

const defaultWaitMs = 30_000;

/** Another process can restore an old version of a note only once; afterwards it is refused. */
const maxAttempts = 3;

/** Removes deleted text from the index. Chunks that overlapped it are rebuilt from the rest. */
export async function preparePurge(
  { source, store, chunker, settle, lock, waitMs = defaultWaitMs }: PurgeParts,
  paths: readonly string[],
): Promise<Purge> {
  const keysOf = async (): Promise<Set<number>> => {
    const keys = new Set<number>();
    for (const path of paths) {
      for (const { id } of await store.chunksOf(source.name, path)) keys.add(id);
    }
    return keys;
  };
  const before = await keysOf();

  const indexAgain = async (gone: readonly string[]): Promise<Set<number>> => {
    // Directly: a sync would hold back the removal if most notes are gone.
    if (gone.length > 0) await store.remove(source.name, gone);
    const changed = paths.filter((path) => !gone.includes(path));
    const failed = await indexPaths({ source, store, chunker }, changed);
    // A note that cannot be read must not stay as it was; a later sync tries again.
    if (failed.length > 0) {
      await store.remove(
        source.name,
        failed.map(({ path }) => path),
      );
    }
    return await keysOf();
  };

  return async ({ gone, ...request }) => {
    await settle();
    await using work = lock ? await acquireLock(lock, waitMs) : null;
    const problems = lock && work === null ? [await describeHolder(lock)] : [];
    await clearRefused(store);
    for (let attempt = 1; ; attempt++) {
      const after = await indexAgain(gone);
      const report = (await store.purge?.(request)) ?? cannotPurge;
      // A process that had read a note before it was edited may have written it meanwhile.
      const isStable = isSame(after, await keysOf());
      if (!isStable && attempt < maxAttempts) continue;
      if (!isStable) problems.push("Another process keeps writing the same notes to the index.");
      const chunks = [...before].filter((key) => !after.has(key)).length;
      return { chunks, ...report, problems };
    }
  };
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((key) => other.has(key));
}

/** Null if another process held it for too long. */
async function acquireLock(lock: WorkLock, waitMs: number): Promise<HeldLock | null> {
  const signal = AbortSignal.timeout(waitMs);
  try {
    const acquired = await acquireWorkLock(lock, {
      doing: "forgetting",
      waits: true,
      progress: undefined,
      signal,
    });
    return acquired.kind === "held" ? acquired.work : null;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

async function describeHolder(lock: WorkLock): Promise<string> {
  const holder = await lock.holder();
  const who = holder === null ? "Another process" : `Process ${holder.pid} (${holder.doing})`;
  return `The index may get the text again. ${who} may have read it before it was removed.`;
}

const cannotPurge: PurgeReport = {
  cacheEntries: 0,
  stillIn: [],
  deletedFiles: [],
  rawSearch: "not-searched",
  detail: "this store cannot purge what it has deleted",
};
