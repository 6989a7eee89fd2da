import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { SyncOptions } from "../sync/sync.ts";
import type { FetchedModel } from "./local-models.ts";
import type { EmbedderChoice } from "./status.ts";

/** Downloads the configured local model before a sync, once per memory: offline, every sync would wait for it. */
export function createModelFetcher(settings: Settings, { embedder }: { embedder?: Embedder | undefined }) {
  const none = { isFetched: false, problem: null };
  let isTried = embedder !== undefined || settings.memorySearch.provider !== "local";
  return async (request: SyncOptions): Promise<FetchedModel> => {
    if (isTried) return none;
    isTried = true;
    const { fetchAskedModel } = await import("./local-models.ts");
    return await fetchAskedModel(settings, request);
  };
}

/** What a download means for this sync; null if there is nothing to say. */
export function describeFetch(
  { isFetched, problem }: FetchedModel,
  { provider }: EmbedderChoice,
): string | null {
  if (problem !== null || !isFetched || provider === "local") return problem;
  return "the local model is there now, and is used when the memory is opened again";
}
