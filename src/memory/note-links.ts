import { LonghandError, throwIfAborted } from "../errors.ts";
import { scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import { createLinkGraph, type GraphNote, type LinkGraph, readTags } from "../text/link-graph.ts";
import { readNoteParts } from "../text/note-parts.ts";
import type { Memory, NoteLinks } from "./memory.ts";
import type { SessionGuard } from "./session-guard.ts";

export interface MemoryLinks extends Pick<Memory, "links" | "tags"> {
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

/**
 * Tags and links of all notes, read from the files and cached by version. They are not part of the index, so every
 * store filters by them alike, and nothing has to be rebuilt.
 */
export function createMemoryLinks(notes: Notes, isSharedFor: SessionGuard): MemoryLinks {
  let known = new Map<string, ReadNote>();
  let graphs = new Map<"all" | "shared", LinkGraph>();

  async function readGraph(request: Pick<LinkFilter, "sessionKey" | "signal">): Promise<LinkGraph> {
    const isShared = isSharedFor(request.sessionKey);
    const { entries } = await notes.scan({ signal: request.signal });
    const next = new Map<string, ReadNote>();
    let isChanged = entries.length !== known.size;
    for (const { path, version } of entries) {
      const before = known.get(path);
      if (before?.version === version) {
        next.set(path, before);
        continue;
      }
      throwIfAborted(request.signal);
      isChanged = true;
      const note = await notes.read(path).catch(() => null);
      // A note may disappear after it is listed, or turn out not to be text.
      if (note !== null) next.set(path, { path, version, parts: await readNoteParts(note.text) });
    }
    if (isChanged) {
      known = next;
      graphs = new Map();
    }
    const kind = isShared ? "shared" : "all";
    const visible = [...known.values()].filter(({ path }) => !isShared || scopeOf(path) !== "private");
    const graph = graphs.get(kind) ?? createLinkGraph(visible);
    graphs.set(kind, graph);
    return graph;
  }

  return {
    async links(path, options = {}): Promise<NoteLinks> {
      throwIfAborted(options.signal);
      // Rejects paths that are not notes, or not for this session.
      await notes.readWhole({ path, sharedOnly: isSharedFor(options.sessionKey) });
      const graph = await readGraph(options);
      const parts = known.get(path)?.parts;
      const links = graph
        .outgoing(path)
        .map(({ isEmbed, ...link }) => (isEmbed ? { ...link, isEmbed } : link));
      return {
        path,
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
    {
      hint: "Write it as in the notes, such as project/apollo; separate several by commas.",
    },
  );
}
