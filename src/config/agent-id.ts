import path from "node:path";
import { sha256OfShort } from "../text/short-hash.ts";

const MAX_CHARS = 64;
const HASH_CHARS = 6;

export { mainAgentId } from "../text/main-agent.ts";

/** An id names files and folders of the state folder, so it must be safe as such. */
export function isAgentId(text: string): boolean {
  return text.length <= MAX_CHARS && /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(text);
}

/**
 * For a workspace that no configured agent owns: readable by its name, unique by its real path. Index and transcripts
 * are found by it, so the same folder must have the same id in every version.
 */
export function agentIdForFolder(realPath: string): string {
  const name = path
    .basename(realPath)
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, MAX_CHARS - HASH_CHARS - 1);
  return `${name === "" ? "workspace" : name}-${sha256OfShort(realPath).slice(0, HASH_CHARS)}`;
}
