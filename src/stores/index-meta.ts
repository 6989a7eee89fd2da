import type { EmbedderIdentity, IndexedDocument } from "./store.ts";
import { providerKeyOf } from "./vectors/vector-set.ts";

/** Says how an index was made; documented, and the same in every store. Fields of parts that are not in use are empty. */
export interface IndexMeta {
  readonly schemaVersion: number;
  readonly analyser: string;
  readonly chunker: string;
  readonly chunkTokens: number;
  readonly chunkOverlap: number;
  readonly provider: string;
  readonly model: string;
  readonly providerKey: string;
  readonly vectorDims: number;
  readonly sources: readonly string[];
}

/** Where it stands among the small facts of an index. */
export const indexMetaKey = "memory_index_meta_v1";

export function createIndexMeta({
  schemaVersion,
  analyser,
}: Pick<IndexMeta, "analyser" | "schemaVersion">): IndexMeta {
  return {
    schemaVersion,
    analyser,
    chunker: "",
    chunkTokens: 0,
    chunkOverlap: 0,
    provider: "none",
    model: "",
    providerKey: "",
    vectorDims: 0,
    sources: [],
  };
}

/** The same with how documents that are put now were cut, and with their sources. */
export function describeDocuments<Meta extends IndexMeta>(
  meta: Meta,
  documents: readonly IndexedDocument[],
  { id, tokens, overlap }: { readonly id: string; readonly tokens: number; readonly overlap: number },
): Meta {
  const sources = [...new Set([...meta.sources, ...documents.map(({ document }) => document.source)])];
  return { ...meta, chunker: id, chunkTokens: tokens, chunkOverlap: overlap, sources };
}

/** The same with the embedder whose vectors are in use. */
export function describeEmbedder<Meta extends IndexMeta>(
  meta: Meta,
  embedder: EmbedderIdentity,
  vectorDims: number,
): Meta {
  const { provider, model } = embedder;
  return { ...meta, provider, model, providerKey: providerKeyOf(embedder), vectorDims };
}
