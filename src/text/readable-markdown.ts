import { countFrontMatterLines } from "./front-matter.ts";
import { wikiLink } from "./note-parts.ts";

/**
 * A piece of a note as a person reads it: links by their titles, check boxes and callouts as their programs show them.
 * Line for line the same, so that numbers fit; only front matter at the top is left out. It is for looking at: what
 * programs compare with a note is the text itself.
 */
export function readableMarkdown(text: string): string {
  const lines = text.split("\n");
  const body = lines.slice(countFrontMatterLines(text));
  const shown = body.some((line) => line.trim() !== "") ? body : lines;
  return shown.map(readableLine).join("\n");
}

function readableLine(line: string): string {
  if (!/[[=]/.test(line)) return line;
  // Code says what it says.
  const parts = line.split(/((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))/);
  const shown = parts.map((part, index) => {
    if (index % 3 === 2) return "";
    return index % 3 === 1 ? part : readableText(part);
  });
  return shown
    .join("")
    .replace(/^(\s*(?:[-*+]|\d{1,9}[.)])\s+)\[( |x|X|-|\/|>)\](?=\s)/, (_, lead: string, mark: string) => {
      return `${lead}${mark === " " ? "☐" : /x/i.test(mark) ? "☑" : `[${mark}]`}`;
    })
    .replace(
      /^(\s*(?:>\s*)+)\[!([\w-]{1,40})\][+-]?[ \t]*(.*)$/,
      (_, lead: string, kind: string, title: string) => {
        const name = kind[0]!.toUpperCase() + kind.slice(1).toLowerCase();
        return `${lead}${name}${title === "" ? "" : `: ${title}`}`;
      },
    );
}

function readableText(text: string): string {
  return text
    .replace(wikiLink, (_, _embed: string, target: string, heading = "", title = "") => {
      if (title.trim() !== "") return title.trim();
      return [target.trim(), heading.replace(/^\^/, "").trim()].filter(Boolean).join(" › ");
    })
    .replace(/==(?=\S)([^=\n]{1,500})(?<=\S)==/g, "$1");
}
