import type { StoredChunk } from "../stores/store.ts";
import { countFrontMatterLines } from "../text/front-matter.ts";

const link = /!?\[\[[^\][]*\]\]|!?\[[^\][]*\]\([^()\s]*\)/g;
const day = /(?:\d{4}-\d{2}(?:-\d{2})?|\d{4}-W\d{2})/g;
/** What points somewhere: words are only those that stand beside links to say where these lead. */
const pointer =
  /[<>«»‹›|·•/\\=*_~←→↑↓⬅➡⬆⬇◀▶–—\-\s]|\uFE0F|\b(?:prev|previous|next|up|home|index|yesterday|tomorrow|today|back)\b:?/gi;
const arrow = /<<|>>|[<>«»‹›|·•←→↑↓⬅➡⬆⬇◀▶]|\b(?:prev|previous|next|yesterday|tomorrow)\b/i;

/**
 * A line that only leads elsewhere: links with arrows between them, or links to other days. It names what it leads to
 * and says nothing about it. An item of a list of links is no such line.
 */
export function isNavigation(line: string): boolean {
  if (!line.includes("[") || line.length > longest) return false;
  const links = line.match(link);
  if (links === null || line.replace(link, "").replace(day, "").replace(pointer, "") !== "") return false;
  const isToDays = links.every((each) => each.replace(day, "").replace(/[^\p{L}\p{N}]|md/gu, "") === "");
  return isToDays || (arrow.test(line.replace(link, "")) && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line));
}

const longest = 400;

/** How many lines at the start of a chunk are front matter. */
export function frontMatterLines({ lines, text }: Pick<StoredChunk, "lines" | "text">): number {
  return lines.start === 1 ? countFrontMatterLines(text) : 0;
}

/** The first line of a chunk that says something: behind its front matter and the navigation there. */
export function firstTextLine(chunk: Pick<StoredChunk, "lines" | "text">): number {
  const lines = chunk.text.split("\n");
  const after = frontMatterLines(chunk);
  const first = lines.findIndex((line, i) => i >= after && line.trim() !== "" && !isNavigation(line));
  return chunk.lines.start + Math.max(first, 0);
}
