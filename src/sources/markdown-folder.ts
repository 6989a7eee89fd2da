import type { DailyPattern } from "../notes/daily-pattern.ts";
import type { Note } from "../notes/note.ts";
import { scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import type { Document } from "../text/document.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { sha256 } from "../text/hash.ts";
import type { Mask } from "../text/mask.ts";
import type { Source } from "./source.ts";

/**
 * The notes of a workspace as documents, secrets masked: the files stay as they are, but what is derived from them is
 * searched, shown and sent. How they are masked is part of the version, so a key that comes into the configuration
 * later is masked in what was indexed before.
 */
export function createNotesSource(notes: Pick<Notes, "scan" | "read" | "daily">, mask: Mask): Source {
  const { daily } = notes;
  const marks = [mask.id, daily.id].filter(Boolean);
  return {
    specificationVersion: 1,
    name: "memory",
    list: (options) => notes.scan({ ...options, marks }),
    async read(path) {
      const note = await notes.read(path);
      if (note === null) return null;
      const text = await mask.apply(note.text);
      const hash = text === note.text ? note.hash : sha256(text);
      return await toDocument({ ...note, text, hash, version: [note.version, ...marks].join(":") }, daily);
    },
  };
}

/** The date in the file's name goes before the one in the front matter: it is what people see and sort by. */
async function toDocument(note: Note, daily: DailyPattern): Promise<Document> {
  const metadata = await parseFrontMatter(note.text);
  const date = daily.dateOf(note.path) ?? metadata?.date;
  return {
    source: "memory",
    ...note,
    // The same content is another document where another pattern gives it another day.
    hash: daily.id === "" ? note.hash : sha256(`${note.hash}:${date}`),
    ...(date === undefined ? {} : { date }),
    ...(metadata?.title === undefined ? {} : { title: metadata.title }),
    scope: scopeOf(note.path),
  };
}
