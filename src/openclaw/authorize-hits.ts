import { scopeOf } from "../notes/note-path.ts";
import type { SourceName } from "../text/document.ts";
import { isSessionOf, isSharedSession } from "../text/session-key.ts";

export interface Requester {
  /** The agent whose memory was searched. */
  readonly agentId: string;
  readonly sessionKey: string | undefined;
  readonly sandboxed: boolean;
  /** OpenClaw's `tools.sessions.visibility`. */
  readonly visibility: unknown;
  /** The requester's own transcript; undefined when it is not known. */
  readonly sessionId: string | undefined;
}

/**
 * The hits that a conversation may see. Another agent's conversation sees none. Groups, channels and conversations of an
 * unknown kind see neither private notes nor transcripts. Transcripts need a known private conversation outside a sandbox,
 * and with a visibility of `self` or `tree` only its own is shown.
 */
export function authorizeHits<Hit extends { readonly path: string; readonly source: SourceName }>(
  hits: readonly Hit[],
  requester: Requester,
): Hit[] {
  const { agentId, sessionKey, sandboxed, visibility, sessionId } = requester;
  if (sessionKey !== undefined && !isSessionOf(sessionKey, { agentId, isNamed: true })) return [];
  const isShared = isSharedSession(sessionKey);
  const isNarrow = visibility === "self" || visibility === "tree";
  return hits.filter(({ path, source }) => {
    if (source !== "sessions") return !isShared || scopeOf(path) === "shared";
    if (sessionKey === undefined || isShared || sandboxed) return false;
    return !isNarrow || (sessionId !== undefined && transcriptOf(path) === sessionId);
  });
}

/** The session that a path such as `sessions/<id>.jsonl` or `sessions/<id>.jsonl.reset.…` belongs to. */
function transcriptOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.jsonl(?:\..*)?$/, "");
}
