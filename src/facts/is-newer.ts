/** Where and when a line was written, as far as known. */
export interface WrittenLine {
  readonly path: string;
  readonly line: number;
  /** `YYYY-MM-DD`, as `dayWritten` gives it. */
  readonly day: string | undefined;
  /** The line says that something changed. Read only if neither the day nor the order decides. */
  readonly isNews: boolean;
}

/**
 * Whether a line was written later than another, as far as we can tell: by their days, then by the order within a note,
 * because notes are appended to. `isNews` breaks a tie.
 */
export function isNewer(line: WrittenLine, than: WrittenLine): boolean {
  if (line.day !== undefined && than.day !== undefined && line.day !== than.day) return line.day > than.day;
  if (line.path === than.path) return line.line > than.line;
  // In this order, because most lines are not news and finding out takes time.
  return line.isNews && !than.isNews;
}

/**
 * The day of a line: the date before it, then the date of its note (the daily note's day, or `date` in the front
 * matter), then a date after it.
 */
export function dayWritten(text: string, dateOfNote: string | undefined): string | undefined {
  const day = /^\s*(?:[-*+]\s+)?[([]?(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text)?.[1];
  return day ?? dateOfNote ?? splitDay(text).day;
}

/**
 * Splits off the day that consolidation appends when it moves a line out of a daily note: "We ship on Fridays.
 * (2026-03-02)".
 */
export function splitDay(text: string): { readonly said: string; readonly day?: string } {
  // The expression tries every space of a line; few lines end like this.
  const found = text.trimEnd().endsWith(")") ? /\s*\((\d{4}-\d{2}-\d{2})\)\s*$/.exec(text) : null;
  return found === null ? { said: text } : { said: text.slice(0, found.index), day: found[1]! };
}
