import { checkArgument, checkMemory } from "../memory/check-options.ts";
import type { Memory } from "../memory/memory.ts";
import type { ReadFileResult } from "../memory/note-requests.ts";
import type { SearchHit, SearchOptions } from "../search/search.ts";
import type { SyncReport } from "../sync/sync.ts";
import type { SourceName } from "../text/document.ts";
import { describeManager, type ManagerStatus } from "./manager-status.ts";

/** A hit in OpenClaw's shape: a score that does not apply is absent instead of null. */
export interface ManagerHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly textScore?: number;
  readonly vectorScore?: number;
  readonly snippet: string;
  readonly source: SourceName;
  readonly citation?: string;
}

export interface ManagerSearchOptions {
  readonly maxResults?: number;
  readonly minScore?: number;
  /** The session of the caller; private notes stay out of groups and channels. */
  readonly sessionKey?: string;
  /** Keyword search only: the embedder is not used. */
  readonly lexicalOnly?: boolean;
  readonly sources?: readonly SourceName[];
  /** Called with the kind of search that answered. */
  readonly onDebug?: (debug: ManagerDebug) => void;
  readonly signal?: AbortSignal;
}

export interface ManagerDebug {
  readonly backend: "builtin";
  readonly configuredMode: string;
  readonly effectiveMode: string;
  readonly fallback?: string;
}

export type ManagerReadResult =
  | {
      readonly status: "ok";
      readonly text: string;
      readonly path: string;
      readonly from: number;
      readonly lines: number;
      /** Whether more follows, or the only line was cut. */
      readonly truncated?: true;
      readonly nextFrom?: number;
    }
  | { readonly status: "not_found"; readonly text: ""; readonly path: string };

export interface ManagerSyncOptions {
  readonly reason?: string;
  readonly force?: boolean;
  readonly progress?: (update: { completed: number; total: number; label?: string }) => void;
}

export interface ManagerEmbeddingProbe {
  readonly ok: boolean;
  readonly error?: string;
  readonly checked: true;
  readonly checkedAtMs: number;
}

/** The methods of OpenClaw's memory search manager, for a memory of longhand. */
export interface SearchManager extends AsyncDisposable {
  search(query: string, options?: ManagerSearchOptions): Promise<ManagerHit[]>;
  readFile(request: {
    readonly relPath: string;
    readonly from?: number;
    readonly lines?: number;
    readonly sessionKey?: string;
  }): Promise<ManagerReadResult>;
  /** The state after the last `sync`, or at the last call; each call refreshes it for the next one. */
  status(): ManagerStatus;
  sync(options?: ManagerSyncOptions): Promise<void>;
  probeEmbeddingAvailability(): Promise<ManagerEmbeddingProbe>;
  /** The last probe, without running a new one; null before the first. */
  getCachedEmbeddingAvailability(): ManagerEmbeddingProbe | null;
  probeVectorAvailability(): Promise<boolean>;
  probeVectorStoreAvailability(): Promise<boolean>;
  /** Closes the memory. A second call has no effect. */
  close(): Promise<void>;
}

/**
 * Wraps a memory as OpenClaw's search manager and takes ownership: closing the manager closes the memory. It is
 * asynchronous because `status()` is not: the first status is read here.
 */
export async function createSearchManager(memory: Memory): Promise<SearchManager> {
  checkMemory("createSearchManager", memory);
  let known = describeManager(await memory.status());
  let probe: ManagerEmbeddingProbe | null = null;
  let refreshing: Promise<void> | null = null;
  let closing: Promise<void> | null = null;

  let syncProblem: string | undefined;

  const refresh = async (): Promise<void> => {
    known = describeManager(await memory.status(), syncProblem);
  };
  /** Nobody awaits it, so a failure keeps the last known status. */
  const refreshSoon = (): void => {
    if (refreshing !== null || closing !== null) return;
    refreshing = refresh()
      .catch(() => {})
      .finally(() => {
        refreshing = null;
      });
  };
  /** From then on, the status includes the result of the probe. */
  const probeVectors = async (): Promise<boolean> => {
    const { ok } = await memory.probeVectorAvailability();
    known = { ...known, vector: { ...known.vector, available: ok, semanticAvailable: ok } };
    return ok;
  };
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await refreshing;
      await memory.close();
    })();
    return closing;
  };

  return {
    async search(query, options = {}) {
      const { onDebug } = options;
      const request = readSearch(options);
      if (request === null) return [];
      const answer = await memory.search(query, request);
      onDebug?.({
        backend: "builtin",
        configuredMode: known.vector.available ? "hybrid" : "keyword",
        effectiveMode: answer.mode,
        ...(answer.fallback && { fallback: answer.fallback.reason }),
      });
      return answer.results.map(toManagerHit);
    },
    async readFile({ relPath, ...range }) {
      checkArgument("readFile", { name: "relPath", kind: "a string" }, relPath);
      const result = await memory.readFile({ ...range, relPath: relPath.trim().replace(/^(?:\.\/)+/, "") });
      const isMissing = result.totalLines === 0 && (await isAbsent(memory, result.path));
      return isMissing ? { status: "not_found", text: "", path: result.path } : toReadResult(result);
    },
    status() {
      refreshSoon();
      return known;
    },
    async sync({ reason = "host", force, progress } = {}) {
      const report = await memory.sync({ reason, ...(force && { force }), ...(progress && { progress }) });
      syncProblem = describeProblem(report);
      await refresh();
    },
    async probeEmbeddingAvailability() {
      const { ok, error } = await memory.probeEmbeddingAvailability();
      probe = { ok, ...(error !== undefined && { error }), checked: true, checkedAtMs: Date.now() };
      return probe;
    },
    getCachedEmbeddingAvailability: () => probe,
    probeVectorAvailability: probeVectors,
    probeVectorStoreAvailability: probeVectors,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A sync continues after failures; hosts look for them here. */
function describeProblem({ failed, degraded }: SyncReport): string | undefined {
  const problems = [...failed.map(({ path, message }) => `${path}: ${message}`), ...degraded];
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** Null if no source is left to search. */
function readSearch(options: ManagerSearchOptions): SearchOptions | null {
  const { maxResults, minScore, sessionKey, lexicalOnly, sources, signal } = options;
  const wanted = new Set(sources);
  if (sources !== undefined && wanted.size === 0) return null;
  const [source] = wanted.size === 1 ? wanted : [];
  return {
    // Hosts compute these, and NaN must not disable the floor.
    ...(Number.isFinite(maxResults) && { maxResults: Math.max(1, Math.trunc(maxResults!)) }),
    ...(Number.isFinite(minScore) && { minScore: minScore! }),
    ...(sessionKey !== undefined && { sessionKey }),
    ...(lexicalOnly && { keywordOnly: true }),
    ...(source !== undefined && { source }),
    ...(signal && { signal }),
  };
}

function toManagerHit(hit: SearchHit): ManagerHit {
  const { path, startLine, endLine, score, textScore, vectorScore, snippet, source, citation } = hit;
  return {
    path,
    startLine,
    endLine,
    score,
    ...(textScore !== null && { textScore }),
    ...(vectorScore !== null && { vectorScore }),
    snippet,
    source,
    ...(citation !== undefined && { citation }),
  };
}

function toReadResult({
  text,
  path,
  from,
  lines,
  nextFrom,
  omittedChars,
}: ReadFileResult): ManagerReadResult {
  return {
    status: "ok",
    text,
    path,
    from,
    lines,
    ...((nextFrom !== undefined || omittedChars !== undefined) && { truncated: true }),
    ...(nextFrom !== undefined && { nextFrom }),
  };
}

/** An empty note and a missing one have the same lines. */
async function isAbsent(memory: Memory, path: string): Promise<boolean> {
  return (await memory.readNote({ path }).catch(() => null)) === null;
}
