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
 * Which of two lines was written later; null where nothing says so. A date before the line itself comes first, then that
 * of its note, then the order within a note, which is only ever appended to. `isNews` breaks a tie: what says "now" is
 * the later one.
 */
export function findNewer(left: WrittenLine, right: WrittenLine): "left" | "right" | null {
  const [leftDay, rightDay] = [dayOf(left), dayOf(right)];
  if (leftDay !== undefined && rightDay !== undefined && leftDay !== rightDay) {
    return leftDay > rightDay ? "left" : "right";
  }
  if (left.path === right.path)
    return left.line === right.line ? null : left.line > right.line ? "left" : "right";
  if ((left.isNews ?? false) !== (right.isNews ?? false)) return left.isNews ? "left" : "right";
  const [leftMs, rightMs] = [left.modifiedMs, right.modifiedMs];
  if (leftMs === undefined || rightMs === undefined || leftMs === rightMs) return null;
  return leftMs > rightMs ? "left" : "right";
}

function dayOf({ text, date }: WrittenLine): string | undefined {
  return /^\s*(?:[-*+]\s+)?[([]?(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text)?.[1] ?? date;
}
