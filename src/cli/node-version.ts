/** The oldest Node of each line that has FTS5 and a SQLite free of the WAL fault; `engines` in package.json agrees. */
export const supportedNode = "^22.23.0 || >=24.15.0";

/** A plain sentence when longhand cannot run on this Node, else null. */
export function nodeVersionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const supported = major === 22 ? minor >= 23 : major === 24 ? minor >= 15 : major > 24;
  if (supported) return null;
  return `longhand needs Node 22.23 or newer, or 24.15 or newer; this is Node ${version}.`;
}
