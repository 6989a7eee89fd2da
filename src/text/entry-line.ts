/**
 * What stands beside an entry and is no part of what it says: where it came from, as `add` notes it
 * (`<!-- from: tool 14:05 -->`), or what a fact of the entries plugin is known by (`<!-- id: 7f3a… from: tool -->`).
 */
const origin = /<!-- (?:from|id): [^<>]*-->/g;

/** What a line says, whatever its spacing, width, bullet or origin: two lines that say the same are equal then. */
export function normaliseEntryLine(line: string): string {
  return line
    .normalize("NFKC")
    .replace(origin, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[-*+] /, "");
}

/** The text with blanks in place of origins, so that everything else stands where it stood. */
export function blankOrigins(text: string): string {
  return mayHaveOrigin(text) ? text.replace(origin, (comment) => " ".repeat(comment.length)) : text;
}

/** The text as it was given to `add`, without the comments that name its origin. */
export function dropOrigins(text: string): string {
  return mayHaveOrigin(text) ? text.replace(/ ?<!-- (?:from|id): [^<>]*-->\n?/g, dropOne) : text;
}

/** Where the entries of a text came from, each once. */
export function originsOf(text: string): string[] {
  if (!mayHaveOrigin(text)) return [];
  const found = [...text.matchAll(origin)].flatMap(([comment]) => {
    const at = comment.indexOf(" from: ");
    return at === -1 ? [] : [comment.slice(at + " from: ".length, -3).trim()];
  });
  return [...new Set(found)];
}

function mayHaveOrigin(text: string): boolean {
  return text.includes("<!-- from: ") || text.includes("<!-- id: ");
}

/** A comment on a line of its own goes with its line end. */
function dropOne(comment: string, offset: number, whole: string): string {
  const startsLine = offset === 0 || whole[offset - 1] === "\n";
  return comment.endsWith("\n") && !startsLine ? "\n" : "";
}
