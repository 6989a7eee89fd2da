import { isAutomatic } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { isFields, type LineFormat, timed, toMoment } from "./format.ts";
import { dropInserted } from "./inserted-text.ts";

/** Claude Code: lines of type `user` and `assistant` that form a tree; side branches and inserted text are marked. */
export const claudeCodeFormat: LineFormat = {
  name: "claude-code",
  recognises: ({ type, message, uuid, parentUuid, sessionId, summary, leafUuid }) =>
    ((type === "user" || type === "assistant") &&
      isFields(message) &&
      (uuid !== undefined ||
        parentUuid !== undefined ||
        sessionId !== undefined ||
        message["role"] === type)) ||
    (type === "summary" && typeof summary === "string" && leafUuid !== undefined),
  read(line) {
    const { type, message, summary } = line;
    const at = toMoment(line["timestamp"]);
    if (type === "summary") {
      return typeof summary === "string"
        ? { kind: "turn", role: "summary", text: summary, isTitle: true, ...timed(at) }
        : { kind: "malformed" };
    }
    if (type !== "user" && type !== "assistant") {
      return typeof type === "string" ? { kind: "other", ...timed(at) } : { kind: "malformed" };
    }
    if (line["isSidechain"] === true || line["isMeta"] === true) return { kind: "other", ...timed(at) };
    if (!isFields(message)) return { kind: "malformed" };
    const { role = type } = message;
    if (role !== "user" && role !== "assistant") return { kind: "malformed" };
    if (isAutomatic(line, message)) return role === "user" ? { kind: "automatic" } : { kind: "other" };
    const content = textOfContent(message["content"]);
    if (content === null) return { kind: "malformed" };
    const text = role === "user" ? dropInserted(content) : content;
    if (text === "" && content !== "") return { kind: "other", ...timed(at) };
    return { kind: "turn", role: line["isCompactSummary"] === true ? "summary" : role, text, ...timed(at) };
  },
};
