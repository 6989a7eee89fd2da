import path from "node:path";
import { sha256OfShort } from "../text/hash.ts";
import type { Repository } from "./repository.ts";

const MAX_CHARS = 64;
const HASH_CHARS = 6;
const PROJECT_HASH_CHARS = 10;

export { mainAgentId } from "../text/session-key.ts";

/** Completes sentences such as "must be …". */
export const agentIdRule: string = `at most ${MAX_CHARS} letters, digits, dots, underscores and hyphens, not starting with a dot`;

/** An id names files and folders of the state folder, so it has to be safe as a file name. */
export function isAgentId(text: string): boolean {
  return text.length <= MAX_CHARS && /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(text);
}

/**
 * For a workspace that no configured agent owns: readable by its name, unique by its real path. Index and transcripts
 * are found by it, so the same folder must get the same id in every version.
 */
export function agentIdForFolder(realPath: string): string {
  return nameWithHash(path.basename(realPath), realPath, HASH_CHARS);
}

/**
 * For all clones and worktrees of a repository, on every machine; for a folder inside it, the id of that folder. It is
 * longer, because many people may share a database.
 */
export function projectIdFor({ key, name, inside }: Repository): string {
  return nameWithHash(inside === "" ? name : path.basename(inside), `${key}\n${inside}`, PROJECT_HASH_CHARS);
}

function nameWithHash(name: string, hashed: string, hashChars: number): string {
  const readable = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, MAX_CHARS - hashChars - 1);
  return `${readable === "" ? "workspace" : readable}-${sha256OfShort(hashed).slice(0, hashChars)}`;
}
