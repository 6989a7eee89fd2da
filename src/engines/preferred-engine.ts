import type { SearchAnswer, SearchOptions } from "../search/search.ts";

/** An answer, and the documents whose latest text was not there to be searched yet. */
export interface PreferredAnswer {
  readonly answer: SearchAnswer;
  readonly behind: ReadonlySet<string>;
}

export interface PreferredStatus {
  readonly version: string | null;
  /** What it does and how, in a few words. */
  readonly detail: string;
  readonly documents: number;
  readonly sizeBytes: number;
  readonly updatedAt?: string;
  /** How long it took to answer just now. */
  readonly answeredInMs?: number;
  /** Why it cannot be used at present. */
  readonly problem?: string;
}

/**
 * An engine that depends on what may be missing or out of order: another program. Whatever it rejects with means that it
 * cannot answer now, but for a cancelled call or a question that cannot be asked.
 */
export interface PreferredEngine extends AsyncDisposable {
  readonly name: string;
  search(query: string, options: SearchOptions): Promise<PreferredAnswer>;
  /** Makes its index that of the notes. Gives reasons why the result is weaker than it could be. */
  sync(options: { signal?: AbortSignal | undefined }): Promise<readonly string[]>;
  /** Called when text was taken out of notes: leaves nothing of it in its own files. */
  forget(): Promise<void>;
  status(): Promise<PreferredStatus>;
}
