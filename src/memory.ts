import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childEnvironment } from "./config/child-environment.ts";
import { configuredSecrets } from "./config/configured-secrets.ts";
import { homeFolder } from "./config/home-folder.ts";
import type { PartialConfig } from "./config/options.ts";
import { providerAccess } from "./config/provider-access.ts";
import { resolveSettings, type Settings } from "./config/settings.ts";
import { type ChosenEmbedder, chooseEmbedder } from "./embedders/choose-embedder.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { createMakers, openStandby } from "./embedders/registry.ts";
import { createBuiltinEngine } from "./engines/builtin.ts";
import type { Engine, WatchOptions } from "./engines/engine.ts";
import { LonghandError, throwIfAborted } from "./errors.ts";
import { type ForgetRequest, type ForgetResult, forget } from "./forget/forget.ts";
import type { FetchedModel } from "./models.ts";
import { createClock, dayBefore } from "./notes/local-time.ts";
import { dateOf } from "./notes/note-date.ts";
import { scopeOf } from "./notes/note-scope.ts";
import { type Notes, openNotes } from "./notes/notes.ts";
import { resolveWorkspace } from "./notes/places.ts";
import { closedError, openOnce } from "./open-once.ts";
import { chooseMeaning, type MeaningParts, type MeaningSettings } from "./search/choose-meaning.ts";
import { cite, showsCitations } from "./search/citation.ts";
import type { Blend } from "./search/rank.ts";
import type { SearchAnswer, SearchOptions } from "./search/search.ts";
import { createSearcher } from "./search/searcher.ts";
import { isSharedSession } from "./search/session-scope.ts";
import { countSessions } from "./sessions/transcripts/count-sessions.ts";
import { createSessions, type Sessions } from "./sessions/transcripts/sessions.ts";
import { createTranscripts, type Transcripts } from "./sessions/transcripts/transcripts.ts";
import { createNotesSource } from "./sources/markdown-folder.ts";
import { createSessionsSource } from "./sources/session-transcripts.ts";
import type { Source } from "./sources/source.ts";
import { createSwitchedOffSource } from "./sources/switched-off.ts";
import { type SessionStart, type StartSessionRequest, startLimits, startSession } from "./start-session.ts";
import { describeStatus, type EmbedderChoice, type MemoryStatus } from "./status.ts";
import { withFileLock } from "./stores/lock.ts";
import { checkIndexFile } from "./stores/sqlite/check-index-file.ts";
import { openIndexContents } from "./stores/sqlite/index-contents.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import type { Store } from "./stores/store.ts";
import { createWorkLock } from "./stores/work-lock-file.ts";
import type { SyncOptions, SyncReport } from "./sync/sync.ts";
import { createAnalyser } from "./text/analyse.ts";
import { createChunker } from "./text/chunk.ts";
import type { SourceName } from "./text/document.ts";
import { sha256 } from "./text/hash.ts";
import { createMask } from "./text/redact.ts";
import {
  type EmbeddingProbe,
  type ProbeOptions,
  probeEmbedding,
  probeVectors,
  type VectorProbe,
} from "./upkeep/probes.ts";
import { findSetAside } from "./upkeep/state-files.ts";
import {
  createUpkeep,
  type RepairReport,
  refuseUpkeep,
  type Upkeep,
  type VerifyReport,
} from "./upkeep/upkeep.ts";
import type { VerifyOptions } from "./upkeep/verify.ts";

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
  /** At most this many characters (default 12,000), in whole lines where possible. */
  readonly maxChars?: number;
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
  /** Where the text came from, such as `tool` or `flush`; noted in a comment beside it. A person needs none. */
  readonly origin?: string;
  /** Whose conversation it is. A group or channel, or one of unknown kind, writes to no private note. */
  readonly sessionKey?: string;
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

export interface ListNotesRequest {
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

export interface ListedNote {
  readonly path: string;
  /** The day that the note is about, `YYYY-MM-DD`. */
  readonly date?: string;
  /** Differs whenever the content does. */
  readonly version: string;
}

/** What a surface must know of the settings to serve a memory. */
export interface MemoryLimits {
  /** How much one answer may put into an agent's context. */
  readonly maxInjectedChars: number;
  /** Hits of a search that names no number. */
  readonly maxResults: number;
  /** Agents may remove what stands in notes. */
  readonly offersForget: boolean;
  /** Where hits carry citations; `auto` leaves them out of groups and channels. */
  readonly citations: "auto" | "on" | "off";
}

/** Notes and an engine: what every surface is given. */
export interface Memory extends AsyncDisposable {
  readonly agentId: string;
  readonly limits: MemoryLimits;
  /** The transcripts of this agent, whether or not they are indexed. */
  readonly sessions: Sessions;
  /** Decides which day it is. */
  readonly timezone: string;
  /** What the configuration says about compaction and the flush before it. */
  readonly compaction: Settings["compaction"];
  /** Masks what looks like a secret, and the keys of the configuration, as `[redacted:<kind>]`. */
  maskSecrets(text: string): string;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  readFile(request: ReadFileRequest): Promise<ReadFileResult>;
  /** What an agent should read first: the long-term memory, and the notes of yesterday and today. */
  startSession(request?: StartSessionRequest): Promise<SessionStart>;
  /** The notes on disk, in order of their paths, whether they are indexed yet or not. */
  listNotes(request?: ListNotesRequest): Promise<ListedNote[]>;
  add(text: string, options?: AddOptions): Promise<AddResult>;
  /** Takes text out of notes and every trace of it out of the index; docs/forget.md says what is promised. */
  forget(request: ForgetRequest): Promise<ForgetResult>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Keeps the index fresh until it is disposed of, or the memory is closed. It is there at once; the first pass follows
   * and is told as an event.
   */
  watch(options?: WatchOptions): Promise<AsyncDisposable>;
  status(): Promise<MemoryStatus>;
  /** Compares the index with one that is built anew from the same notes. No service is asked for anything. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** What is wrong with the file of the index itself, a sentence each. Quicker than `verify`, and knows less. */
  checkIndex(): Promise<readonly string[]>;
  /** Makes the index that of its notes again, and tidies up its files; says what was done. */
  repair(options?: VerifyOptions): Promise<RepairReport>;
  /** Embeds one word, to see whether texts can be embedded now. */
  probeEmbeddingAvailability(options?: ProbeOptions): Promise<EmbeddingProbe>;
  /** Searches with one word's vector, to see whether vectors can be searched now. */
  probeVectorAvailability(options?: ProbeOptions): Promise<VectorProbe>;
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
  const literals = configuredSecrets(settings);
  const transcripts = createTranscripts({
    sessionsDir: join(settings.stateDir, "agents", settings.agentId, "sessions"),
    literals,
  });
  let clock: ReturnType<typeof createClock> | undefined;
  const dayOf = (moment: Date): string => {
    clock ??= createClock(settings.userTimezone);
    return clock(moment).day;
  };
  // Notes can be read and written while the index cannot be opened, so it is opened by what needs it.
  const opened = openOnce(() => openEngine(settings, { ...options, notes, transcripts, dayOf, now }));
  const fetchModel = createModelFetcher(settings, options);
  // A part that was given is ours to close, whether anything needs it or not.
  if (options.store || options.embedder) await opened.get();

  return {
    agentId: settings.agentId,
    limits: {
      maxInjectedChars: settings.memorySearch.query.maxInjectedChars,
      maxResults: settings.memorySearch.query.maxResults,
      offersForget: settings.tools.forget,
      citations: settings.memory.citations,
    },
    sessions: createSessions({
      transcripts,
      dayOf,
      places: () => ({ home: homeFolder(), currentDir: process.cwd() }),
      indexed: async () =>
        settings.memorySearch.sources.includes("sessions")
          ? (await opened.get()).store.versions("sessions")
          : new Map(),
    }),
    // Asking the system takes time, so it is asked by whoever needs the answer.
    get timezone() {
      return settings.userTimezone;
    },
    compaction: settings.compaction,
    maskSecrets: createMask(literals).apply,
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
    async readFile({ relPath, sessionKey, signal, from, lines, maxChars }) {
      throwIfAborted(signal);
      refuseSession(relPath);
      const sharedOnly = isSharedSession(sessionKey);
      return await notes.readLines({ path: relPath, from, lines, maxChars, sharedOnly });
    },
    async startSession({ sessionKey, signal } = {}) {
      throwIfAborted(signal);
      // Beside it: what is read first comes from the notes themselves. What goes wrong meets the first search again.
      if (settings.memorySearch.sync.onSessionStart && !opened.isClosed()) {
        opened
          .get()
          .then(({ engine }) => engine.freshen({ reason: "session" }))
          .catch(() => {});
      }
      const moment = now();
      const { onSessionStart, searchWaitMs } = settings.memorySearch.sync;
      const catchUp = async () => {
        const { engine } = await opened.get();
        return await engine.freshen({ reason: "session-start", neverLong: true, ...(signal && { signal }) });
      };
      return await startSession({
        notes,
        today: dayOf(moment),
        yesterday: dayBefore(dayOf(moment)),
        isShared: isSharedSession(sessionKey),
        limits: startLimits,
        mask: createMask(literals).apply,
        catchUp: onSessionStart ? catchUp : undefined,
        waitMs: searchWaitMs,
        signal,
      });
    },
    async listNotes({ sessionKey, signal } = {}) {
      const { entries } = await notes.scan({ signal });
      const isShared = isSharedSession(sessionKey);
      return entries
        .filter(({ path }) => !isShared || scopeOf(path) !== "private")
        .map(({ path, version }) => {
          const date = dateOf(path);
          return { path, version, ...(date === null ? {} : { date }) };
        })
        .sort((left, right) => (left.path < right.path ? -1 : 1));
    },
    async add(text, { sessionKey, ...entry } = {}) {
      if (opened.isClosed()) throw closedError();
      const written = await notes.append({ ...entry, text, sharedOnly: isSharedSession(sessionKey) });
      // The note is safe whatever the index does, so a failure of it is part of the answer, not an error.
      const indexing = opened
        .get()
        .then(({ engine }) => engine.index("memory", [written.path]))
        .then(
          (failed) => failed.length === 0,
          () => false,
        );
      const done = new AbortController();
      const late = sleep(indexWaitMs, false, { signal: done.signal }).catch(() => false);
      const indexed = await Promise.race([indexing, late]);
      done.abort();
      return { ...written, indexed };
    },
    async forget(request) {
      if (opened.isClosed()) throw closedError();
      const openIndex = async () => (await opened.get()).engine;
      return await forget({ notes, openEngine: openIndex, now }, request);
    },
    async sync(request = {}) {
      const fetched = await fetchModel(request);
      const { engine, chosen } = await opened.get();
      const report = await engine.sync(request);
      const reason = fetched.problem ?? describeFallback(chosen, fetched);
      return reason === null ? report : { ...report, degraded: [reason, ...report.degraded] };
    },
    watch: async (request) => (await opened.get()).engine.watch(request),
    async status() {
      const { engine, chosen, store, meaning } = await opened.get();
      const sessions = countSessions(await store.versions("sessions"));
      const status = await engine.status();
      const setAside = findSetAside(status.dbPath);
      const { note: meanwhile } = await chooseMeaning(meaning, status.statistics.chunks);
      return describeStatus(status, settings, { chosen, sessions, setAside, meanwhile });
    },
    verify: async (request) => (await opened.get()).upkeep().verify(request),
    checkIndex: async () => (await opened.get()).upkeep().check(),
    repair: async (request) => (await opened.get()).upkeep().repair(request),
    async probeEmbeddingAvailability(request) {
      const { embedder, chosen } = await opened.get();
      const { vector: _, ...probe } = await probeEmbedding(embedder, request);
      return embedder ? probe : { ...probe, error: chosen.fallback?.reason ?? chosen.why };
    },
    async probeVectorAvailability(request) {
      const { store, embedder } = await opened.get();
      return await probeVectors(store, embedder, request);
    },
    close: opened.close,
    [Symbol.asyncDispose]: opened.close,
  };
}

/** A process that was stopped in the middle of a write keeps others from the index, but not from an answer. */
const indexWaitMs = 5000;

/** Tried once in the life of a memory: with no network, every sync would have to wait for that. */
function createModelFetcher(settings: Settings, { embedder }: { embedder?: Embedder }) {
  const none = { isFetched: false, problem: null };
  let isTried = embedder !== undefined || settings.memorySearch.provider !== "local";
  return async (request: SyncOptions): Promise<FetchedModel> => {
    if (isTried) return none;
    isTried = true;
    const { fetchAskedModel } = await import("./models.ts");
    return await fetchAskedModel(settings, request);
  };
}

function describeFallback(
  { provider, fallback }: EmbedderChoice,
  { isFetched }: FetchedModel,
): string | null {
  if (isFetched && provider !== "local") {
    return "the local model is there now, and is used when the memory is opened again";
  }
  return fallback?.reason ?? null;
}

interface OpenedEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly store: Store;
  readonly embedder: Embedder | undefined;
  readonly chosen: EmbedderChoice;
  readonly meaning: MeaningParts;
  readonly upkeep: () => Upkeep;
}

interface EngineParts {
  readonly store?: Store;
  readonly embedder?: Embedder;
  readonly notes: Notes;
  readonly transcripts: Transcripts;
  readonly dayOf: (moment: Date) => string;
  readonly now: () => Date;
}

async function openEngine(settings: Settings, parts: EngineParts): Promise<OpenedEngine> {
  const { store: given, embedder: own, transcripts, now } = parts;
  const { query, sync, chunking, cache, store: storage } = settings.memorySearch;
  const analyser = createAnalyser();
  const tokens = (chunk: { text: string; path: string; headings: readonly string[] }) => ({
    body: analyser.indexText(chunk.text),
    head: analyser.indexText(`${chunk.path} ${chunk.headings.join(" / ")}`),
  });
  const { embedder, ...reasons } = own
    ? { embedder: own, why: "it was given by the program" }
    : await findEmbedder(settings, transcripts.literals);
  const chosen: EmbedderChoice = {
    ...reasons,
    provider: embedder?.provider ?? "none",
    ...(embedder ? { model: embedder.model } : {}),
  };
  const openStore = (path: string, owner?: string) =>
    openSqliteStore({
      path,
      owner,
      analyserId: analyser.id,
      tokens,
      chunking,
      maxCachedVectors: cache.enabled ? cache.maxEntries : 0,
      vectorExtension: storage.vector.extensionPath,
    });
  const store = given ?? (await openStore(storage.path, settings.agentId));
  const sources = chooseSources(settings, parts);
  const chunker = createChunker(chunking);
  const meaning = chooseMeaningParts(store, embedder, settings);
  const engine = createBuiltinEngine({
    store,
    dbPath: storage.path,
    sources,
    chunker,
    embedder,
    searcher: createSearcher({
      ...meaning,
      store,
      analyser,
      settings: { ...query, ...query.hybrid },
      today: () => parts.dayOf(now()),
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
  const upkeep = (): Upkeep => {
    if (given) throw refuseUpkeep();
    // A service would have to be paid for vectors that are only compared.
    const free = embedder?.provider === "builtin" ? embedder : undefined;
    const vectors = free ? "wait" : "never";
    return createUpkeep({
      ...{ dbPath: storage.path, store, sources, chunker, embedder: free, now, openStore },
      sync: (request) => engine.sync({ ...request, vectors }),
      openContents: openIndexContents,
      checkFile: checkIndexFile,
    });
  };
  const close = () => engine[Symbol.asyncDispose]();
  return { engine, store, embedder, chosen, meaning, upkeep, [Symbol.asyncDispose]: close };
}

/** What a source that is left out had indexed goes with the next sync. */
function chooseSources(
  { memorySearch }: Settings,
  { notes, transcripts, dayOf, now }: EngineParts,
): Source[] {
  const create: Record<SourceName, () => Source> = {
    memory: () => createNotesSource(notes, createMask(transcripts.literals)),
    sessions: () => createSessionsSource({ transcripts, ...memorySearch.sync.sessions, dayOf, now }),
  };
  return (["memory", "sessions"] as const).map((name) =>
    memorySearch.sources.includes(name) ? create[name]() : createSwitchedOffSource(name),
  );
}

/** The embedder that the settings ask for, or the reason why there is none. */
async function findEmbedder(settings: Settings, literals: readonly string[]): Promise<ChosenEmbedder> {
  const { provider, fallback, local, remote, store, outputDimensionality } = settings.memorySearch;
  if (!store.vector.enabled) return { why: "vectors are switched off" };
  const isFolder = provider === "builtin" && !/^(?:hf|https?):/i.test(local.modelPath);
  const makers = createMakers({
    local: { ...local, outputDimensionality, environment: childEnvironment() },
    openai: providerAccess(settings, "openai"),
    gemini: providerAccess(settings, "gemini"),
    voyage: providerAccess(settings, "voyage"),
    builtin: isFolder ? { folder: local.modelPath } : {},
    concurrency: remote.concurrency,
    batch: remote.batch.enabled
      ? {
          minTexts: remote.batch.minChunks,
          wait: remote.batch.wait,
          concurrency: remote.batch.concurrency,
          pollIntervalMs: remote.batch.pollIntervalMs,
          timeoutMs: remote.batch.timeoutMinutes * 60_000,
        }
      : undefined,
    redact: createMask(literals).apply,
  });
  return await chooseEmbedder({ provider, fallback, makers });
}

/** The builtin model costs nothing to keep at hand, and needs no closing. */
function chooseMeaningParts(store: Store, embedder: Embedder | undefined, settings: Settings): MeaningParts {
  const { vectorWaitMs, hybrid } = settings.memorySearch.query;
  const settingsFor = (by: Embedder): MeaningSettings => ({
    embedder: by,
    waitMs: vectorWaitMs,
    isHybrid: hybrid.enabled,
    blend: chooseBlend(by, settings),
  });
  let opening: Promise<MeaningSettings | null> | undefined;
  const open = () => (opening ??= openStandby().then((by) => by && settingsFor(by)));
  return {
    store,
    meaning: embedder && settingsFor(embedder),
    standby: { provider: "builtin", open },
  };
}

/** How much the builtin model may lift what words say; chosen with `longhand eval`, see docs/search.md. */
const builtinWeight = 0.16;

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

/** Reading by path is for notes; a transcript is shown in another way, with its secrets masked. */
function refuseSession(path: unknown): void {
  if (typeof path !== "string" || !path.startsWith("sessions/")) return;
  throw new LonghandError(
    "path-outside-memory",
    `${JSON.stringify(path.slice(0, 200))} is a transcript, not a note.`,
    {
      hint:
        "Find more of it by a search with the source sessions, or show it with: longhand sessions show ID:LINE, " +
        "where ID is its file name.",
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
