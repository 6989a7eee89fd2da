import { LonghandError } from "../../errors.ts";
import { isGroupSession } from "../../text/session-key.ts";

/**
 * Where the history of a session stands, relative to the folder of the sessions. A session that becomes one of a group
 * later keeps its file; a path that leads anywhere else is not followed.
 */
export function historyPath(
  key: string,
  entry: { readonly sessionId: string; readonly sessionFile?: unknown; readonly groupId?: unknown },
): string {
  const [chat, group] = [`chats/${entry.sessionId}.json5`, `groups/${entry.sessionId}.json5`];
  if (entry.sessionFile === chat || entry.sessionFile === group) return entry.sessionFile as string;
  return isGroup(key, entry) ? group : chat;
}

/** Ids name files, so they must be safe as such on every system. */
export function isSessionId(id: unknown): id is string {
  return (
    typeof id === "string" &&
    id.length <= 128 &&
    /^[A-Za-z0-9_-][A-Za-z0-9._@-]*$/.test(id) &&
    !id.endsWith(".")
  );
}

export function checkSessionId(id: unknown): string {
  if (isSessionId(id)) return id;
  throw new LonghandError("session-invalid", `A session cannot have the id ${JSON.stringify(id)}.`, {
    hint: "Use at most 128 letters, digits, dots, dashes and underscores, or leave the id out to be given one.",
  });
}

export function checkSessionKey(key: unknown): string {
  if (typeof key === "string" && key !== "" && key.length <= 512 && !/\p{Cc}/u.test(key)) return key;
  const shown = typeof key === "string" && key.length > 80 ? `${key.slice(0, 80)}…` : key;
  throw new LonghandError("session-invalid", `${JSON.stringify(shown)} is no session key.`, {
    hint: "Use a text such as agent:main:main, of at most 512 characters and without control characters.",
  });
}

function isGroup(key: string, { groupId }: { readonly groupId?: unknown }): boolean {
  return (groupId !== undefined && groupId !== null) || isGroupSession(key);
}
