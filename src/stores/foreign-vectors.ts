/** Vectors in an OpenClaw index, by the hash of their text. */
export interface ForeignVectors extends Disposable {
  /** Their models, the one with the most vectors first. */
  readonly made: readonly { readonly provider: string; readonly model: string; readonly vectors: number }[];
  /** Unit vectors of these texts, all with the same dimensions; a text without one is absent. */
  find(wanted: WantedVectors, hashes: readonly string[]): Map<string, Float32Array>;
}

export interface WantedVectors {
  readonly provider: string;
  readonly model: string;
  /** Null accepts any dimensions. */
  readonly dimensions: number | null;
}
