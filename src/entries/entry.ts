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
