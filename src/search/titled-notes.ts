import type { StoredChunk } from "../stores/store.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { plainName } from "../text/note-names.ts";
import { askedNames } from "./asked-name.ts";
import { firstTextLine, frontMatterLines } from "./line-kinds.ts";
import type { Passage } from "./passages.ts";

/** The fraction of the gap to a full score that the note gains. */
const lift = 0.8;

/**
 * Boosts the notes whose title or alias is the whole query, or what it asks for ("who is …"), above those that mention it. Only the best chunk of a note
 * is boosted, so that the mentions follow.
 */
export async function liftTitled(passages: readonly Passage[], query: string): Promise<readonly Passage[]> {
  const name = plainName(query);
  if (name === "") return passages;
  const names = askedNames(name);
  const chunks = new Set(passages.map(({ chunk }) => chunk));
  const aliased = await pathsWithAlias(chunks, names);
  const best = new Map<string, Passage>();
  for (const passage of passages) {
    const { path } = passage.chunk;
    const isTitled =
      aliased.has(path) || titlesOf(passage.chunk).some((title) => names.has(plainName(title)));
    if (isTitled && passage.score > (best.get(path)?.score ?? 0)) best.set(path, passage);
  }
  if (best.size === 0) return passages;
  const lifted = new Set([...best.values()].map(({ chunk }) => chunk));
  return passages.map((passage) => {
    if (!lifted.has(passage.chunk)) return passage;
    return { ...passage, lines: textLines(passage), score: passage.score + (1 - passage.score) * lift };
  });
}

/** The outermost heading; that of a chunk which begins with front matter is within its text. */
function titlesOf(chunk: StoredChunk): string[] {
  const outermost = chunk.headings.slice(0, 1);
  if (frontMatterLines(chunk) === 0) return outermost;
  const line = chunk.text.split("\n")[firstTextLine(chunk) - chunk.lines.start] ?? "";
  return line.startsWith("# ") ? [...outermost, line.slice(2)] : outermost;
}

async function pathsWithAlias(
  chunks: Iterable<StoredChunk>,
  names: ReadonlySet<string>,
): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const chunk of chunks) {
    const lines = frontMatterLines(chunk);
    // Parsing is slow, and few notes have the name anywhere in their front matter.
    if (lines === 0) continue;
    const head = plainName(chunk.text.split("\n", lines).join("\n"));
    if (![...names].some((name) => head.includes(name))) continue;
    const aliases = (await parseFrontMatter(chunk.text))?.aliases ?? [];
    if (aliases.some((alias) => names.has(plainName(alias)))) paths.add(chunk.path);
  }
  return paths;
}

/** The user who asks for a note by its alias knows the alias: show the text. */
function textLines({ chunk, lines }: Passage): Passage["lines"] {
  if (lines.end - chunk.lines.start >= frontMatterLines(chunk)) return lines;
  const line = firstTextLine(chunk);
  return { start: line, end: line };
}
