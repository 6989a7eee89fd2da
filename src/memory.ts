import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PartialConfig } from "./config/options.ts";
import { providerAccess } from "./config/provider-access.ts";
import { resolveSettings, type Settings } from "./config/settings.ts";
import { type ChosenEmbedder, chooseEmbedder } from "./embedders/choose-embedder.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { createMakers } from "./embedders/registry.ts";
import { createBuiltinEngine } from "./engines/builtin.ts";
import type { Engine, WatchOptions } from "./engines/engine.ts";
import { LonghandError, throwIfAborted } from "./errors.ts";
import { localTime } from "./notes/local-time.ts";
import { type Notes, openNotes } from "./notes/notes.ts";
import { resolveWorkspace } from "./notes/places.ts";
import { closedError, openOnce } from "./open-once.ts";
import { cite, showsCitations } from "./search/citation.ts";
import type { Blend } from "./search/rank.ts";
import type { SearchAnswer, SearchOptions } from "./search/search.ts";
import { createSearcher } from "./search/searcher.ts";
import { isSharedSession } from "./search/session-scope.ts";
import { createNotesSource } from "./sources/markdown-folder.ts";
import { describeStatus, type EmbedderChoice, type MemoryStatus } from "./status.ts";
import { withFileLock } from "./stores/lock.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import type { Store } from "./stores/store.ts";
import { createWorkLock } from "./stores/work-lock-file.ts";
import type { SyncOptions, SyncReport } from "./sync/sync.ts";
import { createAnalyser } from "./text/analyse.ts";
import { createChunker } from "./text/chunk.ts";
import { sha256 } from "./text/hash.ts";

export interface OpenMemoryOptions {
  readonly workspace?: string;
  readonly agent?: string;
  /** The path of a configuration file, or the configuration itself. */
  readonly config?: string | PartialConfig;
  readonly stateDir?: string;
  /** An index of your own, instead of the configured one. It is closed with the memory. */
  readonly store?: Store;
  /** An embedder of your own, instead of the configured one. It is closed with the memory. */
  readonly embedder?: Embedder;
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
  /** Each list item of the text is an entry of its own: those that stand there already are left out. */
  readonly onlyNewItems?: boolean;
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

/** What a surface must know of the settings to serve a memory. */
export interface MemoryLimits {
  /** How much one answer may put into an agent's context. */
  readonly maxInjectedChars: number;
  /** Hits of a search that names no number. */
  readonly maxResults: number;
  /** Agents may remove what stands in notes. */
  readonly offersForget: boolean;
}

/** Notes and an engine: what every surface is given. */
export interface Memory extends AsyncDisposable {
  readonly agentId: string;
  readonly limits: MemoryLimits;
  /** Decides which day it is. */
  readonly timezone: string;
  /** What the configuration says about compaction and the flush before it. */
  readonly compaction: Settings["compaction"];
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  readFile(request: ReadFileRequest): Promise<ReadFileResult>;
  add(text: string, options?: AddOptions): Promise<AddResult>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Keeps the index fresh until it is disposed of, or the memory is closed. It is there at once; the first pass follows
   * and is told as an event.
   */
  watch(options?: WatchOptions): Promise<AsyncDisposable>;
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
  options: Pick<OpenMemoryOptions, "store" | "embedder" | "now"> = {},
): Promise<Memory> {
  const { now = () => new Date() } = options;
  refuseDisabled(settings);
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
  const opened = openOnce(() => openEngine(settings, notes, { ...options, now }));
  // A part that was given is ours to close, whether anything needs it or not.
  if (options.store || options.embedder) await opened.get();

  return {
    agentId: settings.agentId,
    limits: {
      maxInjectedChars: settings.memorySearch.query.maxInjectedChars,
      maxResults: settings.memorySearch.query.maxResults,
      offersForget: settings.tools.forget,
    },
    // Asking the system takes time, so it is asked by whoever needs the answer.
    get timezone() {
      return settings.userTimezone;
    },
    compaction: settings.compaction,
    async search(query, request = {}) {
      const { engine, chosen } = await opened.get();
      const answer = withFallback(await engine.search(query, request), chosen);
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
    async add(text, { to, heading, onlyNewItems, signal } = {}) {
      if (opened.isClosed()) throw closedError();
      const written = await notes.append({ text, to, heading, onlyNewItems, signal });
      // The note is safe whatever the index does, so a failure of it is part of the answer, not an error.
      const indexed = await opened
        .get()
        .then(({ engine }) => engine.index("memory", [written.path]))
        .then(
          (failed) => failed.length === 0,
          () => false,
        );
      return { ...written, indexed };
    },
    sync: async (request) => (await opened.get()).engine.sync(request),
    watch: async (request) => (await opened.get()).engine.watch(request),
    async status() {
      const { engine, chosen } = await opened.get();
      return describeStatus(await engine.status(), settings, chosen);
    },
    close: opened.close,
    [Symbol.asyncDispose]: opened.close,
  };
}

interface OpenedEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly chosen: EmbedderChoice;
}

async function openEngine(
  settings: Settings,
  notes: Notes,
  { store: given, embedder: own, now }: { store?: Store; embedder?: Embedder; now: () => Date },
): Promise<OpenedEngine> {
  const { query, sync, chunking, store: storage } = settings.memorySearch;
  const analyser = createAnalyser();
  const tokens = (chunk: { text: string; path: string; headings: readonly string[] }) => ({
    body: analyser.indexText(chunk.text),
    head: analyser.indexText(`${chunk.path} ${chunk.headings.join(" / ")}`),
  });
  const { embedder, ...reasons } = own
    ? { embedder: own, why: "it was given by the program" }
    : await findEmbedder(settings);
  const chosen: EmbedderChoice = {
    ...reasons,
    provider: embedder?.provider ?? "none",
    ...(embedder ? { model: embedder.model } : {}),
  };
  const store = given ?? (await openSqliteStore({ path: storage.path, analyserId: analyser.id, tokens }));
  const engine = createBuiltinEngine({
    store,
    dbPath: storage.path,
    sources: [createNotesSource(notes)],
    chunker: createChunker(chunking),
    embedder,
    searcher: createSearcher({
      store,
      analyser,
      settings: { ...query, ...query.hybrid },
      meaning: embedder && {
        embedder,
        waitMs: query.vectorWaitMs,
        isHybrid: query.hybrid.enabled,
        blend: chooseBlend(embedder, settings),
      },
      today: () => localTime(now(), settings.userTimezone).day,
    }),
    syncOnSearch: sync.onSearch,
    searchWaitMs: sync.searchWaitMs,
    watching: {
      isConfigured: sync.watch,
      debounceMs: sync.watchDebounceMs,
      intervalMinutes: sync.intervalMinutes,
    },
    // A store of somebody's own may be shared by other means than a path.
    locks: given ? undefined : openLocks(settings),
    now,
  });
  return { engine, chosen, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

/** The embedder that the settings ask for, or the reason why there is none. */
async function findEmbedder(settings: Settings): Promise<ChosenEmbedder> {
  const { provider, fallback, local, remote, store } = settings.memorySearch;
  if (!store.vector.enabled) return { why: "vectors are switched off" };
  const isFolder = provider === "builtin" && !local.modelPath.startsWith("hf:");
  const makers = createMakers({
    openai: providerAccess(settings, "openai"),
    gemini: providerAccess(settings, "gemini"),
    voyage: providerAccess(settings, "voyage"),
    builtin: isFolder ? { folder: local.modelPath } : {},
    concurrency: remote.concurrency,
  });
  return await chooseEmbedder({ provider, fallback, makers });
}

/** How much the builtin model may lift what words say; chosen with `longhand eval`, see docs/search.md. */
const builtinWeight = 0.2;

/** A small model only assists, unless the user has set weights. */
function chooseBlend({ provider }: Embedder, { memorySearch, origins }: Settings): Blend {
  const { fusion, vectorWeight, textWeight } = memorySearch.query.hybrid;
  const key = "memorySearch.query.hybrid";
  const isSet = ["vectorWeight", "textWeight", "fusion"].some(
    (name) => (origins.get(`${key}.${name}`)?.from ?? "default") !== "default",
  );
  if (provider === "builtin" && !isSet) return { kind: "assist", weight: builtinWeight };
  return { kind: fusion, vectorWeight, textWeight };
}

function withFallback(answer: SearchAnswer, { fallback }: EmbedderChoice): SearchAnswer {
  if (fallback === undefined) return answer;
  return { ...answer, fallback, degraded: [...answer.degraded, fallback.reason] };
}

function refuseDisabled({ disabled, configPath }: Settings): void {
  if (!disabled) return;
  throw new LonghandError(
    "memory-disabled",
    "Could not open the memory: the configuration switches it off.",
    {
      hint: `Set memorySearch.enabled to true and plugins.slots.memory to "memory-core" in ${configPath ?? "the configuration"}.`,
    },
  );
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

/** One set for an index, whichever processes use it. */
function openLocks({ stateDir, memorySearch }: Settings) {
  const index = sha256(resolve(memorySearch.store.path)).slice(0, 16);
  const lockOf = (work: string) => createWorkLock(join(stateDir, "locks", `${work}-${index}.lock`));
  return { documents: lockOf("documents"), vectors: lockOf("vectors"), watch: lockOf("watch") };
}

/** One lock for a workspace, whichever agents write to it. */
function notesLockPath({ stateDir, workspaceDir }: Settings): string {
  return join(stateDir, "locks", `notes-${sha256(realpathSync(workspaceDir)).slice(0, 16)}.lock`);
}
