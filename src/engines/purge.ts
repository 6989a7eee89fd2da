import type { Source } from "../sources/source.ts";
import type { PurgeReport, Store } from "../stores/store.ts";
import type { HeldWork, WorkLock } from "../stores/work-lock.ts";
import { indexPaths } from "../sync/index-paths.ts";
import { takeTurn } from "../sync/turn.ts";
import type { Chunker } from "../text/document.ts";
import type { Purge } from "./engine.ts";

export interface PurgeParts {
  readonly source: Source;
  readonly store: Store;
  readonly chunker: Chunker;
  /** Waits for a pass that may have read the notes before they were edited. */
  readonly settle: () => Promise<void>;
  /** Held by a process that indexes many notes, which may do the same. */
  readonly lock?: WorkLock | undefined;
  /** How long to wait for it. */
  readonly waitMs?: number;
}

const defaultWaitMs = 30_000;

/** Makes the index forget what was taken out of notes. Chunks that reached into it are cut anew from what is left. */
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

  return async ({ gone, texts }) => {
    await settle();
    await using work = lock ? await takeLock(lock, waitMs) : null;
    const problems = lock && work === null ? [await describeHolder(lock)] : [];
    // At once: a pass would doubt that notes are gone when most of them are.
    if (gone.length > 0) await store.remove(source.name, gone);
    const changed = paths.filter((path) => !gone.includes(path));
    const failed = await indexPaths({ source, store, chunker }, changed);
    // What cannot be read anew must not stay as it was; a later pass tries again.
    if (failed.length > 0) {
      await store.remove(
        source.name,
        failed.map(({ path }) => path),
      );
    }
    const after = await keysOf();
    const chunks = [...before].filter((key) => !after.has(key)).length;
    return { chunks, problems, ...((await store.purge?.({ texts })) ?? unable) };
  };
}

/** Null when another process kept it for too long. */
async function takeLock(lock: WorkLock, waitMs: number): Promise<HeldWork | null> {
  const signal = AbortSignal.timeout(waitMs);
  try {
    const turn = await takeTurn(lock, { doing: "forgetting", waits: true, progress: undefined, signal });
    return turn.kind === "held" ? turn.work : null;
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

const unable: PurgeReport = {
  cacheEntries: 0,
  stillIn: [],
  deletedFiles: [],
  rawSearch: "not-searched",
  detail: "this kind of index cannot be searched byte by byte",
};
