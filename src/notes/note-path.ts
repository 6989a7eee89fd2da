import type { Scope } from "../text/document.ts";
import { isUserPath } from "../text/layer-path.ts";
import { once } from "../text/once.ts";

/**
 * Says why a path cannot name a note, or null when it can. Pure grammar, asked before any file is touched: what
 * passes is relative, has one spelling only, and means the same file on every operating system. `locate.ts` decides
 * whether it is inside the memory.
 */
export function findPathProblem(path: string): string | null {
  if (typeof path !== "string") return "it is not text";
  if (path === "") return "it is empty";
  if (path.length > maxPathBytes || Buffer.byteLength(path) > maxPathBytes) {
    return `it is longer than ${maxPathBytes} bytes`;
  }
  if (!/^[ -~]*$/.test(path)) {
    // A name on disk that is not UTF-8 arrives with U+FFFD in it and could not be opened again.
    if (!path.isWellFormed() || path.includes("\ufffd")) return "it is not valid Unicode";
    if (controlCharacter().test(path)) return "it contains a control character";
    if (invisibleCharacter().test(path)) return "it contains an invisible character";
  }
  if (/^(?:[a-z]:)?[\\/]/i.test(path)) return "it is an absolute path";
  if (path.includes("\\")) return "it contains a backslash; use / between folders";
  if (path.includes(":")) return "it contains a colon";
  for (const part of path.split("/")) {
    const problem = findPartProblem(part);
    if (problem !== null) return problem;
  }
  return path.endsWith(".md") ? null : "it does not end in .md";
}

/**
 * True for most names of notes: letters, digits, underscores and hyphens, and no device. In a folder whose own
 * path has no problem, the path of such a note has none either.
 */
export function isPlainName(name: string, path: string): boolean {
  const isDevice = name.length <= 7 && deviceName.test(name);
  return !isDevice && path.length <= maxPathBytes / 4 && /^\w[\w-]*\.md$/.test(name);
}

/** True for folders and files that are never notes: hidden ones, and the packages of a program. */
export function isHiddenPart(part: string): boolean {
  return part.startsWith(".") || part.toLowerCase() === "node_modules";
}

/** Equal for all names that some file system treats as the same. */
export function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().normalize("NFC");
}

const maxPathBytes = 1024;

const controlCharacter = once(() => /\p{Cc}/u);

/**
 * Invisible and bidirectional control characters, which make different paths look alike. Emoji and some scripts need
 * joiners and variation selectors: those are allowed after a character that is not ASCII, or in a keycap.
 */
const invisibleCharacter = once(
  () =>
    new RegExp(
      [
        /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        /(?<=^|\p{ASCII})(?:\u200c|\u200d|\ufe0e|\ufe0f(?!\u20e3))/u,
      ]
        .map(({ source }) => source)
        .join("|"),
      "u",
    ),
);

/** Windows gives these names to devices in every folder, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

function findPartProblem(part: string): string | null {
  if (part === "") return "it has an empty part";
  if (part === "..") return `it contains ".."`;
  if (part === ".") return "it contains . as a part";
  if (part.endsWith(".") || part.endsWith(" ")) return "a name in it ends in a dot or a space";
  if (deviceName.test(part)) return `${part} is a device name on Windows`;
  return null;
}

/** The facts of the entries plugin, one list item each. */
export const entriesPath = "memory/entries.md";

/** The long-term memory at the root of the workspace, and the facts of the entries plugin. */
export const privatePaths: readonly string[] = ["MEMORY.md", "memory.md", entriesPath];

/** Consolidation moves lines of private notes here; people may add notes of their own. */
export const privateFolder = "memory/private/";

const privateNames: ReadonlySet<string> = new Set(privatePaths.map(foldName));

/**
 * Private notes and the user's memory are for their owner; every other note may be shown to others. Letter case does
 * not count: where the file system ignores it, `memory/Entries.md` is the same file, and the scope of a note must not
 * depend on the machine.
 */
export function scopeOf(path: string): Scope {
  if (isUserPath(path)) return "private";
  const folded = foldName(path);
  return privateNames.has(folded) || folded.startsWith(foldName(privateFolder)) ? "private" : "shared";
}

/** The curated memory that every session starts with. */
export function isLongTerm(path: string): boolean {
  return path === "MEMORY.md" || path === "memory.md";
}
