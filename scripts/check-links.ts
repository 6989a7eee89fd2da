/**
 * `node scripts/check-links.ts`: checks that every relative link in a Markdown file of the repository leads to an existing
 * file, every anchor to a heading, and docs/README.md to every page next to it. Nothing is fetched; `--external` lists
 * the addresses of other sites.
 */
import { existsSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

const root = join(import.meta.dirname, "..");

/** Notes that are examples or test data, whose links are not checked. */
const notOurs = [
  "**/node_modules",
  "**/dist",
  "examples/workspace",
  "examples/other-words",
  "quality/workspace",
];

export interface Link {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

export async function readPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for await (const file of glob("**/*.md", { cwd: root, exclude: notOurs })) {
    pages.set(file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8"));
  }
  return pages;
}

/** A sentence for each broken link. */
export function brokenLinks(
  pages: ReadonlyMap<string, string>,
  isThere: (path: string) => boolean = (path) => existsSync(join(root, path)),
): string[] {
  return [...pages].flatMap(([file, text]) =>
    findLinks(file, text)
      .filter(({ target }) => !isExternal(target))
      .flatMap(({ target, line }) => {
        const [path = "", anchor] = target.split("#");
        const place = path === "" ? file : posix.join(dirname(file), decodeURIComponent(path));
        if (!isThere(place)) return [`${file}:${line}: ${target} is not there`];
        const page = pages.get(place);
        if (anchor === undefined || page === undefined || findAnchors(page).has(anchor)) return [];
        return [`${file}:${line}: ${place} has no heading #${anchor}`];
      }),
  );
}

/** A sentence for each page of docs/ that its index does not name. */
export function unlistedPages(pages: ReadonlyMap<string, string>): string[] {
  const index = "docs/README.md";
  const listed = findLinks(index, pages.get(index) ?? "").map(({ target }) => posix.join("docs", target));
  return [...pages.keys()]
    .filter((file) => /^docs\/[^/]+\.md$/.test(file) && file !== index && !listed.includes(file))
    .map((file) => `${file} is not in ${index}`);
}

export function isExternal(target: string): boolean {
  return /^[a-z][a-z+.-]*:/i.test(target);
}

/** Links, images and link definitions, in Markdown and in HTML, but not in code. */
export function findLinks(file: string, text: string): Link[] {
  const shown = blankCode(text);
  const forms = [
    /\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s]*)?)>?(?:\s+"[^"]*")?\s*\)/g,
    /^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm,
    /\b(?:href|src|srcset)="([^"]+)"/g,
  ];
  return forms.flatMap((form) =>
    [...shown.matchAll(form)].map(({ index, 1: target = "" }) => ({
      file,
      line: shown.slice(0, index).split("\n").length,
      target,
    })),
  );
}

/** The anchor that GitHub derives from a heading: the second of two equal ones gets a number. */
export function findAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const { 1: heading = "" } of blankFences(text).matchAll(/^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm)) {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    anchors.add(times === 0 ? anchor : `${anchor}-${times}`);
  }
  for (const { 1: id = "" } of text.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

function blankFences(text: string): string {
  return text.replaceAll(/^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\2[`~]*\s*$/gm, blank);
}

function blankCode(text: string): string {
  return blankFences(text).replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, blank);
}

/** Line numbers stay. */
function blank(found: string): string {
  return found.replaceAll(/[^\n]/g, " ");
}

if (import.meta.main) {
  const pages = await readPages();
  const broken = [...brokenLinks(pages), ...unlistedPages(pages)];
  for (const sentence of broken) console.error(sentence);
  const links = [...pages].flatMap(([file, text]) => findLinks(file, text));
  const external = links.filter(({ target }) => isExternal(target));
  if (process.argv.includes("--external")) {
    for (const { file, line, target } of external) console.log(`${file}:${line}: ${target}`);
  }
  console.log(
    `${pages.size} pages, ${links.length - external.length} links within, ${external.length} to other sites, ${broken.length} problems`,
  );
  if (broken.length > 0) process.exitCode = 1;
}
