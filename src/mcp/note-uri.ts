/** Where notes stand for MCP clients: `memory://notes/memory/2026-03-02.md`. */
const prefix = "memory://notes/";

export const noteUriTemplate = `${prefix}{+path}`;

export function uriOfNote(path: string): string {
  return prefix + path.split("/").map(encodeURIComponent).join("/");
}

/** Null for an address that names no note. Whether it may be read is for the memory to say. */
export function pathOfUri(uri: string): string | null {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return null;
  try {
    return uri.slice(prefix.length).split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}
