/** Whose memory a note belongs to: the project's, or that of the person who works on it. */
export type MemoryLayer = "project" | "user";

export interface LayerPath {
  readonly layer: MemoryLayer;
  /** Relative to the workspace of its layer. */
  readonly path: string;
}

/** No path of a note has a colon, so a note of the user can never be taken for one of the project. */
const userPrefix = "user:";

/** `user:MEMORY.md`: how every surface names a note of the user's memory. */
export function toUserPath(path: string): string {
  return userPrefix + path;
}

export function isUserPath(path: string): boolean {
  return path.startsWith(userPrefix);
}

export function splitLayer(path: string): LayerPath {
  return isUserPath(path)
    ? { layer: "user", path: path.slice(userPrefix.length) }
    : { layer: "project", path };
}

/** The path without its layer, whose name is no word of the note. */
export function pathInLayer(path: string): string {
  return splitLayer(path).path;
}

/** Whether a path of a hit names a transcript. A folder of notes may be called `sessions`, too. */
export function isTranscriptPath(path: string): boolean {
  return path.startsWith("sessions/") && !path.endsWith(".md");
}
