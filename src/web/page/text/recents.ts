const maxRecents = 8;
const maxChars = 200;

/** The newest first, each once. */
export function addRecent(recents: readonly string[], query: string): string[] {
  const asked = query.trim();
  if (asked === "" || asked.length > maxChars) return [...recents];
  const isSame = (other: string): boolean => other.toLowerCase() === asked.toLowerCase();
  return [asked, ...recents.filter((other) => !isSame(other))].slice(0, maxRecents);
}

/** What the browser kept; anything but a list of texts counts as nothing. */
export function parseRecents(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(0, maxRecents) : [];
  } catch {
    return [];
  }
}
