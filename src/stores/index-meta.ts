import { checksum } from "../text/hash.ts";
import type { IndexedDocument } from "./store.ts";
import type { EmbedderIdentity } from "./store-vectors.ts";
import { providerKeyOf } from "./vectors/vector-set.ts";

/** How an index was built; documented, and the same in every store. Fields of unused parts are empty. */
export interface IndexMeta {
  readonly schemaVersion: number;
  readonly analyzer: string;
  readonly chunker: string;
  readonly chunkTokens: number;
  readonly chunkOverlap: number;
  readonly provider: string;
  readonly model: string;
  readonly providerKey: string;
  readonly vectorDims: number;
  readonly sources: readonly string[];
}

/** Its key in the metadata of an index. */
export const indexMetaKey = "memory_index_meta_v1";

export function createIndexMeta({
  schemaVersion,
  analyzer,
}: Pick<IndexMeta, "analyzer" | "schemaVersion">): IndexMeta {
  return {
    schemaVersion,
    analyzer,
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

/** With the current chunking, and these sources. */
export function describeDocuments<Meta extends IndexMeta>(
  meta: Meta,
  documents: readonly IndexedDocument[],
  { id, tokens, overlap }: { readonly id: string; readonly tokens: number; readonly overlap: number },
): Meta {
  const sources = [...new Set([...meta.sources, ...documents.map(({ document }) => document.source)])];
  return { ...meta, chunker: id, chunkTokens: tokens, chunkOverlap: overlap, sources };
}

/** With the embedder in use. */
export function describeEmbedder<Meta extends IndexMeta>(
  meta: Meta,
  embedder: EmbedderIdentity,
  vectorDims: number,
): Meta {
  const { provider, model } = embedder;
  return { ...meta, provider, model, providerKey: providerKeyOf(embedder), vectorDims };
}

/** Additional metadata of an index that belongs to one agent. */
export interface OwnedIndexMeta extends IndexMeta {
  /** The agent that owns the index; empty while unclaimed. */
  readonly owner: string;
  /** A checksum of the owner, so that a flipped bit does not look like another owner. */
  readonly ownerCheck: string;
}

export function claimFor(owner: string): Pick<OwnedIndexMeta, "owner" | "ownerCheck"> {
  return { owner, ownerCheck: owner === "" ? "" : checksum(owner) };
}

/** Null if missing or unreadable; the index is then rebuilt from its chunks. */
export function parseOwnedMeta(json: string | null, schemaVersion: number): OwnedIndexMeta | null {
  if (json === null) return null;
  try {
    const meta = JSON.parse(json) as Partial<OwnedIndexMeta> | null;
    if (typeof meta?.analyzer !== "string" || !Array.isArray(meta.sources)) return null;
    const { analyzer } = meta;
    const claim = claimFor(meta.owner ?? "");
    const isClaimed = claim.ownerCheck === meta.ownerCheck;
    return {
      ...createIndexMeta({ analyzer, schemaVersion }),
      ...meta,
      ...(isClaimed ? claim : claimFor("")),
    };
  } catch {
    return null;
  }
}
