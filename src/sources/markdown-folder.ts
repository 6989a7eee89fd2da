import type { Note } from "../notes/note.ts";
import { dateOf } from "../notes/note-date.ts";
import { scopeOf } from "../notes/note-scope.ts";
import type { Notes } from "../notes/notes.ts";
import type { Document } from "../text/document.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import type { Source } from "./source.ts";

/** The notes of a workspace as documents. */
export function createNotesSource(notes: Pick<Notes, "scan" | "read">): Source {
  return {
    name: "memory",
    list: (options) => notes.scan(options),
    async read(path) {
      const note = await notes.read(path);
      return note === null ? null : await toDocument(note);
    },
  };
}

/** The date in the file's name goes before the one in the front matter: it is what people see and sort by. */
async function toDocument(note: Note): Promise<Document> {
  const metadata = await parseFrontMatter(note.text);
  const date = dateOf(note.path) ?? metadata?.date;
  return {
    source: "memory",
    ...note,
    ...(date === undefined ? {} : { date }),
    ...(metadata?.title === undefined ? {} : { title: metadata.title }),
    scope: scopeOf(note.path),
  };
}
