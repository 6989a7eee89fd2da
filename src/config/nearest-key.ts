import { editDistance } from "../text/edit-distance.ts";

/** Longer keys are cut before they are compared: they resemble nothing, and time must not depend on them. */
const MAX_COMPARED_CHARS = 64;

/** The known key that resembles `key` most, or null when none does. Of equally near ones the first wins. */
export function nearestKey(key: string, known: readonly string[]): string | null {
  const wanted = plain(key);
  let nearest: string | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    // More than a third of the letters wrong is a different word, not a slip.
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    if (distance <= allowed && distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

/** `max_results` and `MaxResults` are slips of spelling, not other words. */
function plain(key: string): string {
  return key.slice(0, MAX_COMPARED_CHARS).toLowerCase().replaceAll(/[-_]/g, "");
}
