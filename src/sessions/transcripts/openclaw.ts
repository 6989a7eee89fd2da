import { isAutomatic, isAutomaticKey } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { type Fields, isFields, type LineFormat, type LineOutcome, timed, toMoment } from "./format.ts";
import { isProgramMessage, isSilentReply, withoutEnvelope, withoutReplyTag } from "./openclaw-text.ts";

/** Roles of messages that are not part of the conversation. */
const otherRoles = new Set(["toolResult", "tool", "system", "custom", "bashExecution", "branchSummary"]);

/** OpenClaw: a head line of type `session`, then lines with a `message` each. */
export const openclawFormat: LineFormat = {
  name: "openclaw",
  recognises: ({ type, version, message, id, timestamp, uuid, sessionId }) =>
    (type === "session" && (typeof version === "number" || typeof id === "string")) ||
    (type === "message" && isFields(message) && uuid === undefined && sessionId === undefined) ||
    (type === "compaction" && typeof timestamp === "string"),
  read(line) {
    const { type, message, summary } = line;
    const at = toMoment(line["timestamp"]);
    if (isOfAutomaticSession(line)) return { kind: "excluded" };
    if (type === "compaction") {
      return typeof summary === "string" && summary.trim() !== ""
        ? { kind: "turn", role: "summary", text: summary, ...timed(at) }
        : { kind: "other", ...timed(at) };
    }
    if (type !== "message")
      return typeof type === "string" ? { kind: "other", ...timed(at) } : { kind: "malformed" };
    if (!isFields(message)) return { kind: "malformed" };
    const { role } = message;
    if (otherRoles.has(role as string)) return { kind: "other", ...timed(at) };
    if (role !== "user" && role !== "assistant") return { kind: "malformed" };
    if (isAutomatic(line, message) || isOfProgram(message)) {
      return role === "user" ? { kind: "automatic" } : { kind: "other" };
    }
    const text = textOfContent(message["content"]);
    if (text === null) return { kind: "malformed" };
    return readText(role, text, at ?? toMoment(message["timestamp"]), message);
  },
};

function readText(
  role: "user" | "assistant",
  text: string,
  at: number | undefined,
  { provenance }: Fields,
): LineOutcome {
  if (role === "assistant") {
    return isSilentReply(text)
      ? { kind: "other", ...timed(at) }
      : { kind: "turn", role, text: withoutReplyTag(text), ...timed(at) };
  }
  // What another session sends is no word of the user, but the answer to it may be about him.
  if (isFields(provenance) && provenance["kind"] === "inter_session") return { kind: "other", ...timed(at) };
  const said = withoutEnvelope(text);
  if (isProgramMessage(said)) return { kind: "automatic" };
  return isSilentReply(said)
    ? { kind: "other", ...timed(at) }
    : { kind: "turn", role, text: said, ...timed(at) };
}

/** Messages by which the program itself wakes the agent, or hands it what it remembers. */
function isOfProgram({ provenance }: Fields): boolean {
  return (
    isFields(provenance) &&
    provenance["kind"] === "internal_system" &&
    ["heartbeat", "memory_search", "memory_get"].includes(provenance["sourceTool"] as string)
  );
}

/** Archives stand in no registry; lines of their own say whose run they were. */
function isOfAutomaticSession({ type, sessionKey, runId, data }: Fields): boolean {
  if (type === "message") return false;
  const names = [sessionKey, runId, ...(isFields(data) ? [data["sessionKey"], data["runId"]] : [])];
  return names.some((name) => typeof name === "string" && isAutomaticKey(name));
}
