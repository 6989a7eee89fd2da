import type { Embedder } from "../embedders/embedder.ts";
import { readEmbedderCheck } from "../search/embedder-check.ts";
import type { VectorStore } from "../stores/store.ts";
import { readRefused } from "../sync/embedding-record.ts";
import { costOf } from "../sync/estimate-embedding.ts";
import type { EngineStatus } from "./engine.ts";

/** How far an embedder is with the texts of an index, and what it could not do. */
export async function describeEmbedding(
  store: VectorStore,
  embedder: Embedder,
  problems: readonly string[],
): Promise<Required<Pick<EngineStatus, "vectors" | "embedding">>> {
  const vectors = await store.vectorStatistics(embedder.id);
  const refused = await readRefused(store, embedder.id);
  const missingCostUsd = embedder.usage === undefined ? 0 : costOf(vectors.missingTokens, embedder);
  const check = await readEmbedderCheck(store, embedder.id);
  return { vectors, embedding: { refused, problems, missingCostUsd, ...(check && { check }) } };
}
