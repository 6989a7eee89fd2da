/** Where and when a line was written, as far as that is known. */
export interface WrittenLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** `YYYY-MM-DD` of its note: the daily note's day, or `date` in the front matter. */
  readonly date?: string;
  /** Asked last: a note that was saved lately may still say what was so long ago. */
  readonly modifiedMs?: number;
  /** The line says that something is different now. Asked only where no date and no order decides. */
  readonly isNews?: boolean;
}

/**
 * Whether a line was written later than another, as far as anything says so. A date before the line itself comes first,
 * then that of its note, then a date behind the line, then the order within a note, which is only ever appended to. `isNews` breaks a tie: what says
 * "now" is the later one.
 */
export function isNewer(line: WrittenLine, than: WrittenLine): boolean {
  const [day, otherDay] = [dayOf(line), dayOf(than)];
  if (day !== undefined && otherDay !== undefined && day !== otherDay) return day > otherDay;
  if (line.path === than.path) return line.line > than.line;
  const isModifiedLater = (line.modifiedMs ?? 0) > (than.modifiedMs ?? Number.POSITIVE_INFINITY);
  // In this order, because most lines are no news, and to find that out takes time.
  if (line.isNews) return !than.isNews || isModifiedLater;
  return isModifiedLater && !than.isNews;
}

function dayOf({ text, date }: WrittenLine): string | undefined {
  const day = /^\s*(?:[-*+]\s+)?[([]?(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text)?.[1];
  return day ?? date ?? splitDay(text).day;
}

/** The day behind a line that consolidation moved out of a daily note, "We ship on Fridays. (2026-03-02)", and the rest. */
export function splitDay(text: string): { readonly said: string; readonly day?: string } {
  const found = /\s*\((\d{4}-\d{2}-\d{2})\)\s*$/.exec(text);
  return found === null ? { said: text } : { said: text.slice(0, found.index), day: found[1]! };
}
