import type { HitFlag } from "../search/search.ts";

/** Entries are private: a group or channel, or a session of unknown kind, neither sees nor stores any. */
export interface EntryAccess {
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StoreRequest extends EntryAccess {
  readonly text: string;
  /** Inferred from the wording if omitted. */
  readonly category?: EntryCategory | undefined;
  /** 0..1, default 0.5. */
  readonly importance?: number | undefined;
  /** Recorded with the entry. */
  readonly origin?: string | undefined;
}

export interface StoreResult extends PlacedEntry {
  readonly path: string;
  /** The entry, or one that says the same, already exists; the result names it, and nothing was written. */
  readonly duplicate: boolean;
  /** A similar entry that says something else; it may be out of date. */
  readonly similar?: PlacedEntry & { readonly similarity: number };
  /** An older entry that this one contradicts. */
  readonly supersedes?: PlacedEntry;
  /** What failed, in plain words. The entry is in the file anyway. */
  readonly degraded: readonly string[];
}

export interface RecallOptions extends EntryAccess {
  /** Default 5. */
  readonly limit?: number | undefined;
  /** 0..1; weaker ones are left out. */
  readonly minScore?: number | undefined;
}

export interface RecalledEntry extends PlacedEntry {
  readonly path: string;
  /** 0..1. */
  readonly score: number;
  /** Absent if `memory.citations` turns citations off. */
  readonly citation?: string;
  readonly flags?: readonly HitFlag[];
}

export interface RecallAnswer {
  readonly results: readonly RecalledEntry[];
  readonly degraded: readonly string[];
}

export type ForgetEntryRequest = EntryAccess & ({ readonly id: string } | { readonly query: string });

export interface ForgetEntryResult {
  readonly removed: readonly (Pick<PlacedEntry, "id" | "startLine" | "endLine"> & {
    readonly path: string;
  })[];
  /** If a query matches several entries, or none with certainty: the candidates. Nothing was removed. */
  readonly candidates: readonly RecalledEntry[];
  /** What may still hold the text. */
  readonly problems: readonly string[];
}

export interface CaptureTurn {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
}

export interface CaptureResult {
  /** The facts found in the user's messages; duplicates are marked. */
  readonly stored: readonly StoreResult[];
}

export interface EntriesStatus {
  readonly entries: number;
  /** How many of them have vectors; null if there is no semantic search. */
  readonly indexed: number | null;
  /** Why they cannot be read or compared, and what to do. */
  readonly problem?: string;
}

/** Small facts in `memory/entries.md`, found by keyword and semantic search. */
export interface Entries extends AsyncDisposable {
  /** What a host may do automatically, according to the configuration. The calls below always act. */
  readonly automatic: { readonly recall: boolean; readonly capture: boolean };
  list(access?: EntryAccess): Promise<readonly PlacedEntry[]>;
  store(request: StoreRequest): Promise<StoreResult>;
  recall(query: string, options?: RecallOptions): Promise<RecallAnswer>;
  forget(request: ForgetEntryRequest): Promise<ForgetEntryResult>;
  /** Stores facts that the user states in the given turns; nothing that others said. */
  capture(turns: readonly CaptureTurn[], options?: EntryAccess & { origin?: string }): Promise<CaptureResult>;
  /** Changes nothing. */
  status(): Promise<EntriesStatus>;
}

export const entryCategories = ["preference", "fact", "decision", "entity", "other"] as const;
export type EntryCategory = (typeof entryCategories)[number];

/** A small fact in `memory/entries.md`. */
export interface Entry {
  /** Twelve hex digits; derived from the text for an entry written by hand. */
  readonly id: string;
  readonly text: string;
  readonly category: EntryCategory;
  /** 0..1. */
  readonly importance: number;
  /** ISO 8601 in UTC; null for an entry written by hand. */
  readonly createdAt: string | null;
  /** Its origin, if it was recorded. */
  readonly origin?: string;
}

/** Lines are 1-based and inclusive. */
export interface PlacedEntry extends Entry {
  readonly startLine: number;
  readonly endLine: number;
}

export const defaultImportance = 0.5;

export function isCategory(text: string): text is EntryCategory {
  return (entryCategories as readonly string[]).includes(text);
}
