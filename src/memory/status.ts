import { findUnusedServices, type UnusedServices } from "../config/provider-access.ts";
import type { Project, Settings } from "../config/settings.ts";
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
  /** What clones and worktrees of its repository share; absent where there is none, or an agent was named. */
  readonly project?: Project;
  readonly workspaceDir: string;
  /** Whether hooks may give its notes to an agent. */
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
    /** The sqlite-vec library that the configuration names. */
    readonly extensionPath?: string;
    readonly dims?: number;
    readonly loadError?: string;
  };
  readonly batch: BatchModeStatus;
  /** Who answers instead of the provider or backend that was asked for, and why; absent while that one answers. */
  readonly fallback?: Fallback;
  /** With the backend qmd: which one, and how it is. */
  readonly qmd?: NonNullable<EngineStatus["preferred"]>;
  /** With the entries plugin: its facts, and the index of them. */
  readonly entries?: EntriesStatus;
  /** Which embedder and why, what would be better, what it cost and what it could not do. */
  readonly embedding: EmbeddingStatus;
  /** Transcripts in the index, what was said in them, and lines of them that could not be understood. */
  readonly sessions: { readonly files: number; readonly turns: number; readonly malformedLines: number };
  readonly onDisk: EngineStatus["onDisk"];
  readonly sizeBytes: number;
  readonly sizes: EngineStatus["description"]["sizes"];
  /** How the index was made, as it says itself. */
  readonly meta: EngineStatus["description"]["meta"];
  /** Why the index cannot be asked at all: then all that is told of it is empty, and `dirty` is a guess. */
  readonly unavailable?: ReturnType<LonghandError["toJSON"]>;
  /** Why the index can only be read at present; absent when it can be written. */
  readonly readOnly?: string;
  /** Damaged indexes that were quarantined, the latest last. */
  readonly setAside: readonly string[];
  /** What killed processes were forgetting, with the notes: the index may hold the text until the next sync. */
  readonly owedPurges: readonly { readonly at: string; readonly notes: readonly string[] }[];
  readonly lastSync?: EngineStatus["lastSync"];
  /** The latest passes that did something, the newest first; without the time that embedding took. */
  readonly syncs: NonNullable<EngineStatus["syncs"]>;
  /** What machines that share the index have lately done to each other's notes; absent for nothing. */
  readonly sharing?: NonNullable<EngineStatus["sharing"]>;
  readonly watcher: EngineStatus["watcher"];
  readonly atWork: EngineStatus["atWork"];
  /** The user's memory, searched beside this one; absent where there is none. */
  readonly userLayer?: UserLayerStatus;
  /** Searches look for changes first, so they need no watcher. */
  readonly syncOnSearch: boolean;
}

export interface UserLayerStatus
  extends Pick<MemoryStatus, "workspaceDir" | "files" | "chunks" | "dirty" | "dbPath"> {
  /** Why it cannot be used; then the figures are 0. */
  readonly problem?: string;
}

/** All but what depends on who opened the memory. */
export type DescribedMemory = Omit<MemoryStatus, "trusted" | "owedPurges">;

export interface BatchModeStatus {
  /** Switched on, offered by the provider, and not given up by this process. */
  readonly enabled: boolean;
  /** In a row; with `limit` of them ordinary requests take over. */
  readonly failures: number;
  readonly limit: number;
  /** As configured: `remote.batch`. */
  readonly wait: boolean;
  readonly concurrency: number;
  readonly pollIntervalMs: number;
  readonly timeoutMs: number;
  /** Jobs under way, whichever process began them. */
  readonly pending: readonly { readonly id?: string; readonly texts: number; readonly since: string }[];
  /** What went wrong last, or why it is not enabled although it is switched on. */
  readonly problem?: string;
}

export interface EmbeddingStatus {
  readonly why: string;
  readonly better?: string;
  /** Keys and settings of services that nobody chose, and what would use them. */
  readonly unused?: UnusedServices;
  /** While vectors are being made: how far they are, and who answers until then. */
  readonly meanwhile?: string;
  /** Texts of the index that have vectors, and those that still lack them. */
  readonly texts: number;
  readonly missing: number;
  /** About how many tokens the missing ones have, and what they will cost; null when that is not known. */
  readonly missingTokens: number;
  readonly missingCostUsd: number | null;
  /** What a service was asked for the notes of this index; a cost that is not known is null. */
  readonly requests: number;
  readonly tokens: number;
  readonly costUsd: number | null;
  /** Texts that the embedder did not take, the latest last: found by their words alone. */
  readonly refused: readonly { readonly hash: string; readonly reason: string; readonly at: string }[];
  /** How well the embedder tells sentences of the notes apart, see docs/search.md; absent while that is not known. */
  readonly check?: EmbedderCheck;
  /** What the last pass could not do. */
  readonly problems: readonly string[];
}

/** Which embedder is in use, and why not the one that was asked for. */
export interface EmbedderChoice {
  readonly provider: string;
  readonly model?: string;
  readonly why: string;
  readonly better?: () => Promise<string>;
  readonly fallback?: Fallback;
}

interface StatusParts extends Pick<MemoryStatus, "sessions" | "setAside"> {
  readonly chosen: EmbedderChoice;
  readonly meanwhile: string | null;
}

export async function describeStatus(
  engine: EngineStatus,
  settings: Settings,
  { chosen, sessions, setAside, meanwhile }: StatusParts,
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
    // Vectors of the builtin model cost no call and are not cached.
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
    setAside,
    ...(lastSync === undefined ? {} : { lastSync }),
    syncs,
    ...(engine.sharing === undefined ? {} : { sharing: engine.sharing }),
    watcher,
    atWork: engine.atWork,
    syncOnSearch: memorySearch.sync.onSearch,
  };
}

/** While the server that keeps the index is away: what the notes and the settings tell alone. */
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
  const parts = { chosen, sessions, setAside: [], meanwhile: null };
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
