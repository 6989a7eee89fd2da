import type { Note } from "../notes/note.ts";
import { dateOf } from "../notes/note-date.ts";
import { scopeOf } from "../notes/note-scope.ts";
import type { Notes } from "../notes/notes.ts";
import type { Document } from "../text/document.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { sha256 } from "../text/hash.ts";
import type { Mask } from "../text/redact.ts";
import type { Source } from "./source.ts";

/**
 * The notes of a workspace as documents, secrets masked: the files stay as they are, but what is derived from them is
 * searched, shown and sent. How they are masked is part of the version, so a key that comes into the configuration
 * later is masked in what was indexed before.
 */
export function createNotesSource(notes: Pick<Notes, "scan" | "read">, mask: Mask): Source {
  const marked = (version: string): string => `${version}:${mask.id}`;
  return {
    name: "memory",
    async list(options) {
      const listing = await notes.scan(options);
      const entries = listing.entries.map(({ path, version, sizeBytes }) => {
        return { path, version: marked(version), sizeBytes };
      });
      return { ...listing, entries };
    },
    async read(path) {
      const note = await notes.read(path);
      if (note === null) return null;
      const text = await mask.applyInSlices(note.text);
      const hash = text === note.text ? note.hash : sha256(text);
      return await toDocument({ ...note, text, hash, version: marked(note.version) });
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
