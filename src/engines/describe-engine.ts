import type { Embedder } from "../embedders/embedder.ts";
import { type ErrorCode, LonghandError, messageOf } from "../errors.ts";
import { readEmbedderCheck } from "../search/embedder-check.ts";
import type { SkippedEntry, SkipReason, Source } from "../sources/source.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import { requireVectors, type Store, type StoreDescription, type VectorStore } from "../stores/store.ts";
import type { LocalWorkLock, WorkLock } from "../stores/work-lock.ts";
import { readJobs } from "../sync/embed-by-jobs.ts";
import { readRefused } from "../sync/embedding-record.ts";
import { costOf } from "../sync/estimate-embedding.ts";
import { planSync } from "../sync/plan.ts";
import { lastSyncFact, type SyncLocks } from "../sync/sync.ts";
import { readSharing, readSyncHistory } from "../sync/sync-records.ts";
import { fieldsOf } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";
import type { BatchStatus, EngineStatus, WatcherStatus, WorkStatus } from "./engine.ts";
import { readIndexId } from "./sync-runs.ts";

interface EngineParts {
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

/** The index as `longhand status` shows it, and the processes working on it. */
export async function describeEngine(parts: EngineParts): Promise<EngineStatus> {
  const { store, dbPath, sources, chunkerId, embedder, problems, locks, seen, now } = parts;
  const [statistics, lastSync] = [await store.stats(), await store.readFact(lastSyncFact)];
  const comparisons = [];
  const indexId = seen && (await readIndexId(store));
  if (indexId) await seen.open(indexId);
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

/** Absent if there was none, or if its record cannot be read. */
function parseLastSync(fact: string | null): Pick<EngineStatus, "lastSync"> {
  const { at, reason, failed } = fieldsOf(parseJson(fact ?? ""));
  if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return {};
  return { lastSync: { at, reason: String(reason), failed: Number(failed) || 0 } };
}

/** Undefined if the embedder has no batch jobs. */
async function describeBatches(
  store: Pick<Store, "readFact" | "writeFact">,
  embedder: Embedder,
): Promise<BatchStatus | undefined> {
  if (embedder.batches === undefined) return undefined;
  const jobs = await readJobs(store, embedder);
  return {
    ...embedder.batches.trouble(),
    isOn: embedder.batches.isOn(),
    pending: jobs.map(({ id, hashes, since }) => ({
      ...(id === null ? {} : { id }),
      texts: hashes.length,
      since,
    })),
  };
}

/** The progress of an embedder on an index, and its failures. */
async function describeEmbedding(
  store: VectorStore,
  embedder: Embedder,
  problems: readonly string[],
): Promise<Required<Pick<EngineStatus, "vectors" | "embedding">>> {
  const vectors = await store.vectorStatistics(embedder.id);
  const refused = await readRefused(store, embedder.id);
  const missingCostUsd = embedder.usage === undefined ? 0 : costOf(vectors.missingTokens, embedder);
  const check = await readEmbedderCheck(store, embedder.id);
  return { vectors, embedding: { refused, problems, missingCostUsd, ...(check && { check }) } };
}

/** The watching process on this machine, according to its lock. */
function describeWatcher(lock: LocalWorkLock | undefined): WatcherStatus {
  const holder = lock?.holder() ?? null;
  if (holder === null) return { mode: "none" };
  const { pid, since, doing, silentMs } = holder;
  const isPaused = silentMs > pausedMs;
  return {
    mode: isPaused ? "paused" : doing === "polling" ? "polling" : "watching",
    pid,
    since: since.toISOString(),
  };
}

/** The holders of locks for large work. */
async function describeWork(locks: readonly (WorkLock | undefined)[]): Promise<WorkStatus[]> {
  const work: WorkStatus[] = [];
  for (const lock of locks) {
    const holder = (await lock?.holder()) ?? null;
    if (holder !== null) {
      work.push({ pid: holder.pid, doing: holder.doing, since: holder.since.toISOString() });
    }
  }
  return work;
}

/** A running process renews its lock every second or two. */
const pausedMs = 10_000;

interface DiskComparison {
  readonly files: number;
  /** What a sync would change in the index: new, changed and removed documents. */
  readonly changed: number;
  readonly added: number;
  readonly gone: number;
  /** The time of the oldest change, according to file times; null if there is none. */
  readonly oldestChange: Date | null;
  readonly skipped: readonly SkippedEntry[];
}

interface CompareParts extends Pick<EngineParts, "store" | "chunkerId" | "seen"> {
  readonly source: Source;
}

/**
 * Beyond this many, apparent changes count without being read, which would take more than about a second. A newly
 * cloned or copied folder, once indexed, has as many as it has notes.
 */
const maxRead = 5000;

const reasonOf: Partial<Record<ErrorCode, SkipReason>> = {
  "note-binary": "binary",
  "note-too-large": "too-large",
};

/**
 * What a sync would find, without running it. A note that was read right after its change is listed as changed until it
 * is read again (a second change could have the same timestamp), and one that can never be indexed is listed each time:
 * their contents decide, so that the status after a sync raises no false alarm.
 */
async function compareWithDisk({ source, store, chunkerId, seen }: CompareParts): Promise<DiskComparison> {
  const known = await store.versions(source.name);
  const listing = await source.list({ known });
  const plan = planSync(listing, known, {
    chunkerId,
    force: false,
    seen: seen && ((path) => seen.find(source.name, path)),
  });
  const skipped = [...listing.skipped];
  let oldestChange: Date | null = null;
  const gone = plan.removed.length + plan.vanished.length;
  let changed = gone;
  let added = 0;
  for (const [index, { path }] of [...plan.added, ...plan.changed].entries()) {
    const before = known.get(path);
    try {
      const since = before?.chunker === chunkerId ? before.version : undefined;
      const document = index < maxRead ? await source.read(path, { since }) : null;
      const isEqual = since !== undefined && document?.hash === before?.hash;
      if (isEqual) continue;
      changed++;
      if (before === undefined) added++;
      const at = document?.modifiedAt;
      if (at !== undefined && (oldestChange === null || at < oldestChange)) oldestChange = at;
    } catch (error) {
      const reason = error instanceof LonghandError ? reasonOf[error.code] : undefined;
      const detail = messageOf(error);
      skipped.push({ path, reason: reason ?? "unreadable", detail });
    }
  }
  // A listed file that turned out not to be indexable counts once, as skipped.
  const files = listing.entries.length - (skipped.length - listing.skipped.length);
  return { files, changed, added, gone, oldestChange, skipped };
}
