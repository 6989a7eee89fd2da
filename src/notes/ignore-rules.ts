import { LonghandError } from "../errors.ts";
import { decodeNote } from "./decode.ts";
import type { Location } from "./locate.ts";
import { createPlainIgnores, isPlainIgnore } from "./plain-ignores.ts";
import { readNote } from "./read.ts";

/** What the user leaves out of the memory, in gitignore syntax on the paths that hits show. */
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
  // Where nothing is taken back, the order does not matter and most patterns can be looked up.
  const isOrdered = patterns.some((pattern) => pattern.startsWith("!"));
  const plain = isOrdered ? [] : patterns.filter(isPlainIgnore);
  const others = isOrdered ? patterns : patterns.filter((pattern) => !isPlainIgnore(pattern));
  refuseTooMany(others.length);
  // Loaded only here: most workspaces leave nothing out.
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
      {
        hint: "Write them as in a .gitignore file.",
        cause: error,
      },
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

/** A file of rules that cannot be read is an error: going on would show what was meant to be left out. */
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
