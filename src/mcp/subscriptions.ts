export interface Subscriptions {
  /** False if the limit is reached. */
  add(uri: string): boolean;
  remove(uri: string): void;
  /** The URI under which a client subscribed to this note, or null. */
  addressOf(path: string): string | null;
}

/** More than a client can show; it also bounds memory use. */
const maxSubscriptions = 1000;

/**
 * The notes that one client subscribed to. A URI can be written in several ways; notifications use the client's
 * spelling.
 */
export function createSubscriptions(): Subscriptions {
  const byNote = new Map<string, string>();
  const noteOf = (uri: string): string => uriOfNote(pathOfUri(uri) ?? uri);
  return {
    add(uri) {
      const note = noteOf(uri);
      if (byNote.size >= maxSubscriptions && !byNote.has(note)) return false;
      byNote.set(note, uri);
      return true;
    },
    remove: (uri) => void byNote.delete(noteOf(uri)),
    addressOf: (path) => byNote.get(uriOfNote(path)) ?? null,
  };
}

/** The URI of a note for MCP clients: `memory://notes/memory/2026-03-02.md`. */
const prefix = "memory://notes/";

export const noteUriTemplate = `${prefix}{+path}`;

export function uriOfNote(path: string): string {
  return prefix + path.split("/").map(encodeURIComponent).join("/");
}

/** Null for a URI that does not name a note. The memory decides whether it may be read. */
export function pathOfUri(uri: string): string | null {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return null;
  try {
    return uri.slice(prefix.length).split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}
