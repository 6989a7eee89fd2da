import { LonghandError } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import { findPathProblem } from "../notes/note-path.ts";
import { showOnOneLine } from "../text/visible.ts";

/** A note named as in a wikilink, by file name or alias, has no ending; anything else is a path, right or wrong. */
export async function findNotePath(
  memory: Memory,
  name: string,
  options: { readonly signal: AbortSignal; readonly sessionKey: string | undefined },
): Promise<string> {
  if (name === "" || /\.[a-z]{1,5}$/i.test(name) || /(?:^|\/)\.\.(?:\/|$)|^\//.test(name)) return name;
  const { signal, sessionKey } = options;
  const found = await memory.findNote(name, { signal, ...(sessionKey !== undefined && { sessionKey }) });
  if (found !== null) return found;
  // What could not be a note with the ending either is refused as a path.
  if (findPathProblem(`${name}.md`) !== null) return name;
  throw new LonghandError("note-missing", `No note is called ${showOnOneLine(name)}.`, {
    hint: "Name it by its path, file name or alias. `longhand search` finds notes by what they say.",
  });
}
