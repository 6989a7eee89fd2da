import { LonghandError } from "../errors.ts";
import { checksum } from "../text/hash.ts";
import type { Repair } from "./quarantined.ts";
import type { IndexedDocument } from "./store.ts";
import type { EmbedderIdentity } from "./store-vectors.ts";
import type { Tokens } from "./tokens.ts";
import { providerKeyOf } from "./vectors/vector-set.ts";

/** What every store of ours needs to index documents. */
export interface IndexingOptions {
  /** The analyzer. Must not change while `analyzerId` stays the same. */
  readonly tokens: Tokens;
  /** The id of the analyzer. If it differs from the one in the index, all tokens are rebuilt. */
  readonly analyzerId: string;
  /** How many vectors are cached, including those that no chunk uses any more; those in use are always kept. */
  readonly maxCachedVectors?: number;
  /** Chunk sizes, recorded as metadata. */
  readonly chunking?: { readonly tokens: number; readonly overlap: number };
  readonly now?: () => number;
}

/** The same for an index of its own, in files or in remote storage. */
export interface OwnedIndexOptions extends IndexingOptions {
  /** The agent that owns the index. An index of another owner is refused: each would remove the other's documents. */
  readonly owner?: string | undefined;
  /** Called when a damaged part was quarantined: the index is empty until the next sync. */
  readonly onRepair?: (repair: Repair) => void;
  /** How long a write waits for other processes before it fails. */
  readonly writeWaitMs?: number;
}

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

function claimFor(owner: string): Pick<OwnedIndexMeta, "owner" | "ownerCheck"> {
  return { owner, ownerCheck: owner === "" ? "" : checksum(owner) };
}

/** Of an index that was just created. */
export function createOwnedMeta(made: Pick<IndexMeta, "analyzer" | "schemaVersion">): OwnedIndexMeta {
  return { ...createIndexMeta(made), ...claimFor("") };
}

/** With the current schema and analyzer, and claimed for the owner, if there is one. */
export function settleMeta(
  meta: OwnedIndexMeta | null,
  { owner, ...made }: Pick<OwnedIndexMeta, "analyzer" | "owner" | "schemaVersion">,
): OwnedIndexMeta {
  return { ...createOwnedMeta(made), ...meta, ...made, ...(owner === "" ? {} : claimFor(owner)) };
}

/** `advice` says how each agent gets an index of its own. */
export function refuseOtherOwner(
  meta: OwnedIndexMeta | null,
  owner: string,
  { place, advice }: { readonly place: string; readonly advice: string },
): void {
  if (owner === "" || meta === null || meta.owner === "" || meta.owner === owner) return;
  throw new LonghandError(
    "index-shared",
    `Could not use the index ${place} for the agent ${owner}: it is that of the agent ${meta.owner}.`,
    { hint: `${advice} If ${meta.owner} no longer exists, delete the index.` },
  );
}

export function requireSameAnalyzer<Meta extends IndexMeta>(
  meta: Meta | null,
  analyzerId: string,
  place: string,
): Meta {
  if (meta?.analyzer === analyzerId) return meta;
  throw new LonghandError(
    "index-newer",
    `Could not write to the index ${place}: another longhand now uses it.`,
    { hint: "Two versions of longhand share this index. Restart this one, or update the older." },
  );
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
