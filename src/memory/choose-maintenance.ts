import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { describeFallback } from "../embedders/fallback-chain.ts";
import type { SyncOptions } from "../sync/sync.ts";
import type { PendingPurges } from "./choose-forget.ts";
import type { OpenedEngine } from "./choose-parts.ts";
import { currentFallback } from "./describe-memory.ts";
import type { FetchedModel } from "./local-models.ts";
import type { Memory } from "./memory.ts";
import type { EmbedderChoice } from "./status.ts";

/** Everything a memory does with its index besides searching it. */
type Maintenance = Pick<
  Memory,
  | "sync"
  | "verify"
  | "checkIndex"
  | "repair"
  | "migrate"
  | "importVectors"
  | "probeEmbeddingAvailability"
  | "probeVectorAvailability"
>;

interface MaintenanceParts {
  readonly openEngine: () => Promise<OpenedEngine>;
  /** The caller's own embedder. */
  readonly given: Embedder | undefined;
  /** Ends when consolidations of killed processes were recovered. */
  readonly recovering: Promise<unknown>;
  readonly pendingPurges: Pick<PendingPurges, "finish" | "describe">;
  /** Opens an index of the same notes with other settings. */
  readonly openOther: (settings: Settings, embedder: Embedder | undefined) => Promise<OpenedEngine>;
}

export function chooseMaintenance(
  settings: Settings,
  { openEngine, given, recovering, pendingPurges, openOther }: MaintenanceParts,
): Maintenance {
  const fetchModel = createModelFetcher(settings, given);
  return {
    async sync(request = {}) {
      const fetched = await fetchModel(request);
      const { engine, chosen, chain } = await openEngine();
      await recovering;
      await pendingPurges.finish();
      const report = await engine.sync(request);
      const fallback = await currentFallback(chosen, chain);
      const reason = describeFetch(fetched, chosen) ?? (fallback && describeFallback(fallback));
      const degraded = [
        ...(reason === null ? [] : [reason]),
        ...pendingPurges.describe(),
        ...report.degraded,
      ];
      return { ...report, degraded };
    },
    async verify(request) {
      const { upkeep } = await openEngine();
      await pendingPurges.finish();
      return await (await upkeep()).verify(request);
    },
    checkIndex: async () => (await (await openEngine()).upkeep()).check(),
    async repair(request) {
      const { upkeep } = await openEngine();
      await pendingPurges.finish();
      return await (await upkeep()).repair(request);
    },
    async migrate(request) {
      const { migrateMemory } = await import("./migrate-memory.ts");
      const parts = { opened: await openEngine(), given, openOther };
      return await migrateMemory(settings, request, parts);
    },
    async importVectors(request) {
      const { importVectors } = await import("./import-vectors.ts");
      const { openOpenclawVectors } = await import("../stores/foreign-vectors.ts");
      const { familyOfName } = await import("../embedders/local/model-family.ts");
      const ready = await openEngine();
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
      const { embedder, chosen, chain } = await openEngine();
      const { probeEmbedding } = await import("../upkeep/probes.ts");
      const { vector: _, ...probe } = await probeEmbedding(embedder, request);
      if (chain && probe.ok) await chain.answered(chain.links[0]!, "query");
      return embedder ? probe : { ...probe, error: chosen.fallback?.reason ?? chosen.why };
    },
    async probeVectorAvailability(request) {
      const { store, embedder } = await openEngine();
      const { probeVectors } = await import("../upkeep/probes.ts");
      return await probeVectors(store, embedder, request);
    },
  };
}

/** Downloads the configured local model before a sync, once per memory: offline, every sync would wait for it. */
function createModelFetcher(settings: Settings, given: Embedder | undefined) {
  const none = { isFetched: false, problem: null };
  let isTried = given !== undefined || settings.memorySearch.provider !== "local";
  return async (request: SyncOptions): Promise<FetchedModel> => {
    if (isTried) return none;
    isTried = true;
    const { fetchAskedModel } = await import("./local-models.ts");
    return await fetchAskedModel(settings, request);
  };
}

/** What a download means for this sync; null if there is nothing to say. */
function describeFetch({ isFetched, problem }: FetchedModel, { provider }: EmbedderChoice): string | null {
  if (problem !== null || !isFetched || provider === "local") return problem;
  return "the local model is there now, and is used when the memory is opened again";
}
