import { LonghandError } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { ListNotesRequest } from "../memory/note-requests.ts";
import { findPathProblem } from "../notes/note-path.ts";
import { showOnOneLine } from "../text/visible.ts";

/**
 * Finds a note by path, or as a wikilink does, by file name, the end of a path or an alias. A name with an extension is
 * first tried as a path.
 */
export async function findNotePath(memory: Memory, name: string, caller: ListNotesRequest): Promise<string> {
  if (name === "" || /(?:^|\/)\.\.(?:\/|$)|^\//.test(name)) return name;
  const isFileName = /\.[a-z]{1,5}$/i.test(name);
  const isPath = name.startsWith("memory/");
  if (isFileName && (isPath || (await hasLines(memory, name, caller)))) return name;
  const found = await memory.findNote(name, caller);
  if (found !== null || isFileName) return found ?? name;
  // A name that would not be a note with the extension either is refused as a path.
  if (findPathProblem(`${name}.md`) !== null) return name;
  throw new LonghandError("note-missing", `No note is called ${showOnOneLine(name)}.`, {
    hint: "Name it by its path, file name or alias. `longhand search` finds notes by what they say.",
  });
}

async function hasLines(memory: Memory, relPath: string, caller: ListNotesRequest): Promise<boolean> {
  try {
    return (await memory.readFile({ relPath, lines: 1, ...caller })).totalLines > 0;
  } catch (error) {
    if (error instanceof LonghandError && error.code === "path-outside-memory") return false;
    throw error;
  }
}
