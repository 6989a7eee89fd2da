import { editDistance } from "../text/edit-distance.ts";

/** Longer keys are truncated before comparison: they resemble nothing, and the time must stay bounded. */
const MAX_COMPARED_CHARS = 64;

/** The known key that most resembles `key`, or null. Among equally near ones, the first wins. */
export function nearestKey(key: string, known: readonly string[]): string | null {
  const wanted = plain(key);
  let nearest: string | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    // With more than a third of the letters wrong, it is a different word, not a typo.
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    if (distance <= allowed && distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

/** `max_results` and `MaxResults` are spelling variants, not other words. */
function plain(key: string): string {
  return key.slice(0, MAX_COMPARED_CHARS).toLowerCase().replaceAll(/[-_]/g, "");
}
