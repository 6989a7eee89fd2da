import { countFrontMatterLines } from "../../../text/front-matter.ts";
import { readHeading } from "../../../text/markdown-line.ts";
import type { MarkedHit } from "../api.ts";

/** The hits of one note or conversation, best first. */
export interface HitGroup {
  readonly path: string;
  readonly hits: readonly [MarkedHit, ...MarkedHit[]];
}

/** Groups in the order of their best hits. */
export function groupHits(hits: readonly MarkedHit[]): HitGroup[] {
  const groups = Map.groupBy(hits, ({ path }) => path);
  return [...groups].map(([path, [best, ...rest]]) => ({ path, hits: [best!, ...rest] }));
}

export function keyOf({ path, startLine, endLine }: MarkedHit): string {
  return `${path}:${startLine}-${endLine}`;
}

/**
 * The heading above a hit, or at its start, with its parent headings. Without one, a note's hit is named by its file,
 * and a conversation by its first user message or its day.
 */
export function titleOf(hit: MarkedHit): { title: string; above: readonly string[] } {
  const { path, headings, source, snippet, date } = hit;
  const title = headings.at(-1) ?? hit.title ?? (source === "memory" ? firstHeading(snippet) : undefined);
  if (title !== undefined) return { title, above: headings.slice(0, -1) };
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w{1,5}$/, "");
  return { title: source === "sessions" && date ? `Conversation of ${date}` : name, above: [] };
}

/** A passage above all headings may still begin with the first heading of its note. */
function firstHeading(snippet: string): string | undefined {
  const lines = snippet.split("\n").slice(countFrontMatterLines(snippet));
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return readHeading(first)?.text || undefined;
}
