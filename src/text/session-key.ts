/** What kind of conversation a session key names. */
type SessionKind = "main" | "direct" | "group" | "channel" | "thread" | "other";

interface SessionKey {
  /** In lower case, because agent ids have no capitals; null if the key names no agent. */
  readonly agentId: string | null;
  readonly kind: SessionKind;
}

/** Two words for a conversation with one person. */
const directWords = ["direct", "dm"];
const threadWords = ["thread", "topic"];
/** Runs without a person; what follows such a part is an id, not a person. */
const runWords = ["subagent", "acp", "cron", "hook", "node", "heartbeat", "slash"];

/**
 * Parses a session key: `agent:<id>:main`, `agent:<id>[:<channel>[:<account>]]:direct:<peer>` (or `dm`), `…:group:<x>`,
 * `…:channel:<x>`, `…:thread:<x>`. Case does not matter. `group` or `channel` counts in any position, so that no peer
 * or account can make a key private.
 */
export function parseSessionKey(key: string): SessionKey {
  const [prefix, agent, ...rest] = key.trim().toLowerCase().split(":");
  const agentId = prefix === "agent" && agent ? agent : null;
  return { agentId, kind: kindOf(agentId === null ? key.toLowerCase().split(":") : rest, agentId !== null) };
}

function kindOf(parts: readonly string[], isOfAgent: boolean): SessionKind {
  if (parts.includes("group")) return "group";
  if (parts.includes("channel")) return "channel";
  if (parts.some((part) => threadWords.includes(part))) return "thread";
  if (!isOfAgent) return "other";
  if (parts.length === 1 && parts[0] === "main") return "main";
  const at = parts.slice(0, 3).findIndex((part) => directWords.includes(part));
  const [before, peer] = [parts.slice(0, at), parts.slice(at + 1)];
  const isPerson = peer.length > 0 && peer.every((part) => part !== "");
  const isPlace = before.every((part) => part !== "" && part !== "main" && !runWords.includes(part));
  return at >= 0 && isPerson && isPlace ? "direct" : "other";
}

/**
 * Whether others can read along, so that private notes must stay out. Without a key the caller is the owner. Threads
 * and unknown kinds count as shared.
 */
export function isSharedSession(sessionKey: string | undefined): boolean {
  if (sessionKey === undefined) return false;
  const { kind } = parseSessionKey(sessionKey);
  return kind !== "main" && kind !== "direct";
}

/** Whether a conversation certainly has many readers, so that nothing said there is private. */
export function isGroupSession(sessionKey: string): boolean {
  const { kind } = parseSessionKey(sessionKey);
  return kind === "group" || kind === "channel";
}

/**
 * Whether a key may ask the memory of this agent. A memory without a named agent (the notes of a folder) also accepts
 * the keys of `main`, which hosts with a single agent send.
 */
export function isSessionOf(
  sessionKey: string,
  { agentId, isNamed }: { readonly agentId: string; readonly isNamed: boolean },
): boolean {
  const { agentId: asking } = parseSessionKey(sessionKey);
  if (asking === null || asking === agentId.toLowerCase()) return true;
  return !isNamed && asking === mainAgentId;
}

/** The agent that has the default workspace. */
export const mainAgentId = "main";
