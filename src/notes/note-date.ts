/** The day a note is about, `YYYY-MM-DD`: a real calendar day at the start of its file name, at any depth. */
export function dateOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const match = /^(\d{4}-\d{2}-\d{2})(?:-[^/]*)?\.md$/.exec(name);
  const day = match?.[1];
  return day !== undefined && isCalendarDay(day) ? day : null;
}

function isCalendarDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  // Date.parse takes the 30th of February for the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
