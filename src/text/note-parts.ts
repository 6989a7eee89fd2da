import { countFrontMatterLines, parseFrontMatter } from "./front-matter.ts";
import { closesFence, fenceLength, readHeading } from "./markdown-line.ts";
import { hideComments } from "./note-comments.ts";
import { once } from "./once.ts";

/** A link from a note to another one: `[[target#heading|title]]` or `[title](target.md#heading)`. */
export interface NoteLink {
  /** As written, without heading, title and `.md`: the name of a note, or a path. */
  readonly target: string;
  readonly heading?: string;
  readonly title?: string;
  /** 1-based. */
  readonly line: number;
  /** `![[…]]`: the note is embedded, not only linked. */
  readonly isEmbed: boolean;
}

/** The metadata and links of a note. */
export interface NoteParts {
  readonly title?: string;
  /** Other names of the note, from its front matter. */
  readonly aliases: readonly string[];
  /** Without `#`, those of the front matter first; `a/b` is a tag below `a`. */
  readonly tags: readonly string[];
  readonly links: readonly NoteLink[];
}

/** Reads the parts of a note that have a meaning for Markdown tools. Code is skipped. */
export async function readNoteParts(text: string): Promise<NoteParts> {
  const metadata = await parseFrontMatter(text);
  const tags = new Set(metadata?.tags ?? []);
  const links: NoteLink[] = [];
  visitText(text, (line, number) => {
    for (const tag of findTags(line)) tags.add(tag);
    links.push(...findLinks(line, number));
  });
  return {
    ...(metadata?.title !== undefined && { title: metadata.title }),
    aliases: metadata?.aliases ?? [],
    tags: [...tags],
    links,
  };
}

/** Bounded, so that a long line of brackets costs no more than any other. */
export const wikiLink = /(!?)\[\[([^\][|#\n]{0,300})(?:#([^\][|\n]{0,300}))?(?:\|([^\][\n]{0,300}))?\]\]/g;
const noteLink = /(!?)\[([^\][\n]{0,300})\]\(<?([^()<>\s#]{1,500}\.md)(?:#([^()<>\s]{0,300}))?>?\)/g;
const hashTag = once(() => /(?<=^|[\s([{>,;])#([\p{L}\p{N}_/-]{1,100})/gu);

function findTags(line: string): string[] {
  if (!line.includes("#")) return [];
  const found = [...line.matchAll(hashTag())].map(([, tag = ""]) => tag.replace(/\/+$/, ""));
  // #123 is the number of an issue.
  return found.filter((tag) => tag !== "" && !/^[\d/_-]*$/.test(tag));
}

function findLinks(line: string, number: number): NoteLink[] {
  if (!line.includes("[")) return [];
  const wiki = [...line.matchAll(wikiLink)].map(([, embed, target = "", heading, title]) =>
    toLink({ embed, target, heading, title, number }),
  );
  const plain = [...line.matchAll(noteLink)]
    .filter(([, , , target = ""]) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
    .map(([, embed, title, target = "", heading]) =>
      toLink({ embed, target: decodePath(target), heading: heading && decodePath(heading), title, number }),
    );
  return [...wiki, ...plain];
}

interface WrittenLink {
  readonly embed: string | undefined;
  readonly target: string;
  readonly heading: string | undefined;
  readonly title: string | undefined;
  readonly number: number;
}

function toLink({ embed, target, heading, title, number }: WrittenLink): NoteLink {
  return {
    target: target.trim().replace(/\.md$/, ""),
    ...(heading ? { heading: heading.trim() } : {}),
    ...(title ? { title: title.trim() } : {}),
    line: number,
    isEmbed: embed === "!",
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Matches only from a whole run of backticks: trying each part of a long run is quadratic. */
const codeSpan = /(?<!`)(`+)[^`]+\1(?!`)/g;

/** Every line outside front matter and fences, without inline code. */
function visitText(text: string, visit: (line: string, number: number) => void): void {
  const skipped = countFrontMatterLines(text);
  let fence: { readonly code: number; readonly length: number } | null = null;
  for (const [index, written] of text.split("\n").entries()) {
    if (index < skipped) continue;
    const line = written.replace(/\r$/, "");
    const first = line.length - line.trimStart().length;
    if (fence !== null) {
      if (closesFence(line, first, line.length, fence.code, fence.length)) fence = null;
      continue;
    }
    const length = fenceLength(line, first, line.length);
    if (length > 0) fence = { code: line.charCodeAt(first), length };
    else visit(line.replace(codeSpan, " "), index + 1);
  }
}

/**
 * A part of a note as people read it: links by their titles, check boxes and callouts as rendered, no comments. Lines
 * correspond one to one, so line numbers fit; only leading front matter is left out. For display only: programs compare
 * the original text.
 */
export function readableMarkdown(text: string): string {
  const lines = text.split("\n");
  const body = lines.slice(countFrontMatterLines(text));
  const shown = body.some((line) => line.trim() !== "") ? body : lines;
  return hideComments(shown.join("\n")).split("\n").map(readableLine).join("\n");
}

/** `… ^decision`: the end of a line by which Obsidian links to it. */
export const blockId = /(?:^|(?<=\S)[ \t]+)\^[a-z\d-]{1,60}[ \t]*$/i;

function readableLine(line: string): string {
  if (!/[[=^]/.test(line)) return line;
  // Code stays as it is.
  const parts = line.includes("`") ? line.split(/((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))/) : [line];
  const shown = parts.map((part, index) => {
    if (index % 3 === 2) return "";
    return index % 3 === 1 ? part : readableText(part);
  });
  const text = shown.join("").replace(blockId, "");
  if (!text.includes("[")) return text;
  return text
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
  const titled = text.includes("[[") ? text.replace(wikiLink, readableLink) : text;
  return titled.includes("==") ? titled.replace(/==(?=\S)([^=\n]{1,500})(?<=\S)==/g, "$1") : titled;
}

function readableLink(_: string, _embed: string, target: string, heading = "", title = ""): string {
  if (title.trim() !== "") return title.trim();
  return [target.trim(), heading.replace(/^\^/, "").trim()].filter(Boolean).join(" › ");
}

const relativeLink = /\[[^\][\n]{0,300}\]\(<?([^()<>\s#]{1,500}\.md)/g;
const mention = once(() => /(?<![\p{L}\p{N}_/-])(?:memory\/)?[\p{L}\p{N}_./-]{1,200}\.md(?![\p{L}\p{N}])/gu);

/** The notes that a text may refer to: link targets, and paths it mentions. */
export function linkTargets(text: string): string[] {
  const wiki = Array.from(text.matchAll(wikiLink), ([, , target = ""]) => target.trim());
  const plain = Array.from(text.matchAll(relativeLink), ([, target = ""]) =>
    decodePath(target).replace(/^(?:\.{1,2}\/)+/, ""),
  );
  const mentioned = Array.from(text.matchAll(mention()), ([path]) => path);
  return [...wiki, ...plain, ...mentioned];
}

/** Whether a text has a link or image whose target changes when the text moves to another folder or note. */
export function hasRelativeLink(text: string): boolean {
  return (
    /\]\(\s*<?(?![a-z][a-z\d+.-]*:|\/)[^)\s]/i.test(text) ||
    /^ {0,3}\[[^\]\n]+\]:\s*(?![a-z][a-z\d+.-]*:|\/)\S/im.test(text)
  );
}

/** A title further down would be the heading of a section. */
const maxTitleLines = 20;

/** The title of a note: from its front matter, or the heading that it begins with; null if it has neither. */
export async function titleOfNote(text: string): Promise<string | null> {
  const metadata = await parseFrontMatter(text);
  if (metadata?.title !== undefined) return metadata.title;
  const lines = text
    .split("\n", countFrontMatterLines(text) + maxTitleLines)
    .slice(countFrontMatterLines(text));
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
