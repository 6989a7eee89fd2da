import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { removeFolderSync } from "../files.ts";

/** One vector of an entry. A text that an embedder splits into several vectors has a row for each. */
export interface EntryRow {
  /** Changes whenever the entry does. */
  readonly key: string;
  readonly id: string;
  readonly text: string;
  readonly textHash: string;
  readonly category: string;
  readonly importance: number;
  readonly createdAt: string | null;
  readonly vector: Float32Array;
}

export interface NearEntry {
  readonly key: string;
  /** Cosine similarity with the best of its vectors. */
  readonly similarity: number;
}

/**
 * The vectors of entries, one set per embedder id. It is derived: after any damage it is rebuilt from the entries.
 * Several processes may use it at once.
 */
export interface EntryIndex extends AsyncDisposable {
  keys(embedderId: string): Promise<ReadonlySet<string>>;
  /** The known vectors of these texts, by hash: an entry whose category alone changed needs no new vectors. */
  vectorsOf(embedderId: string, textHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array[]>>;
  /** Rows whose key exists already are skipped. */
  change(
    embedderId: string,
    change: { readonly add: readonly EntryRow[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /** Best first. */
  nearest(embedderId: string, vector: Float32Array, limit: number): Promise<readonly NearEntry[]>;
  /**
   * Removes everything but these entries, so that no byte of a removed or edited one stays on disk. Sets of other
   * embedders are removed entirely.
   */
  purge(embedderId: string, kept: readonly string[]): Promise<void>;
}

export function entryIndexFolder({ stateDir, agentId }: { stateDir: string; agentId: string }): string {
  return join(stateDir, "memory", `${agentId}.entries.lance`);
}

/** Removes the index and all old versions of its tables. Returns null, or the reason for the failure. */
export function removeEntryIndex(folder: string): string | null {
  try {
    removeFolderSync(folder);
    return null;
  } catch (error) {
    const why = messageOf(error);
    return `The index of entries at ${folder} may still hold the text: ${why}. Delete it; it is made again.`;
  }
}
