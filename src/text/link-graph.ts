import type { NoteLink, NoteParts } from "./note-parts.ts";
import { once } from "./once.ts";

export interface GraphNote {
  readonly path: string;
  readonly parts: NoteParts;
}

/** A link, and the note that it leads to. */
interface ResolvedLink extends NoteLink {
  /** Absent if there is no such note. */
  readonly path?: string;
}

export interface Backlink {
  /** The note that links here, and on which line. */
  readonly path: string;
  readonly line: number;
  readonly heading?: string;
  readonly title?: string;
}

/** Which notes link to which, and which carry a tag. */
export interface LinkGraph {
  /** The note that a link with this name leads to: a path, a file name or an alias. Null if there is none. */
  find(name: string): string | null;
  outgoing(path: string): readonly ResolvedLink[];
  backlinks(path: string): readonly Backlink[];
  /** Notes with all of these tags; `a` also means `a/b`. Case does not matter. */
  tagged(tags: readonly string[]): ReadonlySet<string>;
  /** Every tag in its most frequent spelling, with the number of its notes, in alphabetical order. */
  tags(): readonly { readonly tag: string; readonly notes: number }[];
}

export function createLinkGraph(notes: readonly GraphNote[]): LinkGraph {
  const byPath = new Map(notes.map((note) => [note.path, note]));
  const names = once(() => nameTable(notes));
  // Searching by tag needs no links, and resolving those of thousands of notes takes longer than the search.
  const edges = once(() => resolveLinks(notes, names()));

  return {
    find: (name) => resolveLink("", name, names()),
    outgoing: (path) => edges().outgoing.get(path) ?? [],
    backlinks(path) {
      const { outgoing, backlinks } = edges();
      if (byPath.has(path)) return backlinks.get(path) ?? [];
      // A note that does not exist yet or was deleted: the notes that link to it.
      const wanted = nameTable([{ path, parts: { aliases: [], tags: [], links: [] } }]);
      return [...outgoing].flatMap(([from, links]) =>
        links
          .filter((link) => link.path === undefined && resolveLink(from, link.target, wanted) !== null)
          .map((link) => backlinkOf(from, link)),
      );
    },
    tagged(tags) {
      const wanted = tags.map(foldName);
      const found = notes.filter(({ parts }) => {
        const own = parts.tags.map(foldName);
        return wanted.every((tag) => own.some((each) => each === tag || each.startsWith(`${tag}/`)));
      });
      return new Set(found.map(({ path }) => path));
    },
    tags() {
      const spellings = new Map<string, Map<string, number>>();
      for (const { parts } of notes) {
        for (const tag of new Map(parts.tags.map((each) => [foldName(each), each])).values()) {
          const counts = spellings.get(foldName(tag)) ?? new Map<string, number>();
          spellings.set(foldName(tag), counts.set(tag, (counts.get(tag) ?? 0) + 1));
        }
      }
      return [...spellings]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, counts]) => {
          const [[tag] = [""]] = [...counts].sort((left, right) => right[1] - left[1]);
          return { tag, notes: [...counts.values()].reduce((sum, count) => sum + count, 0) };
        });
    },
  };
}

interface Edges {
  readonly outgoing: ReadonlyMap<string, readonly ResolvedLink[]>;
  readonly backlinks: ReadonlyMap<string, readonly Backlink[]>;
}

function resolveLinks(notes: readonly GraphNote[], names: NameTable): Edges {
  const backlinks = new Map<string, Backlink[]>();
  const outgoing = new Map<string, ResolvedLink[]>();
  for (const { path, parts } of notes) {
    const links = parts.links.flatMap((link): ResolvedLink[] => {
      // A link to a heading of the same note.
      if (link.target === "") return [];
      const target = resolveLink(path, link.target, names);
      if (target === null) return isAttachment(link.target) ? [] : [link];
      if (target !== path) {
        const known = backlinks.get(target) ?? [];
        known.push(backlinkOf(path, link));
        backlinks.set(target, known);
      }
      return [{ ...link, path: target }];
    });
    outgoing.set(path, links);
  }
  return { outgoing, backlinks };
}

function backlinkOf(path: string, { line, heading, title }: NoteLink): Backlink {
  return { path, line, ...(heading && { heading }), ...(title && { title }) };
}

/** Notes by path, file name and alias. If several match, the one nearest to the root wins. */
type NameTable = ReadonlyMap<string, string>;

function nameTable(notes: readonly GraphNote[]): NameTable {
  const table = new Map<string, string>();
  const add = (name: string, path: string): void => {
    const key = foldName(name);
    if (key !== "" && !table.has(key)) table.set(key, path);
  };
  const sorted = notes.toSorted(
    (left, right) => depthOf(left.path) - depthOf(right.path) || (left.path < right.path ? -1 : 1),
  );
  // A path takes precedence over a name, and a name over an alias.
  for (const { path } of sorted) add(`/${withoutEnding(path)}`, path);
  for (const { path } of sorted) add(withoutEnding(path.slice(path.lastIndexOf("/") + 1)), path);
  for (const { path, parts } of sorted) for (const alias of parts.aliases) add(alias, path);
  return table;
}

function resolveLink(from: string, target: string, names: NameTable): string | null {
  const bare = withoutEnding(target);
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  const tries = [
    joinPath(folder, bare),
    joinPath("", bare),
    joinPath("memory/", bare),
    ...(bare.includes("/") ? [] : [bare]),
  ];
  for (const each of tries) {
    const found = each === null ? undefined : names.get(foldName(each));
    if (found !== undefined) return found;
  }
  // Vaults often refer to notes by the end of their path.
  const end = foldName(`/${bare.replace(/^\.?\//, "")}`);
  if (!bare.includes("/") || bare.includes("..")) return null;
  for (const [name, path] of names) if (name.startsWith("/") && name.endsWith(end)) return path;
  return null;
}

/** Null for a path that leaves the memory. */
function joinPath(folder: string, target: string): string | null {
  const parts: string[] = [];
  for (const part of (target.startsWith("/") ? target : folder + target).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function withoutEnding(path: string): string {
  return path.replace(/\.md$/i, "");
}

/** `![[photo.png]]`, `[[plan.pdf]]`. */
function isAttachment(target: string): boolean {
  return /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|mp[34]|m4a|wav|ogg|mov|webm|csv|xlsx?|docx?|zip|canvas|excalidraw|base)$/i.test(
    target,
  );
}

function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase().trim();
}

/** `a, #b c` as `["a", "b", "c"]`: tags given as one text. */
export function readTags(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((tag) => tag.replace(/^#+/, "").replace(/\/+$/, ""))
    .filter((tag) => tag !== "");
}
