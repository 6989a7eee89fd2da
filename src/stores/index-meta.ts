import { checksum } from "../text/hash.ts";
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

/** Its key among the small facts of an index. */
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

/** What an index that belongs to one agent also says. */
export interface OwnedIndexMeta extends IndexMeta {
  /** The agent whose index it is; empty while unclaimed. */
  readonly owner: string;
  /** Tells a name that was written from one that a flipped bit has made. */
  readonly ownerCheck: string;
}

/** What says whose index it is. */
export function claimFor(owner: string): Pick<OwnedIndexMeta, "owner" | "ownerCheck"> {
  return { owner, ownerCheck: owner === "" ? "" : checksum(owner) };
}

/** Null when there is none, or none that can be understood; the index is then rebuilt from its chunks. */
export function parseOwnedMeta(json: string | null, schemaVersion: number): OwnedIndexMeta | null {
  if (json === null) return null;
  try {
    const meta = JSON.parse(json) as Partial<OwnedIndexMeta> | null;
    if (typeof meta?.analyser !== "string" || !Array.isArray(meta.sources)) return null;
    const { analyser } = meta;
    const claim = claimFor(meta.owner ?? "");
    const isClaimed = claim.ownerCheck === meta.ownerCheck;
    return {
      ...createIndexMeta({ analyser, schemaVersion }),
      ...meta,
      ...(isClaimed ? claim : claimFor("")),
    };
  } catch {
    return null;
  }
}
