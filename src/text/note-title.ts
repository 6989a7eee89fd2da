import { countFrontMatterLines, parseFrontMatter } from "./front-matter.ts";
import { readHeading } from "./markdown-line.ts";

/** A title further down would be the heading of a section. */
const maxLines = 20;

/** The title of a note: from its front matter, or the heading that it begins with; null if it has neither. */
export async function titleOfNote(text: string): Promise<string | null> {
  const metadata = await parseFrontMatter(text);
  if (metadata?.title !== undefined) return metadata.title;
  const lines = text.split("\n", countFrontMatterLines(text) + maxLines).slice(countFrontMatterLines(text));
  const first = lines.find((line) => line.trim() !== "" && !isNavigation(line)) ?? "";
  const heading = readHeading(first);
  if (heading === null) return null;
  // The first of several sections, such as the columns of a board, says nothing about the others.
  const isSection =
    heading.level > 1 && lines.some((line) => line !== first && readHeading(line)?.level === heading.level);
  return isSection ? null : heading.text || null;
}

/** `<< [[2025-03-03]] | [[2025-03-05]] >>` or `#daily`: links and tags alone, which vaults put above the title. */
function isNavigation(line: string): boolean {
  if (!/\[|#\S/.test(line)) return false;
  const rest = line.replace(
    /!?\[\[[^\]\n]{0,300}\]\]|\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)|#[^\s#]{1,100}/g,
    "",
  );
  return !/[\p{L}\p{N}]/u.test(rest);
}
