import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { FallbackChain } from "../embedders/fallback-chain.ts";
import { createBuiltinEngine } from "../engines/builtin.ts";
import type { Edited, Engine } from "../engines/engine.ts";
import type { Notes } from "../notes/notes.ts";
import { chooseQueryEmbedder, type SemanticChoice } from "../search/choose-query-embedder.ts";
import { asSearched, type SearchedStore } from "../search/join-stores.ts";
import { createLayeredSearcher, type OpenUserLayer } from "../search/layered-searcher.ts";
import { createSearcher, type SearcherParts } from "../search/searcher.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";
import { createNotesSource } from "../sources/markdown-folder.ts";
import type { Source } from "../sources/source.ts";
import { lockPathOf, withFileLock } from "../stores/lock.ts";
import { hasVectors, type Store } from "../stores/store.ts";
import type { WorkerPool } from "../sync/prepare-ahead.ts";
import { createChunker } from "../text/chunk.ts";
import type { Chunker, SourceName } from "../text/document.ts";
import { createMask } from "../text/mask.ts";
import { type Analyzer, createAnalyzer } from "../text/words/analyze.ts";
import { createChunkTokens, indexHead } from "../text/words/chunk-tokens.ts";
import type { Upkeep } from "../upkeep/upkeep.ts";
import { chooseFirst, chooseSemanticSource, createChain } from "./choose-chain.ts";
import { chooseEngine } from "./choose-engine.ts";
import { chooseStore, type IndexingParts, openIndexFile } from "./choose-store.ts";
import { createIndexLocation, type IndexLocation, rememberIndexLocation } from "./index-locations.ts";
import { createNoteWorkerPool, preparationId } from "./note-worker-pool.ts";
import type { EmbedderChoice } from "./status.ts";

/** Everything that works on the index, closed together. */
export interface OpenedEngine extends AsyncDisposable {
  /** The location of the index for display; null for a caller's own store. */
  readonly place: string | null;
  readonly engine: Engine;
  readonly store: Store;
  /** The same store, as a search reads it. */
  readonly searched: SearchedStore;
  /** The chosen embedder, and its fallbacks. */
  readonly embedder: Embedder | undefined;
  readonly chain: FallbackChain | undefined;
  readonly chosen: EmbedderChoice;
  /** Which embedder answers queries now, given the number of chunks in the index. */
  readonly queryEmbedder: (totalChunks: number) => Promise<SemanticChoice>;
  readonly upkeep: () => Promise<Upkeep>;
}

interface EngineParts {
  readonly store?: Store | undefined;
  readonly embedder?: Embedder | undefined;
  /** The caller's own sources. */
  readonly sources?: readonly Source[];
  readonly notes: Notes;
  /** Keys of the configuration, which are always masked. */
  readonly literals: readonly string[];
  readonly openTranscripts: () => Promise<Transcripts>;
  readonly dayOf: (moment: Date) => string;
  /** The day a note was last modified. */
  readonly dayModified: (path: string) => string | undefined;
  readonly now: () => Date;
  /** Uses the builtin model or none; see `chooseEmbedder`. */
  readonly asksNoService?: boolean | undefined;
  /** The index of the user's memory, searched together with this one. */
  readonly openUserLayer?: OpenUserLayer;
}

/** When the provider fails, a search waits at least this long for the builtin model, once. */
const minStandInWaitMs = 1000;

/** The one place that chooses the store, embedder, sources and engine from the settings. */
export async function openEngine(settings: Settings, parts: EngineParts): Promise<OpenedEngine> {
  const { store: given, embedder: own, literals, asksNoService, now } = parts;
  const { query, sync, chunking, cache, store: storage } = settings.memorySearch;
  const analyzer = createAnalyzer();
  const tokens = createChunkTokens(analyzer);
  const indexing: IndexingParts = {
    analyzerId: analyzer.id,
    tokens,
    chunking,
    maxCachedVectors: cache.enabled ? cache.maxEntries : 0,
  };
  const index = given ? undefined : await chooseStore(settings, indexing);
  const store = given ?? (await index!.open());
  const vectors = hasVectors(store) ? store : null;
  const first =
    vectors && (await chooseFirst(settings, { literals, own, store: vectors, asksNoService, now }));
  const { embedder: found, chosen, isOwnModel, isGiven } = first ?? keywordsOnly;
  const chain =
    vectors && found
      ? createChain(settings, { found, isOwnModel, isGiven, literals, store: vectors, now })
      : undefined;
  const embedder = (await chain?.links[0]?.open()) ?? undefined;
  const sources = await chooseSources(settings, parts);
  const chunker = given ? withWords(createChunker(chunking), analyzer) : createChunker(chunking);
  const searched = asSearched(store);
  const semantic = {
    store: searched,
    ...(chain && found && { semantic: chooseSemanticSource(settings, { chain, found, isOwnModel }) }),
  };
  const searching: SearcherParts = {
    ...semantic,
    store: searched,
    analyzer,
    settings: { ...query, ...query.hybrid },
    sources: sources.map(({ name }) => name),
    today: () => parts.dayOf(now()),
    dayModified: parts.dayModified,
  };
  const builtin = createBuiltinEngine({
    store,
    dbPath: index?.place ?? storage.path,
    sources,
    chunker,
    embedder,
    chain,
    fallbackWaitMs: Math.max(minStandInWaitMs, query.vectorWaitMs),
    searcher: parts.openUserLayer
      ? createLayeredSearcher(searching, parts.openUserLayer)
      : createSearcher(searching),
    syncOnSearch: sync.onSearch,
    searchWaitMs: sync.searchWaitMs,
    watching: {
      isConfigured: sync.watch,
      debounceMs: sync.watchDebounceMs,
      intervalMinutes: sync.intervalMinutes,
    },
    // A caller's own store may be shared by other means than a path.
    locks: index?.locks,
    seen: index?.seen,
    // Only our own stores accept tokens prepared in advance.
    workers: index?.takesWords ? chooseWorkerPool(settings, { analyzer, chunker, literals, now }) : undefined,
    now,
  });
  const { dayOf, dayModified } = parts;
  const chosenEngine = await chooseEngine(settings, {
    ...{ builtin, store, sources, analyzer, chunker, dayOf, dayModified, now },
  });
  const location = index && createIndexLocation(storage.driver, index.place);
  if (location) {
    await rememberIndexLocation(settings, location, (file, work) =>
      withFileLock(lockPathOf(settings.stateDir, "index-places", file), {}, work),
    );
  }
  const engine = location ? reachCopies(chosenEngine, location) : chosenEngine;
  /** A purge also covers indexes in stores used before, and leftovers of killed processes. */
  function reachCopies(inner: Engine, current: IndexLocation): Engine {
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
    // Vectors that are only compared are not worth paying a service for.
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
  return {
    place: index?.place ?? null,
    engine,
    store,
    searched,
    embedder,
    chain,
    chosen,
    queryEmbedder: (totalChunks) => chooseQueryEmbedder(semantic, totalChunks),
    upkeep,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

const keywordsOnly = {
  embedder: undefined,
  chosen: { provider: "none", why: "the store of the program keeps no vectors" } satisfies EmbedderChoice,
  isOwnModel: false,
  isGiven: false,
};

/**
 * Adds tokens to every chunk, for a store without an analyzer. The chunker's id includes the analyzer, so a new
 * analyzer reindexes all documents.
 */
function withWords(chunker: Chunker, analyzer: Analyzer): Chunker {
  const encode = (text: string): Uint8Array => Uint8Array.from(analyzer.indexBytes(text.toWellFormed()));
  return {
    ...chunker,
    id: `${chunker.id}+${analyzer.id}`,
    words: (chunk) => ({ body: encode(chunk.text), head: Uint8Array.from(indexHead(analyzer, chunk)) }),
  };
}

/** Which embedder would be used, for callers that cannot open the index. */
export async function describeChoice(
  settings: Settings,
  { literals, embedder: own, now }: Pick<EngineParts, "literals" | "embedder" | "now">,
): Promise<EmbedderChoice> {
  const { embedder, chosen } = await chooseFirst(settings, { literals, own, now });
  if (embedder !== own) await embedder?.[Symbol.asyncDispose]();
  return chosen;
}

/** A source that is switched off loses its documents at the next sync. */
async function chooseSources(
  { memorySearch }: Settings,
  { notes, literals, openTranscripts, sources = [], dayOf, now }: EngineParts,
): Promise<Source[]> {
  const create = {
    memory: async () => createNotesSource(notes, createMask(literals)),
    async sessions() {
      const { createSessionsSource } = await import("../sources/session-transcripts.ts");
      const transcripts = await openTranscripts();
      return createSessionsSource({ transcripts, ...memorySearch.sync.sessions, dayOf, now });
    },
  };
  const configured = (["memory", "sessions"] as const).map((name) =>
    memorySearch.sources.includes(name) ? create[name]() : createSwitchedOffSource(name),
  );
  return [...(await Promise.all(configured)), ...sources];
}

function chooseWorkerPool(
  { workspaceDir, memorySearch, notes }: Settings,
  { analyzer, chunker, literals, now }: Pick<EngineParts, "literals" | "now"> & NotePreparing,
): WorkerPool {
  const made = preparationId({ analyzer, chunker, mask: createMask(literals) });
  const { extraPaths, chunking } = memorySearch;
  return createNoteWorkerPool({ workspaceDir, extraPaths, ...notes, literals, chunking, made, now });
}

interface NotePreparing {
  readonly analyzer: Analyzer;
  readonly chunker: Chunker;
}

/** A source that is switched off: the next sync removes its documents from the index. */
function createSwitchedOffSource(name: SourceName): Source {
  return {
    specificationVersion: 1,
    name,
    async list({ known } = {}) {
      const skipped = [...(known?.keys() ?? [])].map((path) => ({
        path,
        reason: "excluded" as const,
        detail: `the source ${name} is switched off`,
      }));
      return { entries: [], skipped, folders: [] };
    },
    read: async () => null,
  };
}
