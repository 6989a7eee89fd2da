import { findUnusedServices, type UnusedServices } from "../config/provider-access.ts";
import type { Project, Settings } from "../config/settings.ts";
import type { PendingRecovery } from "../consolidate/undo-receipt.ts";
import type { Fallback } from "../embedders/fallback-chain.ts";
import type { EngineStatus } from "../engines/engine.ts";
import type { EntriesStatus } from "../entries/entries.ts";
import type { LonghandError } from "../errors.ts";
import type { DiscoveredNotes } from "../notes/discover.ts";
import type { EmbedderCheck } from "../search/embedder-check.ts";
import type { SourceName } from "../text/document.ts";

export interface MemoryStatus {
  readonly backend: "builtin" | "qmd";
  readonly provider: string;
  readonly model?: string;
  readonly requestedProvider: string;
  readonly files: number;
  readonly chunks: number;
  /** Something on disk is not in the index yet. */
  readonly dirty: boolean;
  readonly agentId: string;
  /** Shared by the clones and worktrees of its repository; absent without a repository, or if an agent was named. */
  readonly project?: Project;
  readonly workspaceDir: string;
  /** Whether hooks may pass its notes to an agent. */
  readonly trusted: boolean;
  readonly dbPath: string;
  readonly extraPaths: readonly string[];
  readonly sources: readonly SourceName[];
  readonly sourceCounts: readonly { source: SourceName; files: number; chunks: number }[];
  readonly cache: { readonly enabled: boolean; readonly entries: number; readonly maxEntries: number };
  readonly fts: { readonly enabled: boolean; readonly available: boolean; readonly error?: string };
  readonly vector: {
    readonly enabled: boolean;
    readonly available: boolean;
    readonly path: "sqlite-vec" | "pgvector" | "builtin";
    /** The configured sqlite-vec library. */
    readonly extensionPath?: string;
    readonly dims?: number;
    readonly loadError?: string;
  };
  readonly batch: BatchModeStatus;
  /** The fallback in use and the reason; absent while the requested provider or backend answers. */
  readonly fallback?: Fallback;
  /** With the backend qmd: its version and state. */
  readonly qmd?: NonNullable<EngineStatus["preferred"]>;
  /** With the entries plugin: its entries and their index. */
  readonly entries?: EntriesStatus;
  /** The embedder and why it was chosen, what would be better, its costs and its problems. */
  readonly embedding: EmbeddingStatus;
  /** Transcripts in the index, their turns, and lines that could not be parsed. */
  readonly sessions: { readonly files: number; readonly turns: number; readonly malformedLines: number };
  readonly onDisk: EngineStatus["onDisk"];
  readonly sizeBytes: number;
  readonly sizes: EngineStatus["description"]["sizes"];
  /** How the index was built, as recorded in it. */
  readonly meta: EngineStatus["description"]["meta"];
  /** Why the index is unavailable; its figures are then empty, and `dirty` is a guess. */
  readonly unavailable?: ReturnType<LonghandError["toJSON"]>;
  /** Why the index is read-only at present; absent if it can be written. */
  readonly readOnly?: string;
  /** Damaged indexes that were quarantined, the latest last. */
  readonly quarantined: readonly string[];
  /**
   * Forgets that killed processes left unfinished, with their notes: the index may hold the text until the next sync.
   */
  readonly pendingPurges: readonly { readonly at: string; readonly notes: readonly string[] }[];
  /** Applies and undos of consolidation that were interrupted and could not be put in order yet, with the reason. */
  readonly pendingRecoveries: readonly PendingRecovery[];
  readonly lastSync?: EngineStatus["lastSync"];
  /** The latest syncs that changed something, newest first; without the time for embedding. */
  readonly syncs: NonNullable<EngineStatus["syncs"]>;
  /** Recent problems between machines that share the index; absent if there are none. */
  readonly sharing?: NonNullable<EngineStatus["sharing"]>;
  readonly watcher: EngineStatus["watcher"];
  readonly atWork: EngineStatus["atWork"];
  /** The user's memory, searched together with this one; absent if there is none. */
  readonly userLayer?: UserLayerStatus;
  /** Searches check for changes first, so they need no watcher. */
  readonly syncOnSearch: boolean;
}

export interface UserLayerStatus
  extends Pick<MemoryStatus, "workspaceDir" | "files" | "chunks" | "dirty" | "dbPath"> {
  /** Why it is unavailable; the figures are then 0. */
  readonly problem?: string;
}

/** Everything that does not depend on who opened the memory. */
export type DescribedMemory = Omit<MemoryStatus, "trusted" | "pendingPurges" | "pendingRecoveries">;

export interface BatchModeStatus {
  /** Enabled, supported by the provider, and not given up by this process. */
  readonly enabled: boolean;
  /** Consecutive failures; at `limit`, ordinary requests take over. */
  readonly failures: number;
  readonly limit: number;
  /** As configured: `remote.batch`. */
  readonly wait: boolean;
  readonly concurrency: number;
  readonly pollIntervalMs: number;
  readonly timeoutMs: number;
  /** Pending jobs of any process. */
  readonly pending: readonly { readonly id?: string; readonly texts: number; readonly since: string }[];
  /** The last failure, or why it is unavailable although it is enabled. */
  readonly problem?: string;
}

export interface EmbeddingStatus {
  readonly why: string;
  readonly better?: string;
  /** Keys and settings of services that are not in use, and what would use them. */
  readonly unused?: UnusedServices;
  /** While vectors are being computed: the progress, and which embedder answers until then. */
  readonly meanwhile?: string;
  /** Indexed texts with vectors, and those that still lack them. */
  readonly texts: number;
  readonly missing: number;
  /** Estimated tokens of the missing ones, and their cost; null if unknown. */
  readonly missingTokens: number;
  readonly missingCostUsd: number | null;
  /** Usage of the service for the notes of this index; null for an unknown cost. */
  readonly requests: number;
  readonly tokens: number;
  readonly costUsd: number | null;
  /** Texts that the embedder rejected, latest last; only keyword search finds them. */
  readonly refused: readonly { readonly hash: string; readonly reason: string; readonly at: string }[];
  /** How well the embedder tells sentences of the notes apart, see docs/search.md; absent while unknown. */
  readonly check?: EmbedderCheck;
  /** Problems of the last sync. */
  readonly problems: readonly string[];
}

/** The embedder in use, and why it is not the requested one. */
export interface EmbedderChoice {
  readonly provider: string;
  readonly model?: string;
  readonly why: string;
  readonly better?: () => Promise<string>;
  readonly fallback?: Fallback;
}

interface StatusParts extends Pick<MemoryStatus, "sessions" | "quarantined"> {
  readonly chosen: EmbedderChoice;
  readonly meanwhile: string | null;
}

export async function describeStatus(
  engine: EngineStatus,
  settings: Settings,
  { chosen, sessions, quarantined, meanwhile }: StatusParts,
): Promise<DescribedMemory> {
  const { memorySearch, agentId, workspaceDir, memory } = settings;
  const { statistics, keyword, vectors, onDisk, lastSync, dbPath, watcher, description, syncs = [] } = engine;
  const { provider, model, why } = chosen;
  const unused = findUnusedServices(settings);
  const better = unused === null ? await chosen.better?.() : undefined;
  const { preferred } = engine;
  const fallback = preferred?.fallback ?? chosen.fallback;
  const { refused = [], problems = [] } = engine.embedding ?? {};
  const usage = vectors?.usage;
  const { extensionPath } = memorySearch.store.vector;
  const loadError = vectors === undefined ? chosen.fallback?.reason : vectors.loadError;
  return {
    backend: memory.backend,
    provider,
    ...(model === undefined ? {} : { model }),
    requestedProvider: memorySearch.provider,
    files: statistics.files,
    chunks: statistics.chunks,
    dirty: onDisk.changed > 0 || (vectors?.missing ?? 0) > 0,
    agentId,
    ...(settings.project && { project: settings.project }),
    workspaceDir,
    dbPath,
    extraPaths: memorySearch.extraPaths,
    sources: memorySearch.sources,
    sourceCounts: statistics.sources,
    // Vectors of the builtin model need no request and are not cached.
    cache: {
      enabled: memorySearch.cache.enabled,
      entries: vectors?.cacheEntries ?? 0,
      maxEntries: memorySearch.cache.maxEntries,
    },
    fts: { enabled: true, ...keyword },
    vector: {
      enabled: memorySearch.store.vector.enabled,
      available: vectors !== undefined,
      path: vectors?.path ?? "builtin",
      ...(extensionPath === undefined ? {} : { extensionPath }),
      ...(vectors?.dims === undefined ? {} : { dims: vectors.dims }),
      ...(loadError === undefined ? {} : { loadError }),
    },
    batch: describeBatch(engine.batch, { provider, settings: memorySearch.remote.batch }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(preferred === undefined ? {} : { qmd: preferred }),
    embedding: {
      why,
      ...(better === undefined ? {} : { better }),
      ...(unused === null ? {} : { unused }),
      ...(meanwhile === null ? {} : { meanwhile }),
      texts: vectors?.texts ?? 0,
      missing: vectors?.missing ?? 0,
      missingTokens: vectors?.missingTokens ?? 0,
      missingCostUsd: engine.embedding === undefined ? 0 : engine.embedding.missingCostUsd,
      requests: usage?.requests ?? 0,
      tokens: usage?.tokens ?? 0,
      costUsd: usage === undefined ? 0 : usage.costUsd,
      refused,
      ...(engine.embedding?.check && { check: engine.embedding.check }),
      problems,
    },
    sessions,
    onDisk,
    sizeBytes: statistics.sizeBytes,
    sizes: description.sizes,
    meta: description.meta,
    ...(statistics.readOnly === undefined ? {} : { readOnly: statistics.readOnly }),
    quarantined,
    ...(lastSync === undefined ? {} : { lastSync }),
    syncs,
    ...(engine.sharing === undefined ? {} : { sharing: engine.sharing }),
    watcher,
    atWork: engine.atWork,
    syncOnSearch: memorySearch.sync.onSearch,
  };
}

/** The status while the index's server is unavailable, from the notes and the settings alone. */
export async function describeWithoutIndex(
  error: LonghandError,
  settings: Settings,
  { chosen, notes, place }: { chosen: EmbedderChoice; notes: DiscoveredNotes; place: string },
): Promise<DescribedMemory> {
  const nothing: EngineStatus = {
    statistics: { files: 0, chunks: 0, sources: [], sizeBytes: 0 },
    dbPath: place,
    keyword: { available: false, error: error.message },
    onDisk: { files: notes.entries.length, changed: 0, added: 0, gone: 0, skipped: notes.skipped },
    description: { sizes: { databaseBytes: 0, walBytes: 0, vectorBytes: 0, cacheBytes: 0 }, meta: {} },
    watcher: { mode: "none" },
    atWork: [],
  };
  const sessions = { files: 0, turns: 0, malformedLines: 0 };
  const parts = { chosen, sessions, quarantined: [], meanwhile: null };
  const status = await describeStatus(nothing, settings, parts);
  return { ...status, dirty: true, unavailable: error.toJSON() };
}

function describeBatch(
  batch: EngineStatus["batch"],
  { provider, settings }: { provider: string; settings: Settings["memorySearch"]["remote"]["batch"] },
): BatchModeStatus {
  const { wait, concurrency, pollIntervalMs, timeoutMinutes } = settings;
  const configured = { wait, concurrency, pollIntervalMs, timeoutMs: timeoutMinutes * 60_000 };
  if (batch === undefined) {
    const problem = settings.enabled ? { problem: `the provider ${provider} has no batch jobs` } : {};
    return { enabled: false, failures: 0, limit: 2, ...configured, pending: [], ...problem };
  }
  const { isOn, failures, limit, last, pending } = batch;
  return {
    enabled: isOn,
    failures,
    limit,
    ...configured,
    pending,
    ...(last === null ? {} : { problem: last }),
  };
}
