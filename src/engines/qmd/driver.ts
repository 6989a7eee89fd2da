import { LonghandError } from "../../errors.ts";
import { excerpt } from "../../text/visible.ts";

/** The folders and the environment of one qmd; the user's own qmd is not touched. */
export interface QmdLocation {
  /** Absolute; contains all of the following. */
  readonly folder: string;
  readonly configFile: string;
  readonly indexFile: string;
}

export interface QmdQuestion {
  /** Keyword sub-queries, the most specific first. */
  readonly words: readonly string[];
  /** The whole query for semantic search; null for keywords alone. */
  readonly semantic: string | null;
  /** The query for qmd's expansion model; null to skip it. */
  readonly expand: string | null;
  /** The query for qmd's reranking model; null to skip it. */
  readonly rerank: string | null;
  /** Null searches all of them. */
  readonly collections: readonly string[] | null;
  /** Documents per sub-query. */
  readonly limit: number;
}

/** A document found by qmd, with every sub-query that matched it. */
export interface QmdDocument {
  readonly collection: string;
  /** The file name in its collection's folder. */
  readonly file: string;
  /** The first characters of the SHA-256 of the text that qmd has indexed. */
  readonly hashStart: string;
  readonly byKeyword: readonly { readonly query: string; readonly rank: number }[];
  /** The best vector match, and its passage as far as qmd reports it: some text, and its offset in the document. */
  readonly byVector?: {
    readonly similarity: number;
    readonly text: string;
    readonly offset: number | null;
  };
  /** The score of qmd's reranking model, 0..1, and the passage it scored. */
  readonly rerank?: { readonly score: number; readonly text: string; readonly offset: number | null };
}

/** How many documents are reranked per query, because a model reads each of them. */
export const rerankedDocuments = 20;

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A running qmd. Every call ends in time, with an answer or an error with the code `backend-failed`. */
export interface QmdDriver extends AsyncDisposable {
  /** How it is driven, for messages. */
  readonly way: "library" | "command line";
  ask(question: QmdQuestion, options: CallOptions): Promise<readonly QmdDocument[]>;
  /** Updates its index from the files of its collections. */
  update(options: CallOptions): Promise<void>;
}

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
  /** It is permanently unusable. */
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "answer"; readonly id: number; readonly documents: readonly QmdDocument[] }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

export const installCommand = "npm install -g @tobilu/qmd";

/** Why qmd is unavailable, to follow "qmd cannot answer: …". */
export function qmdFailure(reason: string, details: { hint?: string; cause?: unknown } = {}): LonghandError {
  const { hint = "The builtin engine answers meanwhile. Run `longhand doctor` for details.", cause } =
    details;
  return new LonghandError("backend-failed", reason, { hint, retryable: true, cause });
}

/** The output of another program for an error message, without the sequences that colour it. */
export function shorten(message: string, maxChars?: number): string {
  return excerpt(message.replaceAll(/\u001b\[[0-9;?]*[a-zA-Z]/g, " "), maxChars).replace(/\.$/, "");
}
