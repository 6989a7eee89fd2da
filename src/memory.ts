import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { PartialConfig } from "./config/options.ts";
import { resolveSettings, type Settings } from "./config/settings.ts";
import { createBuiltinEngine } from "./engines/builtin.ts";
import type { Engine, EngineStatus } from "./engines/engine.ts";
import { LonghandError, throwIfAborted } from "./errors.ts";
import { localTime } from "./notes/local-time.ts";
import { type Notes, openNotes } from "./notes/notes.ts";
import { resolveWorkspace } from "./notes/places.ts";
import { cite, showsCitations } from "./search/citation.ts";
import type { SearchAnswer, SearchOptions } from "./search/search.ts";
import { createSearcher } from "./search/searcher.ts";
import { isSharedSession } from "./search/session-scope.ts";
import { createNotesSource } from "./sources/markdown-folder.ts";
import { withFileLock } from "./stores/lock.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import type { Store } from "./stores/store.ts";
import type { SyncOptions, SyncReport } from "./sync/sync.ts";
import { createAnalyser } from "./text/analyse.ts";
import { createChunker } from "./text/chunk.ts";
import type { SourceName } from "./text/document.ts";
import { sha256 } from "./text/hash.ts";

export interface OpenMemoryOptions {
  readonly workspace?: string;
  readonly agent?: string;
  /** The path of a configuration file, or the configuration itself. */
  readonly config?: string | PartialConfig;
  readonly stateDir?: string;
  /** An index of your own, instead of the configured one. It is closed with the memory. */
  readonly store?: Store;
  readonly now?: () => Date;
}

export interface ReadFileRequest {
  readonly relPath: string;
  /** First line, 1-based. */
  readonly from?: number;
  readonly lines?: number;
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

export interface ReadFileResult {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  /** How many lines `text` holds. */
  readonly lines: number;
  readonly totalLines: number;
  /** Where to go on reading; absent at the end. */
  readonly nextFrom?: number;
  /** How much of the only line in `text` was too long to show. */
  readonly omittedChars?: number;
}

export interface AddOptions {
  /** `daily` (default), `long-term`, or the path of a note. */
  readonly to?: string;
  /** Put the entry at the end of this section, made when it is missing. */
  readonly heading?: string;
  readonly signal?: AbortSignal;
}

export interface AddResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The same text stood there already and was not written again. */
  readonly duplicate: boolean;
  /** False when the note is written but the index could not follow yet; a later sync will. */
  readonly indexed: boolean;
}

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
  readonly workspaceDir: string;
  readonly dbPath: string;
  readonly extraPaths: readonly string[];
  readonly sources: readonly SourceName[];
  readonly sourceCounts: readonly { source: SourceName; files: number; chunks: number }[];
  readonly cache: { readonly enabled: boolean; readonly entries: number; readonly maxEntries: number };
  readonly fts: { readonly enabled: boolean; readonly available: boolean; readonly error?: string };
  readonly vector: {
    readonly enabled: boolean;
    readonly available: boolean;
    readonly path: "sqlite-vec" | "builtin";
    readonly dims?: number;
    readonly loadError?: string;
  };
  readonly batch: { readonly enabled: boolean; readonly failures: number; readonly limit: number };
  readonly fallback?: { readonly from: string; readonly reason: string };
  readonly onDisk: EngineStatus["onDisk"];
  readonly sizeBytes: number;
  readonly lastSync?: EngineStatus["lastSync"];
}

/** Notes and an engine: what every surface is given. */
export interface Memory extends AsyncDisposable {
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  readFile(request: ReadFileRequest): Promise<ReadFileResult>;
  add(text: string, options?: AddOptions): Promise<AddResult>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  status(): Promise<MemoryStatus>;
  close(): Promise<void>;
}

/** Opens the memory that the options and the configuration mean; whoever opens it closes it. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const { workspace, agent, config, stateDir } = options;
  const settings = await resolveSettings({
    ...(workspace === undefined ? {} : { workspace }),
    ...(agent === undefined ? {} : { agent }),
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(typeof config === "string" ? { config } : config === undefined ? {} : { overrides: config }),
  });
  return await openConfiguredMemory(settings, options);
}

/** Chooses the parts that the settings ask for, and owns them until it is closed. */
export async function openConfiguredMemory(
  settings: Settings,
  options: Pick<OpenMemoryOptions, "store" | "now"> = {},
): Promise<Memory> {
  const { now = () => new Date() } = options;
  refuseMissingParts(settings);
  resolveWorkspace(settings.workspaceDir);
  const notes = openNotes({
    workspaceDir: settings.workspaceDir,
    extraPaths: settings.memorySearch.extraPaths,
    exclude: settings.memorySearch.exclude,
    get timezone() {
      return settings.userTimezone;
    },
    now,
    withLock: (work, { signal }) => withFileLock(notesLockPath(settings), { signal }, work),
  });
  // Notes can be read and written while the index cannot be opened, so it is opened by what needs it.
  const engine = openOnce(() => openEngine(settings, notes, { ...options, now }));
  // A store that was given is ours to close, whether anything needs it or not.
  if (options.store) await engine.get();

  return {
    async search(query, request = {}) {
      const answer = await (await engine.get()).search(query, request);
      if (!showsCitations(settings.memory.citations, request.sessionKey)) return answer;
      const results = answer.results.map((hit) => ({
        ...hit,
        citation: cite(hit.path, hit.startLine, hit.endLine),
      }));
      return { ...answer, results };
    },
    async readFile({ relPath, from, lines, sessionKey, signal }) {
      throwIfAborted(signal);
      return await notes.readLines({ path: relPath, from, lines, sharedOnly: isSharedSession(sessionKey) });
    },
    async add(text, { to, heading, signal } = {}) {
      const written = await notes.append({ text, to, heading, signal });
      // The note is safe whatever the index does, so a failure of it is part of the answer, not an error.
      const indexed = await engine
        .get()
        .then((opened) => opened.sync({ reason: "add" }))
        .then(
          ({ failed }) => failed.every(({ path }) => path !== written.path),
          () => false,
        );
      return { ...written, indexed };
    },
    sync: async (request) => (await engine.get()).sync(request),
    status: async () => describeStatus(await (await engine.get()).status(), settings),
    close: engine.close,
    [Symbol.asyncDispose]: engine.close,
  };
}

async function openEngine(
  settings: Settings,
  notes: Notes,
  { store: given, now }: { store?: Store; now: () => Date },
): Promise<Engine> {
  const { query, sync, chunking, store: storage } = settings.memorySearch;
  const analyser = createAnalyser();
  const tokens = (chunk: { text: string; path: string; headings: readonly string[] }) => ({
    body: analyser.indexText(chunk.text),
    head: analyser.indexText(`${chunk.path} ${chunk.headings.join(" / ")}`),
  });
  const store = given ?? (await openSqliteStore({ path: storage.path, analyserId: analyser.id, tokens }));
  return createBuiltinEngine({
    store,
    dbPath: storage.path,
    sources: [createNotesSource(notes)],
    chunker: createChunker(chunking),
    searcher: createSearcher({
      store,
      analyser,
      settings: { ...query, ...query.hybrid },
      today: () => localTime(now(), settings.userTimezone).day,
    }),
    syncOnSearch: sync.onSearch,
    searchWaitMs: sync.searchWaitMs,
    now,
  });
}

/** Opens at the first use, and again when that failed; closes what was opened, once. */
function openOnce<T extends AsyncDisposable>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  let closing: Promise<void> | undefined;
  return {
    get: async (): Promise<T> => {
      if (closing) throw closedError();
      opening ??= open();
      try {
        return await opening;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    close: async (): Promise<void> => {
      closing ??= Promise.resolve(opening).then(
        (opened) => opened?.[Symbol.asyncDispose](),
        () => undefined,
      );
      await closing;
    },
  };
}

function closedError(): LonghandError {
  return new LonghandError("aborted", "Could not use the memory: it is closed.", {
    hint: "Open it again with openMemory, and close it when no call is left.",
  });
}

function refuseMissingParts({ memorySearch, memory }: Settings): void {
  if (memorySearch.store.driver !== "sqlite") {
    throw refusePart("store.driver", memorySearch.store.driver, "sqlite");
  }
  if (memory.backend !== "builtin") throw refusePart("memory.backend", memory.backend, "builtin");
}

function refusePart(key: string, value: string, instead: string): LonghandError {
  return new LonghandError(
    "not-supported",
    `Could not open the memory: ${key} "${value}" is not available yet.`,
    {
      hint: `Set ${key} to "${instead}", which is the default.`,
    },
  );
}

/** One lock for a workspace, whichever agents write to it. */
function notesLockPath({ stateDir, workspaceDir }: Settings): string {
  return join(stateDir, "locks", `notes-${sha256(realpathSync(workspaceDir)).slice(0, 16)}.lock`);
}

function describeStatus(engine: EngineStatus, settings: Settings): MemoryStatus {
  const { memorySearch, agentId, workspaceDir, memory } = settings;
  const { statistics, keyword, onDisk, lastSync, dbPath } = engine;
  const wantsVectors = memorySearch.provider !== "auto" && memorySearch.provider !== "none";
  return {
    backend: memory.backend,
    provider: "none",
    requestedProvider: memorySearch.provider,
    files: statistics.files,
    chunks: statistics.chunks,
    dirty: onDisk.changed > 0,
    agentId,
    workspaceDir,
    dbPath,
    extraPaths: memorySearch.extraPaths,
    sources: memorySearch.sources,
    sourceCounts: statistics.sources,
    cache: { enabled: memorySearch.cache.enabled, entries: 0, maxEntries: memorySearch.cache.maxEntries },
    fts: { enabled: true, ...keyword },
    vector: { enabled: memorySearch.store.vector.enabled, available: false, path: "builtin" },
    batch: { enabled: memorySearch.remote.batch.enabled, failures: 0, limit: 2 },
    ...(wantsVectors ? { fallback: { from: memorySearch.provider, reason: noEmbedders } } : {}),
    onDisk,
    sizeBytes: statistics.sizeBytes,
    ...(lastSync === undefined ? {} : { lastSync }),
  };
}

const noEmbedders = "this version searches by word only; embedding providers are not part of it yet";
