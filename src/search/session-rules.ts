/** Which sessions a rule is about; all that is given has to match. */
export interface SessionMatch {
  readonly chatType?: "any" | "direct" | "group" | "channel" | undefined;
  readonly channel?: string | undefined;
  readonly keyPrefix?: string | undefined;
}

export interface SessionRules {
  readonly default: "allow" | "deny";
  readonly rules: readonly {
    readonly action?: "allow" | "deny" | undefined;
    readonly match?: SessionMatch | undefined;
  }[];
}

/** Whether a session may search. The first rule that matches its key decides; without a key it is the user's own. */
export function isSessionAllowed(
  { default: otherwise, rules }: SessionRules,
  sessionKey: string | undefined,
): boolean {
  if (sessionKey === undefined) return true;
  const key = sessionKey.trim().toLowerCase();
  const rule = rules.find(({ match }) => matches(key, match ?? {}));
  return (rule === undefined ? otherwise : (rule.action ?? "allow")) === "allow";
}

function matches(key: string, { chatType, channel, keyPrefix }: SessionMatch): boolean {
  // Of `agent:<id>:<channel>:<kind>:<peer>`, what stands behind the agent.
  const rest = key.replace(/^agent:[^:]*:/, "");
  const parts = rest.split(":");
  const prefix = keyPrefix?.trim().toLowerCase();
  if (prefix !== undefined && !key.startsWith(prefix) && !rest.startsWith(prefix)) return false;
  if (channel !== undefined && parts[0] !== channel.trim().toLowerCase()) return false;
  return chatType === undefined || chatType === "any" || chatType === chatTypeOf(parts);
}

function chatTypeOf(parts: readonly string[]): SessionMatch["chatType"] {
  if (parts.includes("channel")) return "channel";
  return parts.includes("group") ? "group" : "direct";
}
