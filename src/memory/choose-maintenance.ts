import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { OpenedEngine } from "./choose-parts.ts";
import type { Memory } from "./memory.ts";

/** Everything a memory does with its index besides syncing and searching. */
export type Maintenance = Pick<
  Memory,
  | "verify"
  | "checkIndex"
  | "repair"
  | "migrate"
  | "importVectors"
  | "probeEmbeddingAvailability"
  | "probeVectorAvailability"
>;

export interface MaintenanceParts {
  readonly openEngine: () => Promise<OpenedEngine>;
  /** The caller's own embedder. */
  readonly given: Embedder | undefined;
  readonly finishOwed: () => Promise<void>;
  /** Opens an index of the same notes with other settings. */
  readonly openOther: (settings: Settings, embedder: Embedder | undefined) => Promise<OpenedEngine>;
}

export function chooseMaintenance(
  settings: Settings,
  { openEngine, given, finishOwed, openOther }: MaintenanceParts,
): Maintenance {
  return {
    async verify(request) {
      const { upkeep } = await openEngine();
      await finishOwed();
      return await (await upkeep()).verify(request);
    },
    checkIndex: async () => (await (await openEngine()).upkeep()).check(),
    async repair(request) {
      const { upkeep } = await openEngine();
      await finishOwed();
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
