/** A path as one argument of a command that somebody copies into a shell. */
export function quoteForShell(path: string): string {
  return /^[\w./~:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
