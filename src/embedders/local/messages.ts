/** What the host says to the process that runs the model. The first message is `load`. */
export type ToModel =
  | {
      readonly kind: "load";
      readonly file: string;
      readonly contextTokens: number;
      readonly packageName: string;
    }
  | {
      readonly kind: "embed";
      readonly id: number;
      readonly texts: readonly string[];
      /** Goes before everything that is not. */
      readonly isUrgent: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number };

/** Its answers, one for each text in their order. A text that holds no token has no vector. */
export type FromModel =
  | { readonly kind: "embedded"; readonly id: number; readonly vector: Float32Array | null }
  | { readonly kind: "failed"; readonly id: number; readonly message: string }
  /** Nothing can be embedded by this process. */
  | { readonly kind: "unusable"; readonly why: "package-missing" | "load-failed"; readonly message: string };
