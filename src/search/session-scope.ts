/**
 * Whether a session can be read by others, so that private notes must stay out of it. Keys look like
 * `agent:<id>:main`, `agent:<id>:direct:<x>`, `agent:<id>:<channel>:group:<x>`, `…:channel:<x>`. Without a key the
 * caller is the owner; a kind of key that we do not know counts as shared.
 */
export function isSharedSession(sessionKey: string | undefined): boolean {
  if (sessionKey === undefined) return false;
  const [prefix, agent, ...rest] = sessionKey.split(":");
  if (prefix !== "agent" || !agent) return true;
  const parts = rest.map((part) => part.toLowerCase());
  if (parts.includes("group") || parts.includes("channel")) return true;
  const isMain = rest.length === 1 && rest[0] === "main";
  const isDirect = rest.slice(0, -1).includes("direct") && rest.at(-1) !== "";
  return !isMain && !isDirect;
}
