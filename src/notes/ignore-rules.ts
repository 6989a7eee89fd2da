import { LonghandError } from "../errors.ts";
import { once } from "../text/once.ts";
import type { Location } from "./locate.ts";
import { decodeNote } from "./note.ts";
import { readNote } from "./read.ts";

/** What the user excludes from the memory: gitignore patterns, matched against the paths that hits show. */
export interface IgnoreRules {
  ignoresFile(path: string): boolean;
  ignoresFolder(path: string): boolean;
}

/** Joins the `exclude` patterns with the `.longhandignore` of a folder; null when nothing is left out. */
export async function loadIgnoreRules(root: string, exclude: readonly string[]): Promise<IgnoreRules | null> {
  const location: Location = { path: fileName, root, relative: fileName, isWritable: false };
  const written = [...exclude, ...(await readPatterns(location))];
  const patterns = written.filter((pattern) => !pattern.startsWith("#"));
  if (patterns.length === 0) return null;
  // Without negations the order does not matter, and most patterns are a lookup.
  const isOrdered = patterns.some((pattern) => pattern.startsWith("!"));
  const plain = isOrdered ? [] : patterns.filter(isPlainIgnore);
  const others = isOrdered ? patterns : patterns.filter((pattern) => !isPlainIgnore(pattern));
  refuseTooMany(others.length);
  // Loaded only here: most workspaces exclude nothing.
  const { default: createIgnore } = await import("ignore");
  try {
    const known = createPlainIgnores(plain);
    const rules = createIgnore({ ignorecase: false }).add(others);
    const ignores = (path: string): boolean => known.ignores(path) || rules.ignores(path);
    return { ignoresFile: ignores, ignoresFolder: (path) => ignores(`${path}/`) };
  } catch (error) {
    throw new LonghandError(
      "config-invalid",
      `The exclude patterns cannot be understood: ${patterns.join(", ")}.`,
      { hint: "Write them as in a .gitignore file.", cause: error },
    );
  }
}

/** Each is tried on every path, so more of them would make every listing slow. */
const maxPatterns = 2000;

function refuseTooMany(count: number): void {
  if (count <= maxPatterns) return;
  throw new LonghandError(
    "config-invalid",
    `There are ${count} exclude patterns with wildcards, or together with a negation (!); at most ${maxPatterns} are allowed.`,
    { hint: `Exclude folders instead of single files in ${fileName} and \`exclude\`.` },
  );
}

const fileName = ".longhandignore";

/** An unreadable rules file is an error: ignoring it would show what was meant to be excluded. */
async function readPatterns(location: Location): Promise<string[]> {
  try {
    const note = await readNote(location, { now: () => new Date(0) });
    return note === null
      ? []
      : decodeNote(note.bytes, fileName)
          .split(/\r?\n/)
          .filter((line) => line.trim() !== "");
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    throw new LonghandError("config-invalid", `The file ${fileName} cannot be used. ${error.message}`, {
      hint: "Make it a plain text file in the workspace, or remove it.",
      cause: error,
    });
  }
}

/** Ignore patterns without wildcards, looked up instead of tried one after the other. */
interface PlainIgnores {
  /** A folder's path ends in `/`. */
  ignores(path: string): boolean;
}

/** No wildcard, escape, comment or negation, and nothing that gitignore would trim or resolve. */
const plain = once(
  () =>
    /^\/?[\p{L}\p{N}_@+,~=&.-][\p{L}\p{N}_@+,~=& .-]*(?:\/[\p{L}\p{N}_@+,~=&.-][\p{L}\p{N}_@+,~=& .-]*)*\/?$/u,
);

export function isPlainIgnore(pattern: string): boolean {
  return plain().test(pattern) && !pattern.endsWith(" ") && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(pattern);
}

/** A name without a slash matches in every folder, a path from the root; a trailing slash matches folders only. */
export function createPlainIgnores(patterns: readonly string[]): PlainIgnores {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const isPath = pattern.slice(0, -1).includes("/");
    (isPath ? paths : names).add(pattern.replace(/^\//, ""));
  }
  const has = (set: ReadonlySet<string>, text: string, isFolder: boolean): boolean =>
    set.has(text) || (isFolder && set.has(`${text}/`));
  return {
    ignores(path) {
      const parts = path.split("/");
      const isFolder = parts.at(-1) === "";
      if (isFolder) parts.pop();
      let from = "";
      return parts.some((part, index) => {
        from = index === 0 ? part : `${from}/${part}`;
        const isFolderHere = isFolder || index < parts.length - 1;
        return has(names, part, isFolderHere) || has(paths, from, isFolderHere);
      });
    },
  };
}
