import { discoverNotes } from "./discover.ts";
import { findLocation, refusePath } from "./locate.ts";
import { toNote } from "./note.ts";
import { findPathProblem } from "./note-path.ts";
import type { Notes } from "./notes.ts";
import { type Place, resolveWorkspace } from "./places.ts";
import { readNote } from "./read.ts";

/** Every `.md` file below one folder, which need not be laid out like a workspace. Read only. */
export function openFolderNotes(
  folder: string,
  { now = () => new Date() }: { now?: () => Date } = {},
): Pick<Notes, "scan" | "read"> {
  const placeOf = (): Place => {
    const root = resolveWorkspace(folder);
    return { kind: "folder", root, start: "", shown: "", isWritable: false };
  };
  return {
    scan: async ({ signal } = {}) => discoverNotes({ places: [placeOf()], rules: null, signal }),
    async read(path) {
      const problem = findPathProblem(path);
      if (problem !== null) throw refusePath(path, problem);
      const location = findLocation([placeOf()], path);
      if (location === null) throw refusePath(path, "hidden files and node_modules are never read");
      const note = await readNote(location, { now });
      return note === null ? null : toNote(path, note);
    },
  };
}
