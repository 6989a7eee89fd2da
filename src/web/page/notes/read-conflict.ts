import type { NoteSource } from "../api.ts";
import type { ApiFailure } from "../api-failure.ts";

/** The note as it stands now, when that is why it could not be saved; null for every other failure. */
export function readConflict({ status, code, answer }: ApiFailure, path: string): NoteSource | null {
  if (status !== 409 || code !== "note-changed") return null;
  const { present } = answer as { present?: { text?: unknown; hash?: unknown } | null };
  const { text, hash } = present ?? {};
  return typeof text === "string" && typeof hash === "string" ? { path, text, hash } : null;
}
