const maxRecents = 8;
const maxChars = 200;

/** Newest first, without duplicates. */
export function addRecent(recents: readonly string[], query: string): string[] {
  const asked = query.trim();
  if (asked === "" || asked.length > maxChars) return [...recents];
  const isSame = (other: string): boolean => other.toLowerCase() === asked.toLowerCase();
  return [asked, ...recents.filter((other) => !isSame(other))].slice(0, maxRecents);
}

/** What the browser stored; anything but a list of strings counts as empty. */
export function parseRecents(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(0, maxRecents) : [];
  } catch {
    return [];
  }
}
