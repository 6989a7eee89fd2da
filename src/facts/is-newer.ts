/** Where and when a line was written, as far as known. */
export interface WrittenLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** `YYYY-MM-DD` of its note: the daily note's day, or `date` in the front matter. */
  readonly date?: string;
  /** Considered last: a note saved recently may still contain old statements. */
  readonly modifiedMs?: number;
  /** The line says that something changed. Read only if neither a date nor the order decides. */
  readonly isNews?: boolean;
}

/**
 * Whether a line was written later than another, as far as we can tell. A date before the line counts first, then the
 * date of its note, then a date after the line, then the order within a note, because notes are appended to. `isNews`
 * breaks a tie.
 */
export function isNewer(line: WrittenLine, than: WrittenLine): boolean {
  const [day, otherDay] = [dayOf(line), dayOf(than)];
  if (day !== undefined && otherDay !== undefined && day !== otherDay) return day > otherDay;
  if (line.path === than.path) return line.line > than.line;
  const isModifiedLater = (line.modifiedMs ?? 0) > (than.modifiedMs ?? Number.POSITIVE_INFINITY);
  // In this order, because most lines are not news and finding out takes time.
  if (line.isNews) return !than.isNews || isModifiedLater;
  return isModifiedLater && !than.isNews;
}

function dayOf({ text, date }: WrittenLine): string | undefined {
  const day = /^\s*(?:[-*+]\s+)?[([]?(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text)?.[1];
  return day ?? date ?? splitDay(text).day;
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
