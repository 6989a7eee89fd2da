import type { BatchOutcome, JobLedger, JobRecord, KeptText } from "../embedders/batch-jobs/batch-jobs.ts";
import { type Embedder, isRefused } from "../embedders/embedder.ts";
import type { VectorStore } from "../stores/store.ts";
import type { Dealt, EmbedMissingOptions, EmbedParts } from "./embed.ts";

const none: BatchOutcome = { pending: new Set(), holdsRest: false };

/** Gives texts vectors by batch jobs, where the embedder has those; adds the hashes of what is stored to `seen`. */
export async function embedByJobs(
  { store, embedder }: Pick<EmbedParts, "store" | "embedder">,
  { signal, onEmbedded }: EmbedMissingOptions,
  { seen, take }: Pick<Dealt, "seen" | "take">,
): Promise<BatchOutcome> {
  if (embedder.batches === undefined) return none;
  return await embedder.batches.run({
    ledger: createLedger(store, embedder),
    missing: take,
    async keep(texts: readonly KeptText[]) {
      // A job takes hours. Text that was forgotten meanwhile must not come back, not even as a vector.
      const only = texts.map(({ hash }) => hash);
      const wanted = await store.missingVectors(embedder.id, only.length, { only });
      const hashes = new Set(wanted.map(({ hash }) => hash));
      const entries = texts
        .filter(({ hash }) => hashes.has(hash))
        .map(({ hash, text }) => ({ hash, vectors: isRefused(text) ? [] : text }));
      if (entries.length === 0) return;
      await store.putVectors(embedder, entries, { vectorsPerText: embedder.vectorsPerText });
      for (const { hash } of entries) seen.add(hash);
    },
    onProgress: onEmbedded,
    signal,
  });
}

/** Jobs that are under way for this embedder, whichever process started them. */
type Facts = Pick<VectorStore, "readFact" | "writeFact">;

export async function readJobs(store: Facts, embedder: Embedder): Promise<readonly JobRecord[]> {
  return await createLedger(store, embedder).read();
}

/** A fact of the index: deleting the index deletes it, as everything else that is known of the texts. */
function createLedger(store: Facts, { id }: Embedder): JobLedger {
  const fact = `batch_jobs:${id}`;
  return {
    async read() {
      const json = await store.readFact(fact);
      return json === null ? [] : (JSON.parse(json) as JobRecord[]);
    },
    write: (jobs) => store.writeFact(fact, JSON.stringify(jobs)),
  };
}
