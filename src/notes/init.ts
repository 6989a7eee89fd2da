import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { makeFolder } from "../files.ts";

/**
 * Makes a folder a workspace: MEMORY.md and memory/. Returns what was created, relative to the folder; existing files
 * stay as they are. MEMORY.md starts with only a title, because every sentence in it would turn up in searches.
 */
export async function initWorkspace(dir: string): Promise<string[]> {
  const created: string[] = [];
  try {
    makeFolder(dir);
    // memory.md counts as the long-term note where MEMORY.md is absent; a second one would hide it.
    const isHidden = (await readdir(dir)).includes("memory.md");
    if (!isHidden && (await createFile(join(dir, "MEMORY.md")))) created.push("MEMORY.md");
    if (makeFolder(join(dir, "memory"))) created.push("memory/");
  } catch (error) {
    throw await explain(error, dir);
  }
  return created;
}

/** False when the name is taken. */
async function createFile(path: string): Promise<boolean> {
  try {
    await writeFile(path, "# Memory\n", { flag: "wx" });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function explain(error: unknown, dir: string): Promise<unknown> {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  if (code === "EEXIST" || code === "ENOTDIR") {
    const isFolder = await stat(dir).then(
      (found) => found.isDirectory(),
      () => false,
    );
    const place = isFolder ? join(dir, "memory") : dir;
    return new LonghandError("workspace-missing", `${place} cannot be a folder: something else is there.`, {
      hint: "Choose another folder, or move what is in its place.",
      cause: error,
    });
  }
  return new LonghandError(
    "note-unwritable",
    `A memory could not be created in ${dir}: ${(error as Error).message}`,
    { hint: "Choose a folder that you may write to.", cause: error },
  );
}
