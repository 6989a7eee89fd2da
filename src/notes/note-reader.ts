import { locateListed } from "./locate.ts";
import { type Note, toNote } from "./note.ts";
import { ownPlaces, type Place, type Workspace } from "./note-places.ts";
import { readNote } from "./read.ts";

/** Reads notes that a scan has listed; null when nothing is there any more. */
export type NoteReader = (path: string) => Promise<Note | null>;

export function createNoteReader(workspace: Workspace, { now }: { now: () => Date }): NoteReader {
  let recent: { readonly places: readonly Place[]; readonly sinceMs: number } | undefined;

  /**
   * Many notes are read one after the other, and looking up the workspace takes as long as reading one. Should it move
   * within a moment, the guard still refuses all that does not lie in the folder that was found.
   */
  function recentPlaces(): readonly Place[] {
    const nowMs = performance.now();
    if (recent === undefined || nowMs - recent.sinceMs > recentMs) {
      recent = { places: ownPlaces(workspace), sinceMs: nowMs };
    }
    return recent.places;
  }

  return async (path) => {
    const note = await readNote(locateListed(workspace, path, recentPlaces()), { now });
    return note === null ? null : toNote(path, note);
  };
}

const recentMs = 50;
