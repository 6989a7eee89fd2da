import { childEnvironment } from "../config/child-environment.ts";
import { providerAccess } from "../config/provider-access.ts";
import type { Settings } from "../config/settings.ts";
import { type ChosenEmbedder, chooseEmbedder } from "../embedders/choose-embedder.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { createMakers, openStandby } from "../embedders/registry.ts";
import { createBuiltinEngine } from "../engines/builtin.ts";
import type { Edited, Engine } from "../engines/engine.ts";
import type { Notes } from "../notes/notes.ts";
import type { MeaningParts, MeaningSettings } from "../search/choose-meaning.ts";
import type { Blend } from "../search/rank.ts";
import { createSearcher } from "../search/searcher.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";
import { createNotesSource } from "../sources/markdown-folder.ts";
import { createSessionsSource } from "../sources/session-transcripts.ts";
import type { Source } from "../sources/source.ts";
import { createSwitchedOffSource } from "../sources/switched-off.ts";
import type { Store } from "../stores/store.ts";
import { followDimensions } from "../sync/follow-dimensions.ts";
import type { Crew } from "../sync/prepare-ahead.ts";
import { createChunker } from "../text/chunk.ts";
import { headOf, type WordSource } from "../text/chunk-words.ts";
import type { Chunker, SourceName } from "../text/document.ts";
import { createMask } from "../text/redact.ts";
import { type Analyser, createAnalyser } from "../text/words/analyse.ts";
import type { Upkeep } from "../upkeep/upkeep.ts";
import { chooseEngine } from "./choose-engine.ts";
import { type ChosenStore, chooseStore, type IndexingParts, openIndexFile } from "./choose-store.ts";
import { createPlace, rememberPlace } from "./index-places.ts";
import { createNoteCrew } from "./note-crew.ts";
import { nameMade } from "./note-messages.ts";
import type { EmbedderChoice } from "./status.ts";

/** Everything that works on the index; closed as one. */
export interface OpenedEngine extends AsyncDisposable {
  /** Where the index lies, as people are told; null for a store of somebody's own. */
  readonly place: string | null;
  readonly engine: Engine;
  readonly store: Store;
  readonly embedder: Embedder | undefined;
  readonly chosen: EmbedderChoice;
  readonly meaning: MeaningParts;
  readonly upkeep: () => Promise<Upkeep>;
}

interface EngineParts {
  readonly store?: Store;
  readonly embedder?: Embedder;
  readonly notes: Notes;
  readonly transcripts: Transcripts;
  readonly dayOf: (moment: Date) => string;
  readonly now: () => Date;
  /** With the provider `auto`, makes no choice of its own: see `chooseEmbedder`. */
  readonly followsIndex?: boolean;
}

/** The one place that chooses: which store, embedder, sources and engine the settings ask for. */
export async function openEngine(settings: Settings, parts: EngineParts): Promise<OpenedEngine> {
  const { store: given, embedder: own, transcripts, followsIndex, now } = parts;
  const { query, sync, chunking, cache, store: storage } = settings.memorySearch;
  const analyser = createAnalyser();
  const tokens = (chunk: WordSource) => ({
    body: analyser.indexText(chunk.text),
    head: analyser.indexText(headOf(chunk)),
  });
  const indexing: IndexingParts = {
    analyserId: analyser.id,
    tokens,
    chunking,
    maxCachedVectors: cache.enabled ? cache.maxEntries : 0,
  };
  const index = given ? undefined : await chooseStore(settings, indexing);
  const store = given ?? (await index!.open());
  const { literals } = transcripts;
  const { embedder: found, chosen } = await choose(settings, { literals, own, store, followsIndex });
  const embedder = found && (await followDimensions(found, store));
  const sources = chooseSources(settings, parts);
  const chunker = createChunker(chunking);
  const meaning = chooseMeaningParts(store, embedder, settings);
  const builtin = createBuiltinEngine({
    store,
    dbPath: index?.place ?? storage.path,
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
    locks: index?.locks,
    seen: index?.seen,
    // Others than our own may want documents as they have always got them, and make the words themselves.
    crew: index?.takesWords ? chooseCrew(settings, { analyser, chunker, transcripts, now }) : undefined,
    now,
  });
  const { dayOf } = parts;
  const chosenEngine = await chooseEngine(settings, {
    ...{ builtin, store, sources, analyser, chunker, dayOf, now },
  });
  const engine = index ? reachCopies(chosenEngine, index) : chosenEngine;
  /** A purge also reaches indexes in stores that were used before, and what a killed process has left. */
  function reachCopies(inner: Engine, { place }: ChosenStore): Engine {
    const current = createPlace(storage.driver, place);
    rememberPlace(settings, current);
    const source = sources.find(({ name }) => name === "memory")!;
    return {
      ...inner,
      async preparePurge(paths) {
        const { preparePurgeOfCopies } = await import("./purge-copies.ts");
        const purge = await inner.preparePurge(paths);
        const purgeOther = async (other: Settings, edited: Edited) => {
          const { preparePurge } = await import("../engines/purge.ts");
          const { open, locks } = await chooseStore(other, indexing);
          await using earlier = await open();
          const its = { source, store: earlier, chunker, settle: async () => {}, lock: locks?.documents };
          return await (await preparePurge(its, paths))(edited);
        };
        return preparePurgeOfCopies(purge, { settings, current, purgeOther });
      },
    };
  }
  const upkeep = async (): Promise<Upkeep> => {
    const { createUpkeep, refuseUpkeep } = await import("../upkeep/upkeep.ts");
    if (!index) throw refuseUpkeep();
    // A service would have to be paid for vectors that are only compared.
    const free = embedder?.provider === "builtin" ? embedder : undefined;
    const vectors = free ? "wait" : "never";
    return createUpkeep({
      ...{ dbPath: storage.path, stateDir: settings.stateDir, store, sources, chunker, embedder: free, now },
      sync: (request) => builtin.sync({ ...request, vectors }),
      openStore: (path) => openIndexFile(path, indexing),
      openContents: () => index.openContents(store, free?.id),
      openFileContents: (path) => index.openFileContents(path, free?.id),
      checkFiles: index.checkFiles,
    });
  };
  const close = async (): Promise<void> => {
    await engine[Symbol.asyncDispose]();
    await meaning[Symbol.asyncDispose]();
  };
  return {
    place: index?.place ?? null,
    engine,
    store,
    embedder,
    chosen,
    meaning,
    upkeep,
    [Symbol.asyncDispose]: close,
  };
}

/** Which embedder it would be, for those who cannot open the rest. */
export async function describeChoice(
  settings: Settings,
  { transcripts, embedder: own }: Pick<EngineParts, "transcripts" | "embedder">,
): Promise<EmbedderChoice> {
  const { embedder, chosen } = await choose(settings, { literals: transcripts.literals, own });
  if (embedder !== own) await embedder?.[Symbol.asyncDispose]();
  return chosen;
}

const betterThanBuiltin =
  "a model on this machine, or a service that you name, finds more by meaning: docs/providers.md";

interface EmbedderRequest {
  readonly literals: readonly string[];
  readonly own: Embedder | undefined;
  /** Absent while the index cannot be opened. */
  readonly store?: Store;
  readonly followsIndex?: boolean | undefined;
}

async function choose(settings: Settings, request: EmbedderRequest) {
  const { own } = request;
  const { embedder, ...reasons } = own
    ? { embedder: own, why: "it was given by the program" }
    : await findEmbedder(settings, request);
  const isDefault = (settings.origins.get("memorySearch.provider")?.from ?? "default") === "default";
  const chosen: EmbedderChoice = {
    ...(isDefault && embedder !== own && { better: async () => betterThanBuiltin }),
    ...reasons,
    ...(isDefault && embedder && embedder !== own && { why: "the default: nothing is sent" }),
    provider: embedder?.provider ?? "none",
    ...(embedder ? { model: embedder.model } : {}),
  };
  return { embedder, chosen };
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

function chooseCrew(
  { workspaceDir, memorySearch }: Settings,
  { analyser, chunker, transcripts, now }: Pick<EngineParts, "transcripts" | "now"> & NotePreparing,
): Crew {
  const { literals } = transcripts;
  const made = nameMade({ analyser, chunker, mask: createMask(literals) });
  const { extraPaths, chunking } = memorySearch;
  return createNoteCrew({ workspaceDir, extraPaths, literals, chunking, made, now });
}

interface NotePreparing {
  readonly analyser: Analyser;
  readonly chunker: Chunker;
}

/** The embedder that the settings ask for, or the reason why there is none. */
async function findEmbedder(
  settings: Settings,
  { literals, store: index, followsIndex }: EmbedderRequest,
): Promise<ChosenEmbedder> {
  const { provider, fallback, local, remote, store, outputDimensionality } = settings.memorySearch;
  if (!store.vector.enabled) return { why: "vectors are switched off" };
  const isFolder = provider === "builtin" && namesFolder(settings);
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
  const indexedWith =
    provider === "auto" && index ? await findRecorded(index, [...makers.keys()]) : undefined;
  return await chooseEmbedder({ provider, fallback, makers, indexedWith, followsIndex });
}

/** The provider whose vectors the index has, the most complete first; those of the builtin model decide nothing. */
async function findRecorded(store: Store, order: readonly string[]): Promise<string | undefined> {
  const sets = (await store.vectorSets()).filter(
    ({ provider }) => provider !== "builtin" && order.includes(provider),
  );
  const rank = ({ provider }: { provider: string }) => order.indexOf(provider);
  return sets.toSorted((a, b) => a.missing - b.missing || rank(a) - rank(b))[0]?.provider;
}

/** The builtin model costs nothing to keep at hand. */
function chooseMeaningParts(
  store: Store,
  embedder: Embedder | undefined,
  settings: Settings,
): MeaningParts & AsyncDisposable {
  const { vectorWaitMs, hybrid } = settings.memorySearch.query;
  const settingsFor = (by: Embedder, isPackaged: boolean): MeaningSettings => ({
    embedder: by,
    waitMs: vectorWaitMs,
    isHybrid: hybrid.enabled,
    blend: chooseBlend(isPackaged, settings),
  });
  let opening: Promise<MeaningSettings | null> | undefined;
  const open = () => (opening ??= openStandby().then((by) => by && settingsFor(by, true)));
  return {
    store,
    meaning: embedder && settingsFor(embedder, embedder.provider === "builtin" && !namesFolder(settings)),
    standby: { provider: "builtin", open },
    async [Symbol.asyncDispose]() {
      await (await opening)?.embedder[Symbol.asyncDispose]();
    },
  };
}

/** How much the builtin model may lift what words say; chosen with `longhand eval`, see docs/search.md. */
const builtinWeight = 0.16;

/** Instead of a model to download; the builtin embedder then takes it in place of the package's own. */
function namesFolder({ memorySearch }: Settings): boolean {
  return !/^(?:hf|https?):/i.test(memorySearch.local.modelPath);
}

/** Weights that the user has set win. What the packaged model is worth is known; of all others evidence decides. */
function chooseBlend(isPackaged: boolean, { memorySearch, origins }: Settings): Blend {
  const { fusion, vectorWeight, textWeight } = memorySearch.query.hybrid;
  const key = "memorySearch.query.hybrid";
  const isSet = ["vectorWeight", "textWeight", "fusion"].some(
    (name) => (origins.get(`${key}.${name}`)?.from ?? "default") !== "default",
  );
  if (isSet) return { kind: fusion, vectorWeight, textWeight };
  return isPackaged ? { kind: "assist", weight: builtinWeight } : { kind: "evidence" };
}
