import type { Note } from "../notes/note.ts";
import { dateOf } from "../notes/note-date.ts";
import { scopeOf } from "../notes/note-scope.ts";
import type { Notes } from "../notes/notes.ts";
import type { Document } from "../text/document.ts";
import type { Source } from "./source.ts";

/** The notes of a workspace as documents. */
export function createNotesSource(notes: Pick<Notes, "scan" | "read">): Source {
  return {
    name: "memory",
    list: (options) => notes.scan(options),
    async read(path) {
      const note = await notes.read(path);
      return note === null ? null : toDocument(note);
    },
  };
}

function toDocument(note: Note): Document {
  const date = dateOf(note.path);
  return { source: "memory", ...note, ...(date === null ? {} : { date }), scope: scopeOf(note.path) };
}
