import type { QmdDocument, QmdQuestion } from "./driver.ts";

export interface OpenLibrary {
  readonly library: string;
  readonly configFile: string;
  readonly indexFile: string;
}

export type ToChild = { readonly id: number } & (
  | { readonly kind: "ask"; readonly question: QmdQuestion }
  | { readonly kind: "update" }
);

export type FromChild =
  /** It cannot be used at all, now or later. */
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "answer"; readonly id: number; readonly documents: readonly QmdDocument[] }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
