import type { LineRange } from "../../text/document.ts";

/**
 * The lines in which a piece of text stands, wherever that is now; null when it does not stand there any more. Where it
 * stands more than once, the place nearest to `offset` counts.
 */
export function locateText(text: string, piece: string, offset: number | null): LineRange | null {
  const wanted = piece.trim();
  if (wanted === "") return null;
  const near = offset ?? 0;
  let found = -1;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (found === -1 || Math.abs(at - near) < Math.abs(found - near)) found = at;
    if (at > near) break;
  }
  if (found === -1) return null;
  return { start: lineAt(text, found), end: lineAt(text, found + wanted.length - 1) };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
