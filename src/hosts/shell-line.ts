/**
 * Words as one command line for the shells of this system. On Windows that may be Git Bash, PowerShell or cmd, as the
 * host pleases: all three take a plain first word, and further words in double quotes. A backslash would be an escape in
 * the first, so paths have slashes, which Windows takes as well.
 */
export function shellLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => quoteForShell(word, platform)).join(" ");
}

/** For a host that always takes PowerShell on Windows, where a quoted first word would be a text and no command. */
export function powerShellLine(
  words: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string {
  const line = shellLine(words, platform);
  return platform === "win32" && line.startsWith('"') ? `& ${line}` : line;
}

/** JSON as one of the words. It needs no backslashes: paths can have slashes, and shells disagree about the others. */
export function jsonWord(value: unknown, platform: NodeJS.Platform = process.platform): string {
  const json = JSON.stringify(value);
  return platform === "win32" ? json.replaceAll("\\\\", "/") : json;
}

/** One word of such a line. */
export function quoteForShell(word: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? quoteForWindows(word) : quoteForSh(word);
}

/** Words as one command line for `spawn` with `shell: true`, which on Windows means cmd. */
export function cmdLine(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `"${word.replaceAll('"', '""')}"`)).join(" ");
}

const plain = /^[\w@+=,.~-]+$/;

function quoteForSh(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function quoteForWindows(word: string): string {
  const isPath = /^(?:[A-Za-z]:\\|\\\\)/.test(word);
  const shown = isPath ? word.replaceAll("\\", "/") : word;
  return plain.test(shown) ? shown : `"${shown.replaceAll('"', '\\"')}"`;
}
