/** Vectors in an index of OpenClaw, by the hash of their text. */
export interface ForeignVectors extends Disposable {
  /** Who made them, the most first. */
  readonly made: readonly { readonly provider: string; readonly model: string; readonly vectors: number }[];
  /** Unit vectors of these texts, all of one length; a text without one is absent. */
  find(wanted: WantedVectors, hashes: readonly string[]): Map<string, Float32Array>;
}

export interface WantedVectors {
  readonly provider: string;
  readonly model: string;
  /** Null where any length will do. */
  readonly dimensions: number | null;
}
