import type { Settings } from "../config/settings.ts";
import { createGivenEmbedder } from "../embedders/given-embedder.ts";
import type { Entries } from "../entries/entries.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import type { UserLayer } from "../search/layered-searcher.ts";
import type { SearchHit } from "../search/search.ts";
import { shiftDay } from "../text/day.ts";
import { isUserPath, type MemoryLayer, pathInLayer } from "../text/layer-path.ts";
import { override } from "../text/override.ts";
import { checkGivenParts } from "./check-given-parts.ts";
import { chooseConsolidation } from "./choose-consolidation.ts";
import { chooseForget } from "./choose-forget.ts";
import { chooseMaintenance } from "./choose-maintenance.ts";
import { completeAnswer, withTitles } from "./complete-answer.ts";
import { currentFallback, describeMemory } from "./describe-memory.ts";
import { createLayerLinks } from "./layer-links.ts";
import type { Memory, OpenMemoryOptions } from "./memory.ts";
import { createMemoryNotes } from "./memory-notes.ts";
import { createLayerSessions, openLayerFiles } from "./open-layer-files.ts";
import { openOnce } from "./open-once.ts";
import { openRecallJournal } from "./recall-journal.ts";
import { createSessionGuard } from "./session-guard.ts";
import { createUsage } from "./usage.ts";
import { type OpenedLayer, readUserNotes, type UserMemory } from "./user-memory.ts";
import { isTrustedWorkspace } from "./workspace-trust.ts";

/** Loaded on first use: hooks that only read or write notes need no engine. */
const loadEngine = () => import("./choose-parts.ts");

export interface ConfiguredMemoryOptions
  extends Pick<OpenMemoryOptions, "store" | "embedder" | "sources" | "now"> {
  /** Checked whenever notes are quoted, because it may change while a server runs. Defaults to the user's decision. */
  readonly isTrusted?: () => boolean;
  /** Uses the builtin model or none; see `chooseEmbedder`. */
  readonly asksNoService?: boolean | undefined;
  /** False if `maskSecrets` is never called: loading its rules takes time. */
  readonly masksText?: boolean | undefined;
}

interface LayerOptions extends ConfiguredMemoryOptions {
  /** The user's memory, searched together with this one. */
  readonly user?: UserMemory | undefined;
}

/** Opens the parts that the settings ask for, and owns them until it is closed. */
export async function openLayer(asked: Settings, given: LayerOptions): Promise<OpenedLayer> {
  const { now = () => new Date(), isTrusted = () => isTrustedWorkspace(asked) } = given;
  const settings = keepToFolder(asked, isTrusted);
  refuseDisabled(settings);
  checkGivenParts(given, settings);
  const options = { ...given, embedder: given.embedder && createGivenEmbedder(given.embedder) };
  const files = openLayerFiles(settings, { now, sources: options.sources ?? [] });
  const { notes, literals, openTranscripts, sources, dayOf, dayModified, mask } = files;
  if (options.masksText !== false) await mask.load();
  const limits: Partial<Settings["memory"]["qmd"]["limits"]> =
    settings.memory.backend === "qmd" ? settings.memory.qmd.limits : {};
  // Notes stay readable and writable when the index cannot be opened, so it is opened on demand.
  const opened = openOnce(async () => {
    const { openEngine } = await loadEngine();
    const { user } = options;
    return await openEngine(settings, {
      ...{ ...options, ...files },
      ...(user && { openUserLayer: async () => (await (await user.get())?.searchLayer()) ?? null }),
    });
  });
  const isSharedFor = createSessionGuard(settings);
  const usage = createUsage({
    notes,
    openStore: async () => (await opened.get()).store,
    // An index that machines share has the counts of all of them.
    journal:
      options.store || settings.memorySearch.store.driver === "postgres" ? null : openRecallJournal(settings),
    isEnabled: settings.memorySearch.usage.enabled,
    today: () => dayOf(now()),
    isSharedFor,
  });
  const links = createLayerLinks(notes, { isSharedFor, user: options.user });
  const { consolidation, ...receipts } = chooseConsolidation(settings, {
    notes,
    dayOf,
    now,
    readRecalls: usage.readRecalls,
    mask: mask.apply,
  });
  const recovering = receipts.recover();
  const { pendingPurges, ...forgetting } = chooseForget(settings, {
    ...{ notes, openTranscripts, now },
    openEngine: async () => (await opened.get()).engine,
    purgeReceipts: receipts.purge,
  });
  // Parts given by the caller are ours to close, whether they are used or not.
  if (options.store || options.embedder) await opened.get();

  const memory: Memory = {
    ...createMemoryNotes({
      notes,
      sources,
      openEngine: async () => {
        const { engine } = await opened.get();
        pendingPurges.finishSoon();
        return engine;
      },
      isSharedFor,
      checkScope,
      today: () => dayOf(now()),
      searchWaitMs: settings.memorySearch.sync.searchWaitMs,
    }),
    ...chooseMaintenance(settings, {
      openEngine: opened.get,
      given: options.embedder,
      recovering,
      pendingPurges,
      openOther: async (other, embedder) => {
        const { openEngine } = await loadEngine();
        return await openEngine(other, { embedder, ...files });
      },
    }),
    agentId: settings.agentId,
    sources: ["memory", "sessions", ...sources.map(({ name }) => name)],
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
    sessions: createLayerSessions(settings, {
      ...files,
      indexed: async () => (await opened.get()).store.versions("sessions"),
    }),
    // Asking the system takes time, so it is done on demand.
    get timezone() {
      return settings.userTimezone;
    },
    compaction: settings.compaction,
    maskSecrets: mask.applyNow,
    async search(query, request = {}) {
      isSharedFor(request.sessionKey);
      checkScope(request.scope);
      const { engine, chosen, chain } = await opened.get();
      const answer = await engine.search(query, await links.narrow(request));
      const degraded = [...pendingPurges.describe(), ...answer.degraded];
      pendingPurges.finishSoon();
      await recordUsage(answer.results);
      const fallback = await currentFallback(chosen, chain);
      const results = await withTitles(answer.results, memory.sessions);
      return completeAnswer({ ...answer, results, degraded }, { request, fallback, settings });
    },
    findNote: links.findNote,
    links: links.links,
    tags: links.tags,
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
        yesterday: shiftDay(dayOf(moment), -1),
        isShared: isSharedFor(sessionKey),
        limits: startLimits,
        ofUser: isSharedFor(sessionKey) ? [] : await readUserNotes(options.user, { indexing, signal }),
        mask: mask.apply,
        catchUp: onSessionStart && indexing === "now" ? catchUp : undefined,
        waitMs: searchWaitMs,
        trusted: isTrusted(),
        signal,
      });
    },
    listIndexed: async () => (await (await opened.get()).store.documents?.()) ?? null,
    async forget(request) {
      isSharedFor(request.sessionKey);
      const result = await forgetting.forget(request);
      if (!request.dryRun) await usage.drop([...new Set(result.removed.map(({ path }) => path))]);
      pendingPurges.finishSoon();
      return result;
    },
    async watch(request) {
      const { engine } = await opened.get();
      pendingPurges.finishSoon();
      return await engine.watch(request);
    },
    async status() {
      const known = await describeMemory({
        ...{ openEngine: opened.get, embedder: options.embedder },
        ...{ settings, literals, notes, now },
      });
      await recovering;
      const described = {
        ...known,
        trusted: isTrusted(),
        pendingPurges: pendingPurges.list(),
        pendingRecoveries: await receipts.recover(),
      };
      return memory.entries === null ? described : { ...described, entries: await memory.entries.status() };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return { memory, searchLayer, findPaths: links.findPaths, recordUsage };

  /** Each layer counts its own hits. */
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

  async function searchLayer(): Promise<UserLayer> {
    const { engine, searched } = await opened.get();
    pendingPurges.finishSoon();
    return {
      store: searched,
      freshen: (request) => engine.freshen({ ...request, reason: "search" }),
      pendingRemovals: () => engine.pendingRemovals(),
      dayModified,
    };
  }

  async function openEntries(): Promise<Entries | null> {
    if (settings.plugins.slots.memory !== "memory-lancedb") return null;
    await mask.load();
    const { chooseEntries } = await import("./choose-entries.ts");
    const embedder = async () => (await opened.get()).embedder;
    const { forgetLines } = forgetting;
    const place = { notes, now, memory: () => memory, forgetLines, embedder, isSharedFor };
    return chooseEntries(settings, place);
  }

  async function close(): Promise<void> {
    await usage.close();
    await memory.entries?.[Symbol.asyncDispose]();
    await recovering;
    await pendingPurges.settled();
    await opened.close();
  }
}

/** An untrusted folder may contain a `.git` that names another project, and must not reach that project's index. */
function keepToFolder(settings: Settings, isTrusted: () => boolean): Settings {
  const isShared = settings.memorySearch.store.driver === "postgres" && settings.project !== null;
  return isShared && !isTrusted() ? override(settings, { project: null }) : settings;
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
