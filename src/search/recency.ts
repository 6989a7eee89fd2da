/**
 * How much of its score a dated note keeps: half after `halfLifeDays`, a quarter after twice that. Undated notes and
 * MEMORY.md keep all of it, and a future date is not worth more than today.
 */
export function decayFactor(
  date: string | undefined,
  { today, halfLifeDays }: { today: string; halfLifeDays: number },
): number {
  if (date === undefined) return 1;
  const ageDays = (Date.parse(today) - Date.parse(date)) / 86_400_000;
  return ageDays > 0 ? Math.exp((-Math.LN2 / halfLifeDays) * ageDays) : 1;
}
