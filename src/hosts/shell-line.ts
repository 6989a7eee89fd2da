/**
 * Joins words to a command line for the shells of this system. On Windows a host uses Git Bash or PowerShell, and users
 * type into cmd as well: all three accept an unquoted first word, and further words in double quotes. A backslash would
 * be an escape in the first, so paths have slashes, which Windows accepts as well.
 */
export function shellLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  return words.map((word) => quoteForShell(word, platform)).join(" ");
}

/** For a host that always uses PowerShell on Windows, where nothing but these is special between single quotes. */
export function powerShellLine(
  words: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform !== "win32") return shellLine(words, platform);
  const line = words.map(quoteForPowerShell).join(" ");
  return line.startsWith("'") ? `& ${line}` : line;
}

/** JSON as one of the words. It needs no backslashes: paths can have slashes, and shells disagree about the others. */
export function jsonWord(value: unknown, platform: NodeJS.Platform = process.platform): string {
  const json = JSON.stringify(value);
  return platform === "win32" ? json.replaceAll("\\\\", "/") : json;
}

/** Quotes one word of such a line. */
export function quoteForShell(word: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? quoteForWindows(word) : quoteForSh(word);
}

/** Joins words to a command line for `spawn` with `shell: true`, which on Windows uses cmd. */
export function cmdLine(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `"${word.replaceAll('"', '""')}"`)).join(" ");
}

/** Splits a line that was written here; null for one that does more than start a program. */
export function splitLine(line: string): string[] | null {
  const pieces = /'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|&;<>()$`*?!#]+/.source;
  const word = new RegExp(`(?:${pieces})+`, "g");
  const shown = line.replace(/^& /, "");
  // PowerShell escapes a quote by doubling it.
  if (shown.replaceAll(word, "").trim() !== "" || /\w''\w/.test(shown)) return null;
  const unquoted = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g;
  return (shown.match(word) ?? []).map((each) =>
    each.replaceAll(
      unquoted,
      (_, single: string, double: string, escaped: string) =>
        single ?? double?.replaceAll(/\\(.)/g, "$1") ?? escaped,
    ),
  );
}

const plain = /^[\w@+=,.~-]+$/;

/**
 * Of the rest, PowerShell would split words at commas, and options at dots. A path that begins with a drive stays
 * unquoted, so that it can be a command: in PowerShell a quoted first word is a string.
 */
const plainInPowerShell = /^(?:\w[\w./:-]*|--?[\w-]+)$/;

function quoteForSh(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function quoteForWindows(word: string): string {
  const shown = withSlashes(word);
  if (plainInPowerShell.test(shown)) return shown;
  // Git Bash and PowerShell expand these within double quotes; cmd knows no other quotes.
  const isReplaced = /[$`]/.test(shown) && !/["'‘’‚‛]/.test(shown);
  return isReplaced ? `'${shown}'` : `"${shown.replaceAll('"', '\\"')}"`;
}

/** PowerShell also treats typographic quotes as quotes. */
function quoteForPowerShell(word: string): string {
  const shown = withSlashes(word);
  return plainInPowerShell.test(shown) ? shown : `'${shown.replace(/['‘’‚‛]/g, "$&$&")}'`;
}

function withSlashes(word: string): string {
  return /^(?:[A-Za-z]:\\|\\\\)/.test(word) ? word.replaceAll("\\", "/") : word;
}
