import { openFolderNotes } from "../notes/folder-notes.ts";
import type { Note } from "../notes/note.ts";
import { dateOf } from "../notes/note-date.ts";
import { scopeOf } from "../notes/note-scope.ts";
import type { Notes } from "../notes/notes.ts";
import type { Document, Scope } from "../text/document.ts";
import type { Source } from "./source.ts";

/** The notes of a workspace as documents. */
export function createNotesSource(notes: Pick<Notes, "scan" | "read">): Source {
  return createSource(notes, scopeOf);
}

/** Every `.md` file below a folder that is no workspace, such as a question set; paths are relative to it. */
export function createFolderSource(folder: string, options?: { now?: () => Date }): Source {
  return createSource(openFolderNotes(folder, options), () => "shared");
}

function createSource(notes: Pick<Notes, "scan" | "read">, scopeOfNote: (path: string) => Scope): Source {
  return {
    name: "memory",
    list: (options) => notes.scan(options),
    async read(path) {
      const note = await notes.read(path);
      return note === null ? null : toDocument(note, scopeOfNote(path));
    },
  };
}

function toDocument(note: Note, scope: Scope): Document {
  const date = dateOf(note.path);
  return { source: "memory", ...note, ...(date === null ? {} : { date }), scope };
}
