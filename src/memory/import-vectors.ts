import { throwIfAborted } from "../errors.ts";
import type { ForeignVectors } from "../stores/foreign-vectors.ts";
import { requireVectors, type VectorStore } from "../stores/store.ts";
import type { EmbedderIdentity, VectorEntry } from "../stores/store-vectors.ts";
import { sha256 } from "../text/hash.ts";
import type { OpenedEngine } from "./choose-parts.ts";
import type { ImportedVectors, ImportVectorsRequest } from "./memory.ts";

interface ImportParts {
  readonly opened: OpenedEngine;
  readonly open: (file: string) => ForeignVectors | null;
  /** Whether the embedder adds a prompt before each text, which OpenClaw does not. */
  readonly usesPrompts: boolean;
}

/** Imports paid-for vectors from OpenClaw's indexes. Nothing is sent anywhere. */
export async function importVectors(
  { from, signal }: ImportVectorsRequest,
  { opened, open, usesPrompts }: ImportParts,
): Promise<ImportedVectors> {
  const { engine, store, embedder, chosen } = opened;
  const sources = from.flatMap((file) => open(file) ?? []);
  using _ = disposeAll(sources);
  const made = sources.flatMap((source) => source.made);
  await engine.sync({ reason: "import", vectors: "never", ...(signal && { signal }) });
  const about = {
    made,
    provider: chosen.provider,
    ...(chosen.model === undefined ? {} : { model: chosen.model }),
  };
  const refused = refuse();
  if (refused !== null) return { ...about, imported: 0, missing: 0, reason: refused };

  const wanted = { provider: embedder!.provider, model: embedder!.model, dimensions: embedder!.dimensions };
  let [imported, missing] = [0, 0];
  for (const source of sources) {
    const find = (hashes: readonly string[]) => source.find(wanted, hashes);
    const report = await takeVectors({ store: requireVectors(store), embedder: embedder!, find, signal });
    imported += report.imported;
    missing = report.missing;
  }
  return { ...about, imported, missing };

  function refuse(): string | null {
    if (made.length === 0) return "there are no vectors";
    if (embedder === undefined) return chosen.why ?? "no provider is in use";
    const { provider, model } = embedder;
    const isSame = made.some((each) => each.provider === provider && each.model === model);
    if (!isSame) return `they were not made by ${provider} ${model}, which is in use here`;
    if (embedder.vectorsPerText !== "one" || embedder.providerKey === undefined) {
      return `${provider} costs nothing, so its vectors are computed again`;
    }
    return usesPrompts ? `${model} is asked with a prompt here, and was not there` : null;
  }
}

function disposeAll(all: readonly Disposable[]): Disposable {
  return {
    [Symbol.dispose]: () => {
      for (const each of all) each[Symbol.dispose]();
    },
  };
}

interface TakeParts {
  readonly store: VectorStore;
  readonly embedder: EmbedderIdentity;
  /** Unit vectors by the hash of their text. */
  readonly find: (hashes: readonly string[]) => ReadonlyMap<string, Float32Array>;
  readonly signal?: AbortSignal | undefined;
}

const textsAtOnce = 500;

/** Gives texts that lack vectors those that another index has for the same text. */
async function takeVectors(parts: TakeParts): Promise<Pick<ImportedVectors, "imported" | "missing">> {
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
