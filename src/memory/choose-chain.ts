import { childEnvironment } from "../config/child-environment.ts";
import { providerAccess } from "../config/provider-access.ts";
import type { Settings } from "../config/settings.ts";
import { type ChosenEmbedder, chooseEmbedder, openOrNull } from "../embedders/choose-embedder.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { type ChainLink, createFallbackChain, type FallbackChain } from "../embedders/fallback-chain.ts";
import { createFactories, openStandby } from "../embedders/registry.ts";
import type { WordModel } from "../search/assist.ts";
import type { SemanticSource } from "../search/choose-query-embedder.ts";
import type { Blend } from "../search/rank.ts";
import type { VectorStore } from "../stores/store.ts";
import { failureFact } from "../sync/embedding-record.ts";
import { followDimensions } from "../sync/follow-dimensions.ts";
import type { EmbedderChoice } from "./status.ts";

const betterThanBuiltin = "a local model or a service improves semantic search (docs/providers.md)";

interface EmbedderRequest {
  readonly literals: readonly string[];
  readonly own: Embedder | undefined;
  /** Absent while the index cannot be opened. */
  readonly store?: VectorStore;
  readonly asksNoService?: boolean | undefined;
  readonly now: () => Date;
}

/** The primary embedder, and why it was chosen. */
export async function chooseFirst(settings: Settings, request: EmbedderRequest) {
  const { own, now } = request;
  const { embedder, fallback, ...reasons }: ChosenEmbedder = own
    ? { embedder: own, why: "it was given by the program" }
    : await findEmbedder(settings, request);
  const isDefault = (settings.origins.get("memorySearch.provider")?.from ?? "default") === "default";
  const chosen: EmbedderChoice = {
    ...(isDefault && embedder !== own && { better: async () => betterThanBuiltin }),
    ...reasons,
    ...(isDefault && embedder && embedder !== own && { why: "default; nothing is sent" }),
    provider: embedder?.provider ?? "none",
    ...(embedder ? { model: embedder.model } : {}),
    ...(fallback && {
      fallback: { ...fallback, to: embedder?.provider ?? "none", since: now().toISOString() },
    }),
  };
  const { provider } = settings.memorySearch;
  const isOwnModel =
    embedder !== own && provider === "builtin" && namesFolder(settings) && fallback === undefined;
  return { embedder, chosen, isOwnModel, isGiven: own !== undefined };
}

/** The embedder that the settings ask for, or the reason why there is none. */
async function findEmbedder(
  settings: Settings,
  { literals, store: index, asksNoService }: EmbedderRequest,
): Promise<ChosenEmbedder> {
  const { provider, fallback } = settings.memorySearch;
  const factories = factoriesOf(settings, literals);
  const indexedWith =
    provider === "auto" && index ? await findRecorded(index, [...factories.keys()]) : undefined;
  const standby = openStandby;
  return await chooseEmbedder({ provider, fallback, factories, standby, indexedWith, asksNoService });
}

function factoriesOf(settings: Settings, literals: readonly string[]) {
  const { provider, local, remote, outputDimensionality } = settings.memorySearch;
  const isFolder = provider === "builtin" && namesFolder(settings);
  return createFactories({
    local: {
      ...local,
      outputDimensionality,
      get environment() {
        return childEnvironment();
      },
    },
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
    literals,
  });
}

/**
 * The chosen embedder, then the configured fallback, then the builtin model, which is free and sends nothing. No other
 * service takes over: sending notes to one needs the user's consent.
 */
export function createChain(
  settings: Settings,
  { found, isOwnModel, isGiven, literals, store, now }: ChainParts,
): FallbackChain {
  const { fallback } = settings.memorySearch;
  const followed = (provider: string, open: () => Promise<Embedder | null>): ChainLink => ({
    provider,
    async open() {
      const embedder = await open();
      // The id of a local model names its file, so that it cannot change.
      const mayChange = embedder?.providerKey !== undefined || (isGiven && embedder === found);
      return embedder && mayChange ? await followDimensions(embedder, store) : embedder;
    },
  });
  const isNamed = fallback !== "none" && fallback !== "builtin" && fallback !== found.provider;
  const isBuiltin = found.provider === "builtin" && !isOwnModel;
  return createFallbackChain({
    links: [
      followed(found.provider, async () => found),
      ...(isNamed ? [followed(fallback, () => openOrNull(fallback, factoriesOf(settings, literals)))] : []),
      ...(isBuiltin ? [] : [followed("builtin", openStandby)]),
    ],
    record: {
      read: () => store.readFact(failureFact),
      write: (json) => store.writeFact(failureFact, json),
    },
    now,
  });
}

interface ChainParts {
  /** The primary embedder. */
  readonly found: Embedder;
  /** It is the user's own model folder, although its provider is called builtin. */
  readonly isOwnModel: boolean;
  /** The program brought it. */
  readonly isGiven: boolean;
  readonly literals: readonly string[];
  readonly store: VectorStore;
  readonly now: () => Date;
}

/** The provider with the most complete vectors in the index, not counting the builtin model. */
async function findRecorded(store: VectorStore, order: readonly string[]): Promise<string | undefined> {
  const sets = (await store.vectorSets()).filter(
    ({ provider }) => provider !== "builtin" && order.includes(provider),
  );
  const rank = ({ provider }: { provider: string }) => order.indexOf(provider);
  return sets.toSorted((a, b) => a.missing - b.missing || rank(a) - rank(b))[0]?.provider;
}

/** The search settings of each embedder of the chain. */
export function chooseSemanticSource(
  settings: Settings,
  { chain, found, isOwnModel }: Pick<ChainParts, "found" | "isOwnModel"> & { readonly chain: FallbackChain },
): SemanticSource {
  const { vectorWaitMs, hybrid } = settings.memorySearch.query;
  const isPackaged = ({ id, provider }: Embedder) =>
    provider === "builtin" && !(isOwnModel && id === found.id);
  // Every chain ends with it.
  const builtin = chain.links.at(-1)!;
  const openWordModel = async (): Promise<WordModel | null> => {
    const { compareWords, knowsWord } = (await builtin.open()) ?? {};
    return compareWords && knowsWord ? { compareWords, knowsWord } : null;
  };
  return {
    chain,
    settingsOf(embedder) {
      const blend = chooseBlend(isPackaged(embedder), settings);
      // Weights set by the user decide alone.
      const isAssisted = blend.kind === "assist" || blend.kind === "evidence";
      return {
        embedder,
        waitMs: vectorWaitMs,
        isHybrid: hybrid.enabled,
        blend,
        ...(isAssisted && { openWordModel }),
      };
    },
  };
}

/** A folder instead of a model to download; the builtin embedder then uses it in place of the packaged model. */
function namesFolder({ memorySearch }: Settings): boolean {
  return !/^(?:hf|https?):/i.test(memorySearch.local.modelPath);
}

/** Weights set by the user win. The packaged model's quality is known; for all others evidence decides. */
function chooseBlend(isPackaged: boolean, { memorySearch, origins }: Settings): Blend {
  const { fusion, vectorWeight, textWeight } = memorySearch.query.hybrid;
  const key = "memorySearch.query.hybrid";
  const isSet = ["vectorWeight", "textWeight", "fusion"].some(
    (name) => (origins.get(`${key}.${name}`)?.from ?? "default") !== "default",
  );
  if (isSet) return { kind: fusion, vectorWeight, textWeight };
  return isPackaged ? { kind: "assist" } : { kind: "evidence" };
}
