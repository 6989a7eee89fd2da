import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configuredSecrets } from "../config/configured-secrets.ts";
import { homeOf } from "../config/expand-path.ts";
import { resolveSettings, type Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { Entries } from "../entries/entries.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import { createClock, dayBefore } from "../notes/local-time.ts";
import { dateOf } from "../notes/note-date.ts";
import { resolveWorkspace } from "../notes/note-places.ts";
import { entriesPath, scopeOf } from "../notes/note-scope.ts";
import { openNotes } from "../notes/notes.ts";
import { chooseMeaning } from "../search/choose-meaning.ts";
import { cite, showsCitations } from "../search/citation.ts";
import type { SearchAnswer } from "../search/search.ts";
import { isSharedSession } from "../search/session-scope.ts";
import { sessionsFolder, sessionsLockPath } from "../sessions/session-places.ts";
import { createSessions } from "../sessions/transcripts/sessions.ts";
import { createTranscripts } from "../sessions/transcripts/transcripts.ts";
import { withFileLock } from "../stores/lock.ts";
import type { SyncOptions } from "../sync/sync.ts";
import type { SourceName } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import { createMask } from "../text/redact.ts";
import { openEngine } from "./choose-parts.ts";
import type { FetchedModel } from "./local-models.ts";
import type { AddResult, Memory, OpenMemoryOptions } from "./memory.ts";
import { closedError, openOnce } from "./open-once.ts";
import type { EmbedderChoice } from "./status.ts";

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
    sessionsDir: sessionsFolder(settings),
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

  /** A note is safe whatever the index does, so a failure of it is part of the answer, not an error. */
  async function indexWritten(path: string): Promise<Pick<AddResult, "indexed" | "indexProblem">> {
    const behind = (indexProblem: string) => ({ indexed: false, indexProblem });
    const indexing = opened
      .get()
      .then(({ engine }) => engine.index("memory", [path]))
      .then(
        ([failure]) => (failure === undefined ? { indexed: true } : behind(failure.message)),
        (error: unknown) => behind(error instanceof Error ? error.message : String(error)),
      );
    const done = new AbortController();
    const slow = behind("The index did not take it in time.");
    const late = sleep(indexWaitMs, slow, { signal: done.signal }).catch(() => slow);
    const outcome = await Promise.race([indexing, late]);
    done.abort();
    return outcome;
  }

  const memory: Memory = {
    agentId: settings.agentId,
    entries: await openEntries(),
    limits: {
      maxInjectedChars: settings.memorySearch.query.maxInjectedChars,
      maxResults: settings.memorySearch.query.maxResults,
      offersForget: settings.tools.forget,
      citations: settings.memory.citations,
    },
    sessions: createSessions({
      transcripts,
      dayOf,
      places: () => ({ home: homeOf(), currentDir: process.cwd() }),
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
      const { engine, chosen } = await opened.get();
      const found = withFallback(await engine.search(query, request), chosen);
      const answer = withAbsence(found, request.source, settings);
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
      const { startLimits, startSession } = await import("./start-session.ts");
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
        .map(({ path, version, sizeBytes, modifiedMs }) => {
          const date = dateOf(path);
          const modifiedAt = new Date(modifiedMs).toISOString();
          const shown = { path, version, sizeBytes, modifiedAt, scope: scopeOf(path) };
          return date === null ? shown : { ...shown, date };
        })
        .sort((left, right) => (left.path < right.path ? -1 : 1));
    },
    async readNote({ path, sessionKey, signal }) {
      throwIfAborted(signal);
      refuseSession(path);
      const note = await notes.readWhole({ path, sharedOnly: isSharedSession(sessionKey) });
      if (note === null) return null;
      const { text, hash, sizeBytes, modifiedAt } = note;
      const readOnly = await notes.whyNotEditable(path);
      const shown = { path, text, hash, sizeBytes, modifiedAt: modifiedAt.toISOString() };
      return readOnly === null ? shown : { ...shown, readOnly };
    },
    async editNote({ path, text, expectedHash, sessionKey, signal }) {
      if (opened.isClosed()) throw closedError();
      refuseSession(path);
      if (isSharedSession(sessionKey)) await notes.readWhole({ path, sharedOnly: true });
      const expected = { hash: expectedHash };
      const { before, after } = await notes.replace({ path, text, expected, signal });
      return { path, before, hash: after!, ...(await indexWritten(path)) };
    },
    listIndexed: async () => (await (await opened.get()).store.documents?.()) ?? null,
    async add(text, { sessionKey, ...entry } = {}) {
      if (opened.isClosed()) throw closedError();
      const written = await notes.append({ ...entry, text, sharedOnly: isSharedSession(sessionKey) });
      return { ...written, ...(await indexWritten(written.path)) };
    },
    async forget(request) {
      const result = await forgetLines(request);
      const { removed, receipt } = result;
      if (!receipt || !removed.some(({ path }) => path === entriesPath)) return result;
      // It is derived from the same lines, whether the plugin is in use now or was so once.
      const { entryIndexFolder, removeEntryIndex } = await import("../stores/lancedb/entry-index-folder.ts");
      const problem = removeEntryIndex(entryIndexFolder(settings));
      if (problem === null) return result;
      return {
        ...result,
        receipt: { ...receipt, complete: false, problems: [...receipt.problems, problem] },
      };
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
      const [{ countSessions }, { describeStatus }, { findSetAside }] = await Promise.all([
        import("../sessions/transcripts/count-sessions.ts"),
        import("./status.ts"),
        import("../upkeep/state-files.ts"),
      ]);
      const sessions = countSessions(await store.versions("sessions"));
      const status = await engine.status();
      const setAside = findSetAside(status.dbPath);
      const { note: meanwhile } = await chooseMeaning(meaning, status.statistics.chunks);
      const described = await describeStatus(status, settings, { chosen, sessions, setAside, meanwhile });
      return memory.entries === null ? described : { ...described, entries: await memory.entries.status() };
    },
    verify: async (request) => (await (await opened.get()).upkeep()).verify(request),
    checkIndex: async () => (await (await opened.get()).upkeep()).check(),
    repair: async (request) => (await (await opened.get()).upkeep()).repair(request),
    async migrate({ to, url, signal, progress }) {
      const startedAt = performance.now();
      const [{ withStore }, { migrateIndex }] = await Promise.all([
        import("../config/other-store.ts"),
        import("../upkeep/migrate.ts"),
      ]);
      const { store: source, embedder, place } = await opened.get();
      if (place === null) throw refuseMigration("this memory has a store of its program's own");
      const settingsThere = withStore(settings, { driver: to, url });
      // One that was given is closed by the memory that it was given to.
      const shared =
        options.embedder && Object.create(options.embedder, { [Symbol.asyncDispose]: { value: doNothing } });
      const parts = { ...(shared ? { embedder: shared as Embedder } : {}), notes, transcripts, dayOf, now };
      await using there = await openEngine(settingsThere, parts);
      if (there.place === place) throw refuseMigration(`the new index would be the old one, ${place}`);
      const request = { reason: "migrate", ...(signal && { signal }), ...(progress && { progress }) };
      const moved = await migrateIndex({
        ...{ source, target: there.store, embedder, progress, signal },
        fill: () => there.engine.sync({ ...request, vectors: "wait" }),
      });
      const { driver, url: address } = settingsThere.memorySearch.store;
      return {
        from: { driver: settings.memorySearch.store.driver, place },
        to: { driver, place: there.place! },
        ...moved,
        durationMs: Math.round(performance.now() - startedAt),
        configuration: `store: { driver: "${driver}"${address ? `, url: "${address}"` : ""} }`,
      };
    },
    async probeEmbeddingAvailability(request) {
      const { embedder, chosen } = await opened.get();
      const { probeEmbedding } = await import("../upkeep/probes.ts");
      const { vector: _, ...probe } = await probeEmbedding(embedder, request);
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
  return memory;

  async function openEntries(): Promise<Entries | null> {
    if (settings.plugins.slots.memory !== "memory-lancedb") return null;
    const { chooseEntries } = await import("./choose-entries.ts");
    const embedder = async () => (await opened.get()).embedder;
    return chooseEntries(settings, { notes, now, memory: () => memory, forgetLines, embedder });
  }

  async function forgetLines(request: ForgetRequest): Promise<ForgetResult> {
    if (opened.isClosed()) throw closedError();
    const openIndex = async () => (await opened.get()).engine;
    const { forget } = await import("../forget/forget.ts");
    return await forget({ notes, openEngine: openIndex, now }, request);
  }

  async function close(): Promise<void> {
    await memory.entries?.[Symbol.asyncDispose]();
    await opened.close();
  }
}

async function doNothing(): Promise<void> {}

function refuseMigration(why: string): LonghandError {
  return new LonghandError("not-supported", `Could not migrate the index: ${why}.`, {
    hint: "Name another store, or another place for it.",
  });
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
    const { fetchAskedModel } = await import("./local-models.ts");
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
function withFallback(answer: SearchAnswer, { fallback }: EmbedderChoice): SearchAnswer {
  // An embedder that the answering engine does not use is no loss to its answer.
  if (fallback === undefined || answer.provider === "qmd") return answer;
  return {
    ...answer,
    fallback: answer.fallback ?? fallback,
    degraded: [...answer.degraded, fallback.reason],
  };
}

/** Nothing can be found in a source that the configuration leaves out, and whoever asks for it is told so. */
function withAbsence(
  answer: SearchAnswer,
  source: SourceName | undefined,
  { memorySearch }: Settings,
): SearchAnswer {
  if (source === undefined || memorySearch.sources.includes(source)) return answer;
  const what = { memory: "notes", sessions: "transcripts of conversations" }[source];
  const reason = `${what} are not indexed, because memorySearch.sources does not name "${source}"`;
  return { ...answer, degraded: [...answer.degraded, reason] };
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

/** One lock for a workspace, whichever agents write to it. */
function notesLockPath({ stateDir, workspaceDir }: Settings): string {
  return join(stateDir, "locks", `notes-${sha256(realpathSync(workspaceDir)).slice(0, 16)}.lock`);
}
