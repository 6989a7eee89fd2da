import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { findTranscriptPlaces } from "../config/host-places.ts";
import { configuredSecrets } from "../config/secret.ts";
import { resolveSettings, type Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { describeFallback, type Fallback } from "../embedders/fallback-chain.ts";
import type { Entries } from "../entries/entries.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import { createClock, dayBefore } from "../notes/local-time.ts";
import { resolveWorkspace } from "../notes/note-places.ts";
import { openNotes } from "../notes/notes.ts";
import type { LayerBeside } from "../search/layered-searcher.ts";
import type { SearchHit, SearchOptions } from "../search/search.ts";
import { sessionsFolder, sessionsLockPath } from "../sessions/session-places.ts";
import { createSessions } from "../sessions/transcripts/sessions.ts";
import { createTranscripts } from "../sessions/transcripts/transcripts.ts";
import { createGivenSource } from "../sources/given-source.ts";
import { tryFileLock, withFileLock } from "../stores/lock.ts";
import { createTranscriptDatabases } from "../stores/transcripts/read-transcript-database.ts";
import type { SyncOptions } from "../sync/sync.ts";
import { sha256 } from "../text/hash.ts";
import { isUserPath, type MemoryLayer, pathInLayer, splitLayer, toUserPath } from "../text/layer-path.ts";
import { once } from "../text/once.ts";
import { override } from "../text/override.ts";
import { createMask } from "../text/redact.ts";
import { checkGivenParts } from "./check-given-parts.ts";
import { chooseConsolidation } from "./choose-consolidation.ts";
import { completeAnswer } from "./complete-answer.ts";
import { currentFallback, describeInUse } from "./current-fallback.ts";
import { createLayeredMemory } from "./layered-memory.ts";
import type { FetchedModel } from "./local-models.ts";
import type { Memory, OpenMemoryOptions } from "./memory.ts";
import { createMemoryNotes } from "./memory-notes.ts";
import type { LinkFilter } from "./note-links.ts";
import { borrow, closedError, openOnce } from "./open-once.ts";
import { createOwing } from "./owing.ts";
import { createSessionGuard } from "./session-guard.ts";
import type { DescribedMemory, EmbedderChoice } from "./status.ts";
import { createUsage } from "./usage.ts";
import { createUserMemory, type OpenedLayer, readUserNotes, type UserMemory } from "./user-memory.ts";
import { isTrustedWorkspace } from "./workspace-trust.ts";

/** What works on the index is loaded with the first thing that needs it: hooks that only read or write notes do not. */
const loadEngine = () => import("./choose-parts.ts");

/** Deletes the rows of an agent where many share a database; an index in files goes with those. */
export async function discardIndex(settings: Settings): Promise<void> {
  const { discardIndex: discard } = await import("./choose-store.ts");
  await discard(settings);
}

/** Opens the memory that the options and the configuration mean; whoever opens it closes it. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const { workspace, user, agent, sessionKey, config, stateDir, trusted = true, ...parts } = options;
  const settings = await resolveSettings({
    ...(workspace === undefined ? {} : { workspace }),
    ...(user === undefined ? {} : { user }),
    ...(agent === undefined ? {} : { agent }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(typeof config === "string" ? { config } : config === undefined ? {} : { overrides: config }),
  });
  createSessionGuard(settings)(sessionKey);
  return await openConfiguredMemory(settings, { ...parts, isTrusted: () => trusted });
}

export interface ConfiguredMemoryOptions
  extends Pick<OpenMemoryOptions, "store" | "embedder" | "sources" | "now"> {
  /** Asked whenever notes are quoted, because it may change while a server runs. By default what the user has said. */
  readonly isTrusted?: () => boolean;
  /** Takes the builtin model or none: see `chooseEmbedder`. */
  readonly asksNoService?: boolean;
}

/** The memory that the settings ask for: the project's, and the user's beside it where there is one. */
export async function openConfiguredMemory(
  settings: Settings,
  options: ConfiguredMemoryOptions = {},
): Promise<Memory> {
  const { userLayer } = settings;
  if (userLayer === null || userLayer.isWorkspace) return (await openLayer(settings, options)).memory;
  const { embedder, now, asksNoService } = options;
  const own = { ...(now && { now }), ...(asksNoService && { asksNoService }), isTrusted: () => true };
  const user = createUserMemory(userLayer.dir, () =>
    openLayer(userLayer.settings(), { ...own, ...(embedder && { embedder: borrow(embedder) }) }),
  );
  const { memory } = await openLayer(settings, { ...options, user });
  return createLayeredMemory(memory, user, { backend: settings.memory.backend });
}

interface LayerOptions extends ConfiguredMemoryOptions {
  /** The memory that is searched beside this one. */
  readonly user?: UserMemory;
}

/** Chooses the parts that the settings ask for, and owns them until it is closed. */
async function openLayer(asked: Settings, options: LayerOptions): Promise<OpenedLayer> {
  const { now = () => new Date(), isTrusted = () => isTrustedWorkspace(asked) } = options;
  const settings = keepToFolder(asked, isTrusted);
  refuseDisabled(settings);
  checkGivenParts(options, settings);
  resolveWorkspace(settings.workspaceDir);
  const notes = openNotes({
    workspaceDir: settings.workspaceDir,
    extraPaths: settings.memorySearch.extraPaths,
    exclude: settings.memorySearch.exclude,
    ...settings.notes,
    timezone: settings.configuredTimezone,
    now,
    withLock: (work, { signal }) => withFileLock(notesLockPath(settings), { signal }, work),
  });
  const literals = configuredSecrets(settings);
  const limits: Partial<Settings["memory"]["qmd"]["limits"]> =
    settings.memory.backend === "qmd" ? settings.memory.qmd.limits : {};
  const transcripts = createTranscripts({
    sessionsDir: sessionsFolder(settings),
    literals,
    readDatabase: createTranscriptDatabases(now),
  });
  let clock: ReturnType<typeof createClock> | undefined;
  const dayOf = (moment: Date): string => {
    clock ??= createClock(settings.configuredTimezone);
    return clock(moment).day;
  };
  const ownSources = (options.sources ?? []).map((source) => createGivenSource(source, createMask(literals)));
  // Notes can be read and written while the index cannot be opened, so it is opened by what needs it.
  const opened = openOnce(async () => {
    const { openEngine } = await loadEngine();
    const { user } = options;
    return await openEngine(settings, {
      ...{ ...options, sources: ownSources, notes, transcripts, dayOf, now },
      ...(user && { openBeside: async () => (await (await user.get())?.beside()) ?? null }),
    });
  });
  const isSharedFor = createSessionGuard(settings);
  const usage = createUsage({
    notes,
    openStore: async () => (await opened.get()).store,
    isEnabled: settings.memorySearch.usage.enabled,
    today: () => dayOf(now()),
    isSharedFor,
  });
  const noteLinks = once(async () => {
    const { createMemoryLinks } = await import("./note-links.ts");
    return createMemoryLinks(notes, isSharedFor);
  });
  const fetchModel = createModelFetcher(settings, options);
  const { consolidation, ...receipts } = chooseConsolidation(settings, {
    notes,
    dayOf,
    now,
    mask: createMask(literals).apply,
  });
  const recovering = receipts.recover();
  const owing = createOwing(settings, {
    notes,
    purgeReceipts: receipts.purge,
    openEngine: async () => (await opened.get()).engine,
    removeEntries,
    alone: (work) => withFileLock(forgetLockPath(settings), { timeoutMs: forgetWaitMs }, work),
    tryAlone: () => tryFileLock(forgetLockPath(settings)),
  });
  // A part that was given is ours to close, whether anything needs it or not.
  if (options.store || options.embedder) await opened.get();

  const memory: Memory = {
    ...createMemoryNotes({
      notes,
      sources: ownSources,
      openEngine: async () => {
        const { engine } = await opened.get();
        owing.finishSoon();
        return engine;
      },
      isClosed: opened.isClosed,
      isSharedFor,
      checkScope,
      today: () => dayOf(now()),
    }),
    agentId: settings.agentId,
    sources: ["memory", "sessions", ...ownSources.map(({ name }) => name)],
    checkSession: (sessionKey) => void isSharedFor(sessionKey),
    entries: await openEntries(),
    consolidation,
    limits: {
      maxInjectedChars: limits.maxInjectedChars ?? settings.memorySearch.query.maxInjectedChars,
      maxResults: limits.maxResults ?? settings.memorySearch.query.maxResults,
      offersForget: settings.tools.forget,
      offersPlan: settings.tools.consolidate,
      citations: settings.memory.citations,
    },
    userDir: settings.userLayer?.dir ?? null,
    workspace: {
      dir: settings.workspaceDir,
      isDefault: settings.workspaceOrigin.from === "default",
      get isTrusted() {
        return isTrusted();
      },
      dailyNoteOf: (day) => notes.daily.pathOf(day),
    },
    sessions: createSessions({
      transcripts,
      dayOf,
      places: () => ({
        ...findTranscriptPlaces(),
        currentDir: process.cwd(),
        agentId: settings.agentId,
      }),
      withLock: (work) => withFileLock(sessionsLockPath(settings), {}, work),
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
      isSharedFor(request.sessionKey);
      checkScope(request.scope);
      const { engine, chosen, chain } = await opened.get();
      const answer = await engine.search(query, await narrowToLinks(request));
      const degraded = [...owing.describe(), ...answer.degraded];
      owing.finishSoon();
      await recordUsage(answer.results);
      const fallback = await currentFallback(chosen, chain);
      return completeAnswer({ ...answer, degraded }, { request, fallback, settings });
    },
    links: async (path, request) => (await noteLinks()).links(path, request),
    tags: async (request) => (await noteLinks()).tags(request),
    usage: usage.usage,
    async startSession({ sessionKey, indexing = "now", signal } = {}) {
      throwIfAborted(signal);
      const moment = now();
      const { onSessionStart, searchWaitMs } = settings.memorySearch.sync;
      const catchUp = async () => {
        const { engine } = await opened.get();
        return await engine.freshen({ reason: "session-start", neverLong: true, ...(signal && { signal }) });
      };
      const { startLimits, startSession } = await import("./start-session.ts");
      return await startSession({
        notes,
        today: dayOf(moment),
        yesterday: dayBefore(dayOf(moment)),
        isShared: isSharedFor(sessionKey),
        limits: startLimits,
        ofUser: isSharedFor(sessionKey) ? [] : await readUserNotes(options.user, { indexing, signal }),
        mask: createMask(literals).applyInSlices,
        catchUp: onSessionStart && indexing === "now" ? catchUp : undefined,
        waitMs: searchWaitMs,
        trusted: isTrusted(),
        signal,
      });
    },
    listIndexed: async () => (await (await opened.get()).store.documents?.()) ?? null,
    async forget(request) {
      const result = await forgetLines(request, { removeEntries });
      if (!request.dryRun) await usage.drop([...new Set(result.removed.map(({ path }) => path))]);
      owing.finishSoon();
      return result;
    },
    async sync(request = {}) {
      const fetched = await fetchModel(request);
      const { engine, chosen, chain } = await opened.get();
      await recovering;
      await owing.finish();
      const report = await engine.sync(request);
      const fallback = await currentFallback(chosen, chain);
      const reason = fetched.problem ?? describeChoiceNow(chosen, { fetched, fallback });
      const degraded = [...(reason === null ? [] : [reason]), ...owing.describe(), ...report.degraded];
      return { ...report, degraded };
    },
    async watch(request) {
      const { engine } = await opened.get();
      owing.finishSoon();
      return await engine.watch(request);
    },
    async status() {
      const known = await describe().catch(describeAway);
      const described = { ...known, trusted: isTrusted(), owedPurges: owing.list() };
      return memory.entries === null ? described : { ...described, entries: await memory.entries.status() };
    },
    async verify(request) {
      const { upkeep } = await opened.get();
      await owing.finish();
      return await (await upkeep()).verify(request);
    },
    checkIndex: async () => (await (await opened.get()).upkeep()).check(),
    async repair(request) {
      const { upkeep } = await opened.get();
      await owing.finish();
      return await (await upkeep()).repair(request);
    },
    async migrate(request) {
      const [{ migrateMemory }, { openEngine }] = await Promise.all([
        import("./migrate-memory.ts"),
        loadEngine(),
      ]);
      const openOther = (other: Settings, embedder: Embedder | undefined) =>
        openEngine(other, {
          ...(embedder && { embedder }),
          sources: ownSources,
          notes,
          transcripts,
          dayOf,
          now,
        });
      const parts = { opened: await opened.get(), given: options.embedder, openOther };
      return await migrateMemory(settings, request, parts);
    },
    async importVectors(request) {
      const { importVectors } = await import("./import-vectors.ts");
      const { openOpenclawVectors } = await import("../stores/openclaw-vectors.ts");
      const { familyOfName } = await import("../embedders/local/model-family.ts");
      const ready = await opened.get();
      const prompt =
        settings.memorySearch.remote.prompts.document ??
        (ready.embedder?.provider === "openai" ? familyOfName(ready.embedder.model).document : "");
      return await importVectors(request, {
        opened: ready,
        open: openOpenclawVectors,
        usesPrompts: prompt !== "",
      });
    },
    async probeEmbeddingAvailability(request) {
      const { embedder, chosen, chain } = await opened.get();
      const { probeEmbedding } = await import("../upkeep/probes.ts");
      const { vector: _, ...probe } = await probeEmbedding(embedder, request);
      if (chain && probe.ok) await chain.answered(chain.links[0]!, "query");
      return embedder ? probe : { ...probe, error: chosen.fallback?.reason ?? chosen.why };
    },
    async probeVectorAvailability(request) {
      const { store, embedder } = await opened.get();
      const { probeVectors } = await import("../upkeep/probes.ts");
      return await probeVectors(store, embedder, request);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return { memory, beside, findPaths, recordUsage };

  /** Each layer counts what was recalled of it. */
  async function recordUsage(hits: readonly SearchHit[]): Promise<void> {
    const theirs = hits.filter(({ path }) => isUserPath(path));
    usage.record(hits.filter(({ path }) => !isUserPath(path)));
    if (theirs.length === 0) return;
    const layer = await options.user?.get();
    await layer?.recordUsage(theirs.map((hit) => ({ ...hit, path: pathInLayer(hit.path) })));
  }

  function checkScope(scope: MemoryLayer | undefined): void {
    if (scope === "user" && settings.userLayer === null) throw refuseUserScope();
  }

  async function beside(): Promise<LayerBeside> {
    const { engine, store } = await opened.get();
    const { asSearched } = await import("../search/join-stores.ts");
    owing.finishSoon();
    return {
      store: asSearched(store),
      freshen: (request) => engine.freshen({ ...request, reason: "search" }),
      withheld: () => engine.withheld(),
      dayModified: (path) => {
        const modifiedAt = notes.modifiedAt(path);
        return modifiedAt === null ? undefined : dayOf(modifiedAt);
      },
    };
  }

  async function findPaths({ linksTo, sessionKey, ...filter }: LinkFilter): Promise<readonly string[]> {
    const { layer, path } = splitLayer(linksTo ?? "");
    const own = { ...filter, ...(linksTo !== undefined && { linksTo: path }) };
    const ours = layer === "user" ? [] : await (await noteLinks()).findPaths({ ...own, sessionKey });
    // Links do not leave their layer.
    const isOurs = layer === "project" && linksTo !== undefined;
    if (isOurs || isSharedFor(sessionKey)) return ours;
    const theirs = (await (await options.user?.get())?.findPaths(own)) ?? [];
    return [...ours, ...theirs.map(toUserPath)];
  }

  /** Tags and links stand in the notes; the index is told which paths they mean. */
  async function narrowToLinks(request: SearchOptions): Promise<SearchOptions> {
    const { tag, linksTo, ...others } = request;
    if (tag === undefined && linksTo === undefined) return request;
    const { sessionKey, signal } = others;
    const found = await findPaths({ tag, linksTo, sessionKey, signal });
    const { paths } = others;
    return { ...others, paths: paths === undefined ? found : found.filter((path) => paths.includes(path)) };
  }

  async function describe(): Promise<DescribedMemory> {
    const { engine, store, meaning, ...embedders } = await opened.get();
    const [{ chooseMeaning }, { countSessions }, { describeStatus }, { findSetAside }] = await Promise.all([
      import("../search/choose-meaning.ts"),
      import("../sessions/transcripts/transcript-state.ts"),
      import("./status.ts"),
      import("../upkeep/state-files.ts"),
    ]);
    const sessions = countSessions(await store.versions("sessions"));
    const status = await engine.status();
    const setAside = findSetAside(status.dbPath);
    const { note: meanwhile } = await chooseMeaning(meaning, status.statistics.chunks);
    const chosen = await describeInUse(embedders.chosen, embedders.chain);
    const parts = { chosen, sessions, setAside, meanwhile: chosen.fallback ? null : meanwhile };
    return await describeStatus(status, settings, parts);
  }

  /** Whoever asks how a memory is wants to know most while the server of its index is away. */
  async function describeAway(error: unknown): Promise<DescribedMemory> {
    if (!(error instanceof LonghandError && isAway(error))) throw error;
    const [{ describeWithoutIndex }, { describeChoice }] = await Promise.all([
      import("./status.ts"),
      loadEngine(),
    ]);
    const chosen = await describeChoice(settings, { ...options, transcripts, now });
    const place = `${settings.memorySearch.store.url ?? settings.memorySearch.store.path}`;
    return await describeWithoutIndex(error, settings, { chosen, notes: await notes.scan(), place });
  }

  async function openEntries(): Promise<Entries | null> {
    if (settings.plugins.slots.memory !== "memory-lancedb") return null;
    const { chooseEntries } = await import("./choose-entries.ts");
    const embedder = async () => (await opened.get()).embedder;
    const place = { notes, now, memory: () => memory, forgetLines, embedder, isSharedFor };
    return chooseEntries(settings, place);
  }

  /** The entries plugin keeps its own index equal to its file. */
  async function forgetLines(
    request: ForgetRequest,
    { removeEntries: remove }: { removeEntries: () => Promise<string | null> } = {
      removeEntries: async () => null,
    },
  ): Promise<ForgetResult> {
    if (opened.isClosed()) throw closedError();
    isSharedFor(request.sessionKey);
    const openIndex = async () => (await opened.get()).engine;
    const { forget } = await import("../forget/forget.ts");
    const { owed, alone } = owing;
    const purges = { removeEntries: remove, purgeReceipts: receipts.purge };
    const parts = { notes, openEngine: openIndex, owed, alone, findElsewhere, ...purges, now };
    return await forget(parts, request);
  }

  /** What is indexed of transcripts, the index tells. */
  async function findElsewhere(texts: readonly string[]) {
    if (settings.memorySearch.sources.includes("sessions")) return [];
    const { createLineSearch } = await import("../stores/needle-search.ts");
    const { visitTranscripts } = await import("./same-in-transcripts.ts");
    const search = createLineSearch(texts);
    if (search.isPointless) return [];
    await visitTranscripts(transcripts, ({ path, line, text }) =>
      search.visit({ path, text, start_line: line, end_line: line }),
    );
    return search.found();
  }

  /** It is derived from the same lines as the index, whether the plugin is in use now or was so once. */
  async function removeEntries(): Promise<string | null> {
    const { entryIndexFolder, removeEntryIndex } = await import("../stores/lancedb/entry-index-folder.ts");
    return removeEntryIndex(entryIndexFolder(settings));
  }

  async function close(): Promise<void> {
    await usage.close();
    await memory.entries?.[Symbol.asyncDispose]();
    await recovering;
    await owing.settled();
    await opened.close();
  }
}

/** A folder of strangers may bring a `.git` that names another project, and must not get at the index of that one. */
function keepToFolder(settings: Settings, isTrusted: () => boolean): Settings {
  const isShared = settings.memorySearch.store.driver === "postgres" && settings.project !== null;
  return isShared && !isTrusted() ? override(settings, { project: null }) : settings;
}

function isAway({ code }: LonghandError): boolean {
  return code === "store-unreachable" || code === "store-refused";
}

/** Tried once in the life of a memory: with no network, every sync would have to wait for that. */
function createModelFetcher(settings: Settings, { embedder }: { embedder?: Embedder }) {
  const none = { isFetched: false, problem: null };
  let isTried = embedder !== undefined || settings.memorySearch.provider !== "local";
  return async (request: SyncOptions): Promise<FetchedModel> => {
    if (isTried) return none;
    isTried = true;
    const { fetchAskedModel } = await import("./local-models.ts");
    return await fetchAskedModel(settings, request);
  };
}

function describeChoiceNow(
  { provider }: EmbedderChoice,
  { fetched, fallback }: { fetched: FetchedModel; fallback: Fallback | null },
): string | null {
  if (fetched.isFetched && provider !== "local") {
    return "the local model is there now, and is used when the memory is opened again";
  }
  return fallback && describeFallback(fallback);
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

function refuseUserScope(): LonghandError {
  return new LonghandError("not-supported", "The user's memory is switched off by layers.user.enabled.", {
    hint: "Switch it on with: longhand config set layers.user.enabled true",
  });
}

/** How long a forget waits for another one on the same index. */
const forgetWaitMs = 30_000;

function forgetLockPath({ stateDir, memorySearch }: Settings): string {
  const index = sha256(resolve(memorySearch.store.path)).slice(0, 16);
  return join(stateDir, "locks", `forget-${index}.lock`);
}

/** One lock for a workspace, whichever agents write to it. */
function notesLockPath({ stateDir, workspaceDir }: Settings): string {
  return join(stateDir, "locks", `notes-${sha256(realpathSync(workspaceDir)).slice(0, 16)}.lock`);
}
