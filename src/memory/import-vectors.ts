import type { ForeignVectors } from "../stores/foreign-vectors.ts";
import { requireVectors } from "../stores/store.ts";
import { importVectors as importInto } from "../upkeep/import-vectors.ts";
import type { OpenedEngine } from "./choose-parts.ts";
import type { ImportedVectors, ImportVectorsRequest } from "./memory.ts";

export interface ImportParts {
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
    const report = await importInto({ store: requireVectors(store), embedder: embedder!, find, signal });
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
