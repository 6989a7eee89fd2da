/** A text as LanceDB's filters take it. Nothing but the quote has a meaning inside of one. */
export function quote(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** `column IN (…)`; never true for an empty list. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return "false";
  return `${column} IN (${values.map((value) => (typeof value === "number" ? value : quote(value))).join(",")})`;
}

/** A filter is parsed as one text, so a long list is asked for in parts. */
export const mostListed = 1000;

export function inParts<T>(values: readonly T[], size = mostListed): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}
