import type { Embedder } from "../embedders/embedder.ts";
import type { Store } from "../stores/store.ts";
import { readJobs } from "../sync/embed-by-jobs.ts";
import type { BatchStatus } from "./engine.ts";

/** Undefined where the embedder has no batch jobs. */
export async function describeBatches(
  store: Pick<Store, "readFact" | "writeFact">,
  embedder: Embedder,
): Promise<BatchStatus | undefined> {
  if (embedder.batches === undefined) return undefined;
  const jobs = await readJobs(store, embedder);
  return {
    ...embedder.batches.trouble(),
    isOn: embedder.batches.isOn(),
    pending: jobs.map(({ id, hashes, since }) => ({
      ...(id === null ? {} : { id }),
      texts: hashes.length,
      since,
    })),
  };
}
