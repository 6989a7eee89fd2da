import { isAutomatic } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { isFields, type LineFormat, timed, toMoment } from "./format.ts";

/** Roles of messages that are not part of the talk. */
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
    if (isAutomatic(line, message)) return role === "user" ? { kind: "automatic" } : { kind: "other" };
    const text = textOfContent(message["content"]);
    if (text === null) return { kind: "malformed" };
    return { kind: "turn", role, text, ...timed(at ?? toMoment(message["timestamp"])) };
  },
};
