import type { Settings } from "../config/settings.ts";
import { LonghandError } from "../errors.ts";
import { isSessionOf, isSharedSession } from "../text/session-key.ts";

/** Whether a session is shared. Throws for a session of another agent, because this is not its memory. */
export type SessionGuard = (sessionKey: string | undefined) => boolean;

export function createSessionGuard({
  agentId,
  origins,
}: Pick<Settings, "agentId" | "origins">): SessionGuard {
  const isNamed = origins.get("agentId")?.from !== "found";
  return (sessionKey) => {
    if (sessionKey !== undefined && !isSessionOf(sessionKey, { agentId, isNamed })) {
      throw refuseForeign(sessionKey, agentId);
    }
    return isSharedSession(sessionKey);
  };
}

function refuseForeign(sessionKey: string, agentId: string): LonghandError {
  const shown = sessionKey.length > 80 ? `${sessionKey.slice(0, 80)}…` : sessionKey;
  return new LonghandError(
    "session-foreign",
    `The session key ${JSON.stringify(shown)} belongs to another agent than ${agentId}, whose memory this is.`,
    { hint: "Open the memory of the agent that the key names, or use a key of this agent." },
  );
}
