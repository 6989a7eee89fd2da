import { LonghandError } from "../errors.ts";
import { decodeNote } from "./decode.ts";
import type { Location } from "./locate.ts";
import { readNote } from "./read.ts";

/** What the user leaves out of the memory, in gitignore syntax on the paths that hits show. */
export interface IgnoreRules {
  ignoresFile(path: string): boolean;
  ignoresFolder(path: string): boolean;
}

/** Joins the `exclude` patterns with the `.longhandignore` of a folder; null when nothing is left out. */
export async function loadIgnoreRules(root: string, exclude: readonly string[]): Promise<IgnoreRules | null> {
  const location: Location = { path: fileName, root, relative: fileName, isWritable: false };
  const patterns = [...exclude, ...(await readPatterns(location))];
  if (patterns.length === 0) return null;
  // Loaded only here: most workspaces leave nothing out.
  const { default: createIgnore } = await import("ignore");
  try {
    const rules = createIgnore({ ignorecase: false }).add(patterns);
    return {
      ignoresFile: (path) => rules.ignores(path),
      ignoresFolder: (path) => rules.ignores(`${path}/`),
    };
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
