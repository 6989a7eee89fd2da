/** One vector of a fact. A text that an embedder covers by several has a row for each. */
export interface EntryRow {
  /** Changes whenever anything of the fact does. */
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
  /** The cosine with the best of its vectors. */
  readonly similarity: number;
}

/**
 * The vectors of facts, each set under the id of the embedder that made it. It is derived: whatever happens to it, it
 * is made again from the facts. Several processes may use it at once.
 */
export interface EntryIndex extends AsyncDisposable {
  keys(embedderId: string): Promise<ReadonlySet<string>>;
  /** What is known of these texts, by hash: a fact whose category alone changed needs no new vectors. */
  vectorsOf(embedderId: string, textHashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array[]>>;
  /** Rows whose key is there already are left out. */
  change(
    embedderId: string,
    change: { readonly add: readonly EntryRow[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /** Best first. */
  nearest(embedderId: string, vector: Float32Array, limit: number): Promise<readonly NearEntry[]>;
  /**
   * Removes all but these facts, so that no byte of others stays on the disk: neither of one that was removed nor of
   * what one said before it was edited. Sets of other embedders go altogether.
   */
  purge(embedderId: string, kept: readonly string[]): Promise<void>;
}
