/**
 * The note that a wikilink names, as note-taking programs look for it: by its path, or by its name in any folder, the
 * nearest to the note with the link first. Null when no note has that name.
 */
export function findLinkedNote(
  target: string,
  { from, paths }: { from: string; paths: readonly string[] },
): string | null {
  const wanted = `${target.replace(/^\.?\//, "").replace(/\.md$/i, "")}.md`.toLowerCase();
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  const matches = paths.filter((path) => {
    const name = path.toLowerCase();
    return name === wanted || name.endsWith(`/${wanted}`);
  });
  const distance = (path: string): number =>
    path.toLowerCase() === wanted ? -1 : path.startsWith(folder) ? 0 : path.split("/").length;
  return matches.sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))[0] ?? null;
}
