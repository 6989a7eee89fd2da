import { LonghandError, throwIfAborted } from "../errors.ts";
import { scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import { createLinkGraph, type GraphNote, type LinkGraph, readTags } from "../text/link-graph.ts";
import { readNoteParts } from "../text/note-parts.ts";
import type { Memory } from "./memory.ts";
import type { NoteLinks } from "./note-requests.ts";
import type { SessionGuard } from "./session-guard.ts";

interface MemoryLinks extends Pick<Memory, "findNote" | "links" | "tags"> {
  /** The notes that have all the tags and link to the given note. */
  findPaths(request: LinkFilter): Promise<string[]>;
}

export interface LinkFilter {
  readonly tag?: string | undefined;
  readonly linksTo?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ReadNote extends GraphNote {
  readonly version: string;
}

/** Reading one after the other would wait for the disk thousands of times. */
const notesAtOnce = 32;

/**
 * Tags and links of all notes, read from the files and cached by version. They are not part of the index, so every
 * store filters by them alike, and nothing has to be rebuilt.
 */
export function createMemoryLinks(notes: Notes, isSharedFor: SessionGuard): MemoryLinks {
  let known = new Map<string, ReadNote>();
  let graphs = new Map<"all" | "shared", LinkGraph>();

  /** Null for a note that disappeared after it was listed, or turned out not to be text. */
  async function readNote({ path, version }: Pick<ReadNote, "path" | "version">): Promise<ReadNote | null> {
    const note = await notes.read(path).catch(() => null);
    return note && { path, version, parts: await readNoteParts(note.text) };
  }

  async function readGraph(request: Pick<LinkFilter, "sessionKey" | "signal">): Promise<LinkGraph> {
    const isShared = isSharedFor(request.sessionKey);
    const { entries } = await notes.scan({ signal: request.signal });
    const changed = entries.filter(({ path, version }) => known.get(path)?.version !== version);
    if (changed.length > 0 || entries.length !== known.size) {
      const read = new Map<string, ReadNote>();
      for (let start = 0; start < changed.length; start += notesAtOnce) {
        throwIfAborted(request.signal);
        const some = await Promise.all(changed.slice(start, start + notesAtOnce).map(readNote));
        for (const note of some) if (note !== null) read.set(note.path, note);
      }
      const kept = entries.map(({ path, version }) => {
        const before = known.get(path);
        return before?.version === version ? before : read.get(path);
      });
      known = new Map(kept.filter((note) => note !== undefined).map((note) => [note.path, note]));
      graphs = new Map();
    }
    const kind = isShared ? "shared" : "all";
    const visible = [...known.values()].filter(({ path }) => !isShared || scopeOf(path) !== "private");
    const graph = graphs.get(kind) ?? createLinkGraph(visible);
    graphs.set(kind, graph);
    return graph;
  }

  return {
    async findNote(name, options = {}) {
      throwIfAborted(options.signal);
      return (await readGraph(options)).find(name);
    },
    async links(asked, options = {}): Promise<NoteLinks> {
      throwIfAborted(options.signal);
      // Rejects paths that are not notes, or not for this session.
      const note = await notes.readWhole({ path: asked, sharedOnly: isSharedFor(options.sessionKey) });
      const path = note?.path ?? asked;
      const graph = await readGraph(options);
      const parts = known.get(path)?.parts;
      const links = graph
        .outgoing(path)
        .map(({ isEmbed, ...link }) => (isEmbed ? { ...link, isEmbed } : link));
      return {
        path,
        ...(note === null && { missing: true as const }),
        tags: parts?.tags ?? [],
        aliases: parts?.aliases ?? [],
        links,
        broken: links.filter((link) => link.path === undefined),
        backlinks: graph.backlinks(path),
      };
    },
    async tags(options = {}) {
      return (await readGraph(options)).tags();
    },
    async findPaths({ tag, linksTo, ...options }) {
      const tags = tag === undefined ? null : readTags(tag);
      if (tags?.length === 0) throw refuseTag(tag!);
      const graph = await readGraph(options);
      const tagged = tags && graph.tagged(tags);
      const linking =
        linksTo === undefined ? null : new Set(graph.backlinks(linksTo).map(({ path }) => path));
      const [some, ...others] = [tagged, linking].filter((each) => each !== null);
      return [...(some ?? [])].filter((path) => others.every((each) => each.has(path))).sort();
    },
  };
}

function refuseTag(tag: string): LonghandError {
  return new LonghandError(
    "query-invalid",
    `Could not search the tag ${JSON.stringify(tag.slice(0, 60))}: it has no letter.`,
    { hint: "Write it as in the notes, such as project/apollo; separate several by commas." },
  );
}
