/** Whose memory a note belongs to: the project's or the user's. */
export type MemoryLayer = "project" | "user";

interface LayerPath {
  readonly layer: MemoryLayer;
  /** Relative to the workspace of its layer. */
  readonly path: string;
}

/** No path of a note contains a colon, so a note of the user cannot be mistaken for one of the project. */
const userPrefix = "user:";

/** `user:MEMORY.md`: how every surface names a note of the user's memory. */
export function toUserPath(path: string): string {
  return userPrefix + path;
}

/** The same of the user's memory, with its path as every surface names it. What has no path stays as it is. */
export function inUserLayer<T extends { readonly path?: string | undefined }>(each: T): T {
  return each.path === undefined ? each : { ...each, path: toUserPath(each.path) };
}

export function isUserPath(path: string): boolean {
  return path.startsWith(userPrefix);
}

export function splitLayer(path: string): LayerPath {
  return isUserPath(path)
    ? { layer: "user", path: path.slice(userPrefix.length) }
    : { layer: "project", path };
}

/** The path without its layer, which is not a word of the note. */
export function pathInLayer(path: string): string {
  return splitLayer(path).path;
}

/** Whether the path of a hit names a transcript. A folder of notes may also be called `sessions`. */
export function isTranscriptPath(path: string): boolean {
  return path.startsWith("sessions/") && !path.endsWith(".md");
}
