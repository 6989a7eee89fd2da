import { LonghandError } from "../../errors.ts";

/** The folders and the environment that one qmd works with; nothing of the user's own qmd is touched. */
export interface QmdPlace {
  /** Absolute; holds all of the following. */
  readonly folder: string;
  readonly configFile: string;
  readonly indexFile: string;
}

export interface QmdQuestion {
  /** Keyword sub-queries, the most specific first. */
  readonly words: readonly string[];
  /** The whole question for semantic search; null for keywords alone. */
  readonly semantic: string | null;
  /** The question for qmd's model that words it in other ways; null where that is not wanted. */
  readonly expand: string | null;
  /** The question for qmd's model that scores what was found; null where that is not wanted. */
  readonly rerank: string | null;
  /** Null asks all of them. */
  readonly collections: readonly string[] | null;
  /** Documents, for each sub-query. */
  readonly limit: number;
}

/** A document that qmd names, with every sub-query that found it. */
export interface QmdDocument {
  readonly collection: string;
  /** As the file is called below the folder of its collection. */
  readonly file: string;
  /** The first characters of the SHA-256 of the text that qmd has indexed. */
  readonly hashStart: string;
  readonly byKeyword: readonly { readonly query: string; readonly rank: number }[];
  /** By its best vector, and its passage as far as qmd reports it: some text, and its offset in the document. */
  readonly byVector?: {
    readonly similarity: number;
    readonly text: string;
    readonly offset: number | null;
  };
  /** How well qmd's reranking model finds that a passage of it answers, 0..1, and that passage. */
  readonly rerank?: { readonly score: number; readonly text: string; readonly offset: number | null };
}

/** Documents that are reranked for one question: a model reads each of them. */
export const rerankedDocuments = 20;

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A qmd at work. Every call ends in time, with an answer or an error of the code `backend-failed`. */
export interface QmdDriver extends AsyncDisposable {
  /** How it is driven, for people. */
  readonly way: "library" | "command line";
  ask(question: QmdQuestion, options: CallOptions): Promise<readonly QmdDocument[]>;
  /** Makes its index that of the files in its collections. */
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
  /** It cannot be used at all, now or later. */
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "answer"; readonly id: number; readonly documents: readonly QmdDocument[] }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

export const installCommand = "npm install -g @tobilu/qmd";

/** Why qmd cannot be used now, in a few words that fit behind "qmd cannot answer: …". */
export function qmdFailure(reason: string, details: { hint?: string; cause?: unknown } = {}): LonghandError {
  const { hint = "The builtin engine answers meanwhile. Look closer with: longhand doctor.", cause } =
    details;
  return new LonghandError("backend-failed", reason, { hint, retryable: true, cause });
}

/** One line, without control characters: what another program printed is shown to people. */
export function shorten(message: string, maxChars = 200): string {
  const line = message
    .replaceAll(/\u001b\[[0-9;?]*[a-zA-Z]|[\u0000-\u001f\u007f]+/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim()
    .replace(/\.$/, "");
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
