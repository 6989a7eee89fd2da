import type { WordSource } from "./document.ts";
import { countFrontMatterLines } from "./front-matter.ts";
import { pathInLayer } from "./layer-path.ts";

const noteEnding = /\.(?:md|markdown)$/;

/** A name without quotes, extension, case and the difference between spaces and dashes. */
export function plainName(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase().trim();
  return spaced(lower.replace(/^["'`\s]+|["'`\s.?!]+$/g, "").replace(noteEnding, ""));
}

/** Dashes, underscores and slashes as spaces. */
export function spaced(text: string): string {
  return text.replace(/[\s\-_/]+/g, " ").trim();
}

/** Few notes have all words of a longer name, so its note is found without a token for it. */
const maxNameWords = 6;
const maxNameChars = 80;

/**
 * The token of a whole name; null for names that no query uses. No word has an equals sign, so however many notes
 * mention the words of a name, its own note is found among them.
 */
export function nameToken(name: string): string | null {
  const plain = plainName(name).replaceAll(/[\0-\x1f]/g, "");
  // A date is a name too, but days are found by their date.
  if (plain.length > maxNameChars || !/\p{L}/u.test(plain)) return null;
  const words = plain.split(" ");
  return words.length > maxNameWords ? null : `=${words.join(".").toWellFormed()}`;
}

/**
 * The tokens of a note's names: in every chunk of its file name, in the chunk it begins with of its title and aliases.
 * A chunk that moves keeps its tokens, so its line numbers do not matter.
 */
export function nameTokens({ path, text }: Pick<WordSource, "path" | "text">): string[] {
  const inLayer = pathInLayer(path);
  const names = [inLayer.slice(inLayer.lastIndexOf("/") + 1), ...namesAtStart(text)];
  return [...new Set(names.map(nameToken))].filter((token) => token !== null);
}

/**
 * Reads only plain YAML, without the parser, which is slow: this finds candidates, and the note's front matter is read
 * before one of them counts as the note.
 */
function namesAtStart(text: string): string[] {
  if (!/^(?:---|\s*(?:# |\S[^\n]*\n=))/.test(text)) return [];
  const lines = text.split("\n", maxLines);
  const skipped = countFrontMatterLines(text);
  const names: string[] = [];
  let field = "";
  let values: string[] = [];
  const endField = (): void => {
    if (/^(?:title|alias|aliases)$/.test(field))
      names.push(...namesOf(values, { isTitle: field === "title" }));
  };
  for (const line of lines.slice(1, Math.max(1, skipped - 1))) {
    const [, key, value = line] = /^([^\s:#-][^:]*):(.*)/.exec(line) ?? [];
    if (key !== undefined) {
      endField();
      field = key;
      values = [];
    }
    values.push(value.trim());
  }
  endField();
  const content = lines.slice(skipped);
  const at = content.findIndex((line) => line.trim() !== "");
  const [first = "", second = ""] = at < 0 ? [] : content.slice(at, at + 2);
  if (first.startsWith("# ")) names.push(first.slice(2).replace(/\s#+\s*$/, ""));
  else if (/^=+\s*$/.test(second)) names.push(first);
  return names;
}

/** The lines of a field: a value, which may go on in the next lines, and the items of a list. */
function namesOf(lines: readonly string[], { isTitle }: { isTitle: boolean }): string[] {
  const names: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const isItem = /^-\s/.test(lines[at]!);
    const own = [lines[at]!.replace(/^-\s+/, "")];
    for (at++; at < lines.length && !/^-\s/.test(lines[at]!); at++) own.push(lines[at]!);
    names.push(...valuesOf(own, { isWhole: isTitle || isItem }));
  }
  return names;
}

/** `>` or `|` before a text of several lines, in which nothing is a comment. */
const blockMark = /^[>|][-+\d]{0,2}(?:\s+#.*)?$/;

/** A comma belongs to a title, an item of a list or a quoted text, and separates names elsewhere. */
function valuesOf([first = "", ...more]: readonly string[], { isWhole }: { isWhole: boolean }): string[] {
  const isBlock = blockMark.test(first);
  const lines = isBlock ? more : [first, ...more];
  const text = lines.join(" ");
  const quoted = text.match(/(?<![^\s,[])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/g) ?? [];
  const plain = isBlock ? text : lines.map((line) => line.replace(/(?:^|\s)#.*/, "")).join(" ");
  return [...quoted, ...(isWhole ? [plain] : plain.split(","))].map((value) =>
    unescapeYaml(value.replaceAll(/^[\s"'[]+|[\s"'\]]+$/g, "")),
  );
}

/** Quotes within a quoted text, whichever quotes are around it. */
export function unescapeYaml(text: string): string {
  return text.replaceAll("''", "'").replaceAll(/\\(["\\/])/g, "$1");
}

const maxLines = 200;
