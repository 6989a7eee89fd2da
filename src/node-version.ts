/**
 * An error message if longhand cannot run on this Node, otherwise null. It needs the oldest release of each line that
 * has FTS5 and a SQLite without the WAL bug; `engines` in package.json says the same.
 */
export function nodeVersionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const supported = major === 22 ? minor >= 23 : major === 24 ? minor >= 15 : major > 24;
  if (supported) return null;
  return `longhand needs Node 24.15 or newer, or Node 22 from 22.23 on; this is Node ${version}.`;
}
