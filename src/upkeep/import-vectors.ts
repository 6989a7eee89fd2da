import { throwIfAborted } from "../errors.ts";
import type { VectorStore } from "../stores/store.ts";
import type { EmbedderIdentity, VectorEntry } from "../stores/store-vectors.ts";
import { sha256 } from "../text/hash.ts";

export interface ImportVectorsReport {
  /** Texts that have their vector by this: nothing has to be sent or paid for them. */
  readonly imported: number;
  /** Texts that still lack one. */
  readonly missing: number;
}

export interface ImportVectorsParts {
  readonly store: VectorStore;
  readonly embedder: EmbedderIdentity;
  /** Unit vectors by the hash of their text. */
  readonly find: (hashes: readonly string[]) => ReadonlyMap<string, Float32Array>;
  readonly signal?: AbortSignal | undefined;
}

const textsAtOnce = 500;

/** Gives texts that lack vectors those that another index has for the same text. */
export async function importVectors(parts: ImportVectorsParts): Promise<ImportVectorsReport> {
  const { store, embedder, find, signal } = parts;
  const without = new Set<string>();
  let imported = 0;
  for (;;) {
    throwIfAborted(signal);
    const texts = await store.missingVectors(embedder.id, textsAtOnce, { except: without });
    if (texts.length === 0) return { imported, missing: without.size };
    const known = texts.map(({ hash, text }) => ({ hash, sameAs: [hash, sha256(`${text}\n`)] }));
    const vectors = find(known.flatMap(({ sameAs }) => sameAs));
    const entries: VectorEntry[] = [];
    for (const { hash, sameAs } of known) {
      const vector = sameAs.map((each) => vectors.get(each)).find((each) => each !== undefined);
      if (vector === undefined) without.add(hash);
      else entries.push({ hash, vectors: [vector] });
    }
    if (entries.length > 0) await store.putVectors(embedder, entries, { vectorsPerText: "one" });
    imported += entries.length;
  }
}
