import type { StoredChunk } from "../stores/store.ts";
import { countFrontMatterLines } from "../text/front-matter.ts";

const link = /!?\[\[[^\][]*\]\]|!?\[[^\][]*\]\([^()\s]*\)/g;
const day = /(?:\d{4}-\d{2}(?:-\d{2})?|\d{4}-W\d{2})/g;
/** What points somewhere: words are only those that stand beside links to say where these lead. */
const pointer =
  /[<>«»‹›|·•/\\=*_~←→↑↓⬅➡⬆⬇◀▶–—\-\s]|\uFE0F|\b(?:prev|previous|next|up|home|index|yesterday|tomorrow|today|back)\b:?/gi;
const arrow = /<<|>>|[<>«»‹›|·•←→↑↓⬅➡⬆⬇◀▶]|\b(?:prev|previous|next|yesterday|tomorrow)\b/i;

/** Where a line leads that says nothing else: to other days, or along links with arrows or bars between them. */
export type Navigation = "days" | "links";

/** Null for every line that says something. An item of a list of links says what is in the list. */
export function navigationOf(line: string): Navigation | null {
  if (!line.includes("[") || line.length > longest) return null;
  const links = line.match(link);
  if (links === null || line.replace(link, "").replace(day, "").replace(pointer, "") !== "") return null;
  const isToDays = links.every((each) => each.replace(day, "").replace(/[^\p{L}\p{N}]|md/gu, "") === "");
  if (isToDays) return "days";
  return arrow.test(line.replace(link, "")) && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line) ? "links" : null;
}

export function isNavigation(line: string): boolean {
  return navigationOf(line) !== null;
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
