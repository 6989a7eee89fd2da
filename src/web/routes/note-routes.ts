import { LonghandError } from "../../errors.ts";
import type { ListedNote } from "../../memory/note-requests.ts";
import type { DocumentSummary } from "../../stores/store.ts";
import { titleOfNote } from "../../text/note-parts.ts";
import { addOutputSchema } from "../../tools/add-tool.ts";
import { inputOf } from "../../tools/tool.ts";
import { type ApiContext, defineRoute, errorStatus } from "../api-route.ts";
import {
  editedSchema,
  noteLinksSchema,
  noteSourceSchema,
  notesSchema,
  tagsSchema,
  timelineSchema,
  usageSchema,
} from "../output-schemas.ts";
import { timelineOf } from "../timeline.ts";

const path = {
  type: "string",
  minLength: 1,
  description: "The note, such as memory/2026-03-02.md.",
} as const;

export const noteRoutes = [
  defineRoute({
    method: "GET",
    path: "/api/notes",
    summary: "List the notes",
    details:
      "All notes on disk in order of their paths, indexed or not. Send the `ETag` back as `If-None-Match`.",
    input: inputOf({
      latest: {
        type: "integer",
        minimum: 1,
        maximum: 2000,
        description: "Only this many notes, newest first, with their titles.",
      },
    }),
    output: {
      schema: notesSchema,
      description:
        "`{notes: [{path, date?, version, sizeBytes, modifiedAt, scope, layer?, chunks?, title?}], degraded}`; `chunks` is absent " +
        "while a note is not indexed.",
    },
    isTagged: true,
    async run({ memory }, { latest }, { signal }) {
      const [all, { documents, degraded }] = await Promise.all([
        memory.listNotes({ signal }),
        readIndexed(memory),
      ]);
      const notes = latest === undefined ? all : newestFirst(all).slice(0, latest);
      const chunks = new Map(
        documents.filter(({ source }) => source === "memory").map((each) => [each.path, each.chunks]),
      );
      const titles = latest === undefined ? new Map<string, string>() : await readTitles(memory, notes);
      return {
        notes: notes.map((note): ListedNote & { readonly chunks?: number; readonly title?: string } => {
          const [count, title] = [chunks.get(note.path), titles.get(note.path)];
          return {
            ...note,
            ...(count === undefined ? {} : { chunks: count }),
            ...(title === undefined ? {} : { title }),
          };
        }),
        degraded,
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/notes/source",
    summary: "Read a whole note, to edit it",
    details: "The text on disk, without masking. `hash` is what an edit has to send back.",
    input: inputOf({ path }, ["path"]),
    output: {
      schema: noteSourceSchema,
      description:
        "`{path, text, hash, sizeBytes, modifiedAt, readOnly?}`; `readOnly` says why it cannot be edited.",
    },
    async run({ memory }, input, { signal }) {
      const note = await memory.readNote({ ...input, signal });
      if (note === null) throw refuseMissing(input.path);
      return note;
    },
  }),
  defineRoute({
    method: "PUT",
    path: "/api/notes/source",
    summary: "Replace the text of a note",
    details:
      "Only if the note has not changed since it was read. Otherwise the answer is 409 " +
      "with the code `note-changed`, and `present` beside the error is the note as it is now, or null when it is gone.",
    input: inputOf(
      {
        path,
        text: { type: "string", description: "The whole new text." },
        expectedHash: { type: "string", minLength: 1, description: "The `hash` that was read." },
      },
      ["path", "text", "expectedHash"],
    ),
    output: {
      schema: editedSchema,
      description: "`{path, before, hash, indexed}`: the hash before and now.",
    },
    changesNotes: true,
    async run({ memory, events }, input, { signal }) {
      try {
        const edited = await memory.editNote(input);
        events.publish({ kind: "changed", data: { paths: [edited.path], isListChanged: false } });
        return edited;
      } catch (error) {
        if (!(error instanceof LonghandError) || error.code !== "note-changed") throw error;
        const present = await memory.readNote({ path: input.path, signal });
        return Response.json({ error, present }, { status: errorStatus[error.code] });
      }
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/add",
    summary: "Write something down",
    details: "Appended durably; text that is already there is not written again.",
    input: inputOf(
      {
        text: { type: "string", minLength: 1, description: "What to remember, in Markdown." },
        to: { type: "string", description: "daily (default), long-term, or the path of a note." },
        scope: {
          type: "string",
          enum: ["project", "user"],
          description: "user: the memory of the person, which every project searches.",
        },
        heading: {
          type: "string",
          description: "Put it at the end of this section, which is created if missing.",
        },
        force: {
          type: "boolean",
          description: "Write it even if an existing line says the same in other words.",
        },
      },
      ["text"],
    ),
    output: { description: "Where it is, as `longhand add --json` prints it.", schema: addOutputSchema },
    changesNotes: true,
    async run({ memory, events }, { text, ...entry }) {
      const added = await memory.add(text, entry);
      // It may be the first note of its day.
      if (!added.duplicate) {
        events.publish({ kind: "changed", data: { paths: [added.path], isListChanged: true } });
      }
      return added;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/timeline",
    summary: "Count notes, transcripts and chunks over time",
    input: inputOf({
      by: {
        type: "string",
        enum: ["day", "month"],
        description: "Group by day (default) or month.",
      },
    }),
    output: {
      schema: timelineSchema,
      description:
        "`{by, points: [{date, notes, sessions, chunks}], undated: {notes, sessions, chunks}, degraded}`, the oldest " +
        "first; what is indexed, by the day that it is about.",
    },
    isTagged: true,
    async run({ memory }, { by = "day" }) {
      const { documents, degraded } = await readIndexed(memory);
      return { ...timelineOf(documents, by), degraded };
    },
  }),
];

function newestFirst(notes: readonly ListedNote[]): ListedNote[] {
  return [...notes].sort((left, right) => (left.modifiedAt < right.modifiedAt ? 1 : -1));
}

/** Notes can be listed even if the index cannot be opened; the response then says so. */
async function readIndexed(
  memory: ApiContext["memory"],
): Promise<{ documents: readonly DocumentSummary[]; degraded: readonly string[] }> {
  try {
    const documents = await memory.listIndexed();
    return documents === null
      ? { documents: [], degraded: ["this store does not list its contents"] }
      : { documents, degraded: [] };
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return { documents: [], degraded: [error.message] };
  }
}

function refuseMissing(name: string): LonghandError {
  return new LonghandError("note-missing", `There is no note ${JSON.stringify(name.slice(0, 200))}.`, {
    hint: "GET /api/notes lists what there is.",
  });
}

export const linkRoutes = [
  defineRoute({
    method: "GET",
    path: "/api/links",
    summary: "Show the links from and to a note",
    details:
      "Links are wikilinks and Markdown links to notes. A note that does not exist can have backlinks.",
    input: inputOf({ path: { type: "string", minLength: 1, description: "The note's path." } }, ["path"]),
    output: {
      schema: noteLinksSchema,
      description: "As `longhand links --json` prints it.",
    },
    run: ({ memory }, { path }, { signal }) => memory.links(path, { signal }),
  }),
  defineRoute({
    method: "GET",
    path: "/api/tags",
    summary: "List the tags",
    input: inputOf({}),
    output: { schema: tagsSchema, description: "`{tags: [{tag, notes}]}` in alphabetical order." },
    isTagged: true,
    run: async ({ memory }, _input, { signal }) => ({ tags: await memory.tags({ signal }) }),
  }),
  defineRoute({
    method: "GET",
    path: "/api/usage",
    summary: "Show which lines were recalled, and which never were",
    input: inputOf({ path: { type: "string", description: "Only this note." } }),
    output: { schema: usageSchema, description: "As `longhand usage --json` prints it." },
    run: ({ memory }, input, { signal }) => memory.usage({ ...input, signal }),
  }),
];

/** Larger notes are listed by file name: reading a large file only for its first line would be noticeable. */
const maxTitledBytes = 1_000_000;

/** Titles by path, for each memory. The palette of the page asks for many titles each time it opens. */
const knownTitles = new WeakMap<
  ApiContext["memory"],
  Map<string, { readonly version: string; readonly title: string | null }>
>();

async function readTitles(
  memory: ApiContext["memory"],
  notes: readonly ListedNote[],
): Promise<ReadonlyMap<string, string>> {
  const known = knownTitles.get(memory) ?? new Map();
  knownTitles.set(memory, known);
  const titles = new Map<string, string>();
  for (const { path, version, sizeBytes } of notes) {
    if (sizeBytes > maxTitledBytes) continue;
    if (known.get(path)?.version !== version) {
      // A note that cannot be read is still listed.
      const note = await memory.readNote({ path }).catch(() => null);
      known.set(path, { version, title: note === null ? null : await titleOfNote(note.text) });
    }
    const title = known.get(path)!.title;
    if (title !== null) titles.set(path, title);
  }
  return titles;
}
