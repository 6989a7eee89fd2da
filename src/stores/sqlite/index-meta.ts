import { checksum } from "../../text/hash.ts";
import { schemaVersion } from "./schema.ts";

/**
 * The documented row of `meta` that says how the index was made. Fields of parts that are not in use are
 * empty.
 */
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
  /** The agent whose index it is; empty while nobody has claimed it. */
  readonly owner: string;
  /** Tells a name that was written from one that a flipped bit has made. */
  readonly ownerCheck: string;
}

export const indexMetaKey = "memory_index_meta_v1";

export function createIndexMeta(analyser: string): IndexMeta {
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
    ...claimFor(""),
  };
}

/** What says whose index it is. */
export function claimFor(owner: string): Pick<IndexMeta, "owner" | "ownerCheck"> {
  return { owner, ownerCheck: owner === "" ? "" : checksum(owner) };
}

/** Null when there is none, or none that can be understood; the index is then made anew from its chunks. */
export function parseIndexMeta(json: string | null): IndexMeta | null {
  if (json === null) return null;
  try {
    const meta = JSON.parse(json) as Partial<IndexMeta> | null;
    if (typeof meta?.analyser !== "string" || !Array.isArray(meta.sources)) return null;
    const claim = claimFor(meta.owner ?? "");
    const isClaimed = claim.ownerCheck === meta.ownerCheck;
    return { ...createIndexMeta(meta.analyser), ...meta, ...(isClaimed ? claim : claimFor("")) };
  } catch {
    return null;
  }
}
