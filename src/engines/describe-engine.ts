import type { Embedder } from "../embedders/embedder.ts";
import type { Source } from "../sources/source.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import { requireVectors, type Store, type StoreDescription } from "../stores/store.ts";
import type { LocalWorkLock } from "../stores/work-lock.ts";
import { readSharing } from "../sync/sharing.ts";
import { lastSyncFact, type SyncLocks } from "../sync/sync.ts";
import { readSyncHistory } from "../sync/sync-history.ts";
import { describeBatches } from "./batch-status.ts";
import { compareWithDisk } from "./compare-with-disk.ts";
import { describeEmbedding } from "./embedding-status.ts";
import type { EngineStatus } from "./engine.ts";
import { readMark } from "./index-mark.ts";
import { describeWatcher, describeWork } from "./watcher-status.ts";

export interface EngineParts {
  readonly store: Store;
  readonly dbPath: string;
  readonly sources: readonly Source[];
  readonly chunkerId: string;
  readonly embedder: Embedder | undefined;
  readonly problems: readonly string[];
  readonly locks: (SyncLocks & { readonly watch: LocalWorkLock }) | undefined;
  readonly seen?: SeenContents | undefined;
  readonly now: () => Date;
}

/** What `longhand status` says of an index, and of who works on it. */
export async function describeEngine(parts: EngineParts): Promise<EngineStatus> {
  const { store, dbPath, sources, chunkerId, embedder, problems, locks, seen, now } = parts;
  const [statistics, lastSync] = [await store.stats(), await store.readFact(lastSyncFact)];
  const comparisons = [];
  const mark = seen && (await readMark(store));
  if (mark) await seen.open(mark);
  for (const source of sources) comparisons.push(await compareWithDisk({ source, store, chunkerId, seen }));
  const sharing = seen && (await readSharing(store, now()));
  const batch = embedder && (await describeBatches(store, embedder));
  const changedAt = comparisons.flatMap(({ oldestChange }) => oldestChange?.getTime() ?? []);
  return {
    statistics,
    dbPath,
    keyword: statistics.keyword ?? { available: true },
    ...(embedder ? await describeEmbedding(requireVectors(store), embedder, problems) : {}),
    ...(batch === undefined ? {} : { batch }),
    onDisk: {
      files: comparisons.reduce((sum, { files }) => sum + files, 0),
      changed: comparisons.reduce((sum, { changed }) => sum + changed, 0),
      added: comparisons.reduce((sum, { added }) => sum + added, 0),
      gone: comparisons.reduce((sum, { gone }) => sum + gone, 0),
      ...(changedAt.length === 0 ? {} : { lagMs: Math.max(0, now().getTime() - Math.min(...changedAt)) }),
      skipped: comparisons.flatMap(({ skipped }) => skipped),
    },
    description: (await store.describe?.()) ?? nothingKnown,
    ...parseLastSync(lastSync),
    syncs: await readSyncHistory(store),
    watcher: describeWatcher(locks?.watch),
    ...(sharing ? { sharing } : {}),
    atWork: await describeWork([locks?.documents, locks?.vectors]),
  };
}

const nothingKnown: StoreDescription = {
  sizes: { databaseBytes: 0, walBytes: 0, vectorBytes: 0, cacheBytes: 0 },
  meta: {},
};

/** Absent when there was none, or when what is remembered of it makes no sense. */
function parseLastSync(fact: string | null): Pick<EngineStatus, "lastSync"> {
  try {
    const { at, reason, failed } = JSON.parse(fact ?? "{}");
    if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return {};
    return { lastSync: { at, reason: String(reason), failed: Number(failed) || 0 } };
  } catch {
    return {};
  }
}
