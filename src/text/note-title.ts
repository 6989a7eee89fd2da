import { countFrontMatterLines, parseFrontMatter } from "./front-matter.ts";
import { readHeading } from "./markdown-line.ts";

/** A title further down would be the heading of a section. */
const maxLines = 20;

/** The title of a note: from its front matter, or the heading that it begins with; null if it has neither. */
export async function titleOfNote(text: string): Promise<string | null> {
  const metadata = await parseFrontMatter(text);
  if (metadata?.title !== undefined) return metadata.title;
  const lines = text.split("\n", countFrontMatterLines(text) + maxLines).slice(countFrontMatterLines(text));
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return readHeading(first)?.text || null;
}
