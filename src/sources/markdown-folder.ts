import { scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
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
      const metadata = await parseFrontMatter(text);
      // The date in the file's name goes first: it is what people see and sort by.
      const date = daily.dateOf(path) ?? metadata?.date;
      return {
        source: "memory",
        path,
        version: [note.version, ...marks].join(":"),
        text,
        // The same content is another document where another pattern gives it another day.
        hash: daily.id === "" ? hash : sha256(`${hash}:${date}`),
        sizeBytes: note.sizeBytes,
        modifiedAt: note.modifiedAt,
        scope: scopeOf(path),
        ...(date !== undefined && { date }),
        ...(metadata?.title !== undefined && { title: metadata.title }),
      };
    },
  };
}
