import { isAscii } from "./ascii.ts";

/**
 * A comment that is not part of an entry's text: its origin as written by `add` (`<!-- from: tool 14:05 -->`), or the
 * id of an entry of the entries plugin (`<!-- id: 7f3a… from: tool -->`).
 */
const origin = /<!-- (?:from|id): [^<>]*-->/g;

/** The text of a line without spacing, width, bullet and origin, so that lines that say the same are equal. */
export function normaliseEntryLine(line: string): string {
  const wide = isAscii(line) ? line : line.normalize("NFKC");
  const said = mayHaveOrigin(wide) ? wide.replace(origin, "") : wide;
  return said
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[-*+] /, "");
}

/** Replaces origins with spaces, so that all offsets stay the same. */
export function blankOrigins(text: string): string {
  return mayHaveOrigin(text) ? text.replace(origin, (comment) => " ".repeat(comment.length)) : text;
}

/** The text as given to `add`, without origin comments. */
export function dropOrigins(text: string): string {
  return mayHaveOrigin(text) ? text.replace(/ ?<!-- (?:from|id): [^<>]*-->\n?/g, dropOne) : text;
}

/** The origins named in a text, each once. */
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

/** A comment on its own line is removed with its line break. */
function dropOne(comment: string, offset: number, whole: string): string {
  const startsLine = offset === 0 || whole[offset - 1] === "\n";
  return comment.endsWith("\n") && !startsLine ? "\n" : "";
}
