import type { Notes } from "../notes/notes.ts";
import type { SearchOptions } from "../search/search.ts";
import { splitLayer, toUserPath } from "../text/layer-path.ts";
import { once } from "../text/once.ts";
import type { Memory } from "./memory.ts";
import type { LinkFilter } from "./note-links.ts";
import type { SessionGuard } from "./session-guard.ts";
import type { UserMemory } from "./user-memory.ts";

/** Tags and links of this memory's notes, and of the user's memory. */
interface LayerLinks extends Pick<Memory, "findNote" | "links" | "tags"> {
  findPaths(filter: LinkFilter): Promise<readonly string[]>;
  /** Resolves tag and link filters to paths: tags and links are read from the notes, not from the index. */
  narrow(request: SearchOptions): Promise<SearchOptions>;
}

export function createLayerLinks(
  notes: Notes,
  { isSharedFor, user }: { isSharedFor: SessionGuard; user: UserMemory | undefined },
): LayerLinks {
  // Loaded on first use: hooks that only read or write notes do not need it.
  const noteLinks = once(async () => {
    const { createMemoryLinks } = await import("./note-links.ts");
    return createMemoryLinks(notes, isSharedFor);
  });

  async function findPaths({ linksTo, sessionKey, ...filter }: LinkFilter): Promise<readonly string[]> {
    const { layer, path } = splitLayer(linksTo ?? "");
    const own = { ...filter, ...(linksTo !== undefined && { linksTo: path }) };
    const ours = layer === "user" ? [] : await (await noteLinks()).findPaths({ ...own, sessionKey });
    // Links stay within their layer.
    const isOurs = layer === "project" && linksTo !== undefined;
    if (isOurs || isSharedFor(sessionKey)) return ours;
    const theirs = (await (await user?.get())?.findPaths(own)) ?? [];
    return [...ours, ...theirs.map(toUserPath)];
  }

  async function narrow(request: SearchOptions): Promise<SearchOptions> {
    const { tag, linksTo, ...others } = request;
    if (tag === undefined && linksTo === undefined) return request;
    const { sessionKey, signal } = others;
    const found = await findPaths({ tag, linksTo, sessionKey, signal });
    const { paths } = others;
    return { ...others, paths: paths === undefined ? found : found.filter((path) => paths.includes(path)) };
  }

  return {
    findNote: async (name, request) => (await noteLinks()).findNote(name, request),
    links: async (path, request) => (await noteLinks()).links(path, request),
    tags: async (request) => (await noteLinks()).tags(request),
    findPaths,
    narrow,
  };
}
