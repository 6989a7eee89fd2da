import type { HitFlag } from "../search/search.ts";

/** A group or channel, or a conversation of unknown kind, sees no entries and stores none: they are private. */
export interface EntryAccess {
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

export interface StoreRequest extends EntryAccess {
  readonly text: string;
  /** Guessed from the wording when it is left out. */
  readonly category?: EntryCategory;
  /** 0..1, default 0.5. */
  readonly importance?: number;
  /** Noted beside it. */
  readonly origin?: string;
}

export interface StoreResult extends PlacedEntry {
  readonly path: string;
  /** It, or one that says the same, was there already: that is the entry here, and nothing was written. */
  readonly duplicate: boolean;
  /** An entry that is much alike but says something else; it may be out of date now. */
  readonly similar?: PlacedEntry & { readonly similarity: number };
  /** An older entry that says something else about the same thing. */
  readonly supersedes?: PlacedEntry;
  /** What could not be done, in plain words. The entry is in the file all the same. */
  readonly degraded: readonly string[];
}

export interface RecallOptions extends EntryAccess {
  /** Default 5. */
  readonly limit?: number;
  /** 0..1; weaker ones are left out. */
  readonly minScore?: number;
}

export interface RecalledEntry extends PlacedEntry {
  readonly path: string;
  /** 0..1. */
  readonly score: number;
  /** Absent where `memory.citations` leaves citations out. */
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
  /** With a question that fits several entries or none surely: those it may mean. Nothing was removed then. */
  readonly candidates: readonly RecalledEntry[];
  /** What may still hold the text. */
  readonly problems: readonly string[];
}

export interface CaptureTurn {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
}

export interface CaptureResult {
  /** What was found in what the user said; duplicates are marked. */
  readonly stored: readonly StoreResult[];
}

export interface EntriesStatus {
  readonly entries: number;
  /** How many of them can be compared by meaning; null where none is. */
  readonly indexed: number | null;
  /** Why they cannot be read or compared, and what to do. */
  readonly problem?: string;
}

/** Small facts in `memory/entries.md`, found by keyword and semantic search. */
export interface Entries extends AsyncDisposable {
  /** What a host may do by itself, as the configuration says. The calls below do it whenever they are called. */
  readonly automatic: { readonly recall: boolean; readonly capture: boolean };
  list(access?: EntryAccess): Promise<readonly PlacedEntry[]>;
  store(request: StoreRequest): Promise<StoreResult>;
  recall(query: string, options?: RecallOptions): Promise<RecallAnswer>;
  forget(request: ForgetEntryRequest): Promise<ForgetEntryResult>;
  /** Stores what the user states for later in some turns of a conversation; nothing that others said. */
  capture(turns: readonly CaptureTurn[], options?: EntryAccess & { origin?: string }): Promise<CaptureResult>;
  /** Changes nothing. */
  status(): Promise<EntriesStatus>;
}

export const entryCategories = ["preference", "fact", "decision", "entity", "other"] as const;
export type EntryCategory = (typeof entryCategories)[number];

/** A small fact of `memory/entries.md`. */
export interface Entry {
  /** Twelve hex digits; of an entry that was written by hand they follow from its text. */
  readonly id: string;
  readonly text: string;
  readonly category: EntryCategory;
  /** 0..1. */
  readonly importance: number;
  /** ISO 8601 in UTC; null for an entry that was written by hand. */
  readonly createdAt: string | null;
  /** Where it came from, when whoever wrote it noted that. */
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
