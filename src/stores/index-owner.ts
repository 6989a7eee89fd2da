import { checksum } from "../text/hash.ts";
import { createIndexMeta, type IndexMeta } from "./index-meta.ts";

/** What an index that belongs to one agent also says. */
export interface OwnedIndexMeta extends IndexMeta {
  /** The agent whose index it is; empty while nobody has claimed it. */
  readonly owner: string;
  /** Tells a name that was written from one that a flipped bit has made. */
  readonly ownerCheck: string;
}

/** What says whose index it is. */
export function claimFor(owner: string): Pick<OwnedIndexMeta, "owner" | "ownerCheck"> {
  return { owner, ownerCheck: owner === "" ? "" : checksum(owner) };
}

/** Null when there is none, or none that can be understood; the index is then made anew from its chunks. */
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
