/** Where an entry came from, as `add` notes it beside the text: `<!-- from: tool 14:05 -->`. */
const origin = /<!-- from: [^<>]*-->/g;

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
  return text.includes("<!-- from: ") ? text.replace(origin, (comment) => " ".repeat(comment.length)) : text;
}

/** The text as it was given to `add`, without the comments that name its origin. */
export function dropOrigins(text: string): string {
  return text.includes("<!-- from: ") ? text.replace(/ ?<!-- from: [^<>]*-->\n?/g, dropOne) : text;
}

/** Where the entries of a text came from, each once. */
export function originsOf(text: string): string[] {
  if (!text.includes("<!-- from: ")) return [];
  const found = [...text.matchAll(origin)].map(([comment]) => comment.slice("<!-- from: ".length, -3).trim());
  return [...new Set(found)];
}

/** A comment on a line of its own goes with its line end. */
function dropOne(comment: string, offset: number, whole: string): string {
  const startsLine = offset === 0 || whole[offset - 1] === "\n";
  return comment.endsWith("\n") && !startsLine ? "\n" : "";
}
