import { isFields, type LineFormat, timed, toMoment } from "./format.ts";
import { dropInserted } from "./inserted-text.ts";

/** OpenCode: a message of its database with its parts, as `stores/transcripts/opencode-transcripts.ts` gives it. */
export const opencodeFormat: LineFormat = {
  name: "opencode",
  recognises: ({ type, message, parts }) => type === "opencode" && isFields(message) && Array.isArray(parts),
  read({ message, parts }) {
    if (!isFields(message) || !Array.isArray(parts)) return { kind: "malformed" };
    const { role, time, summary } = message;
    const at = toMoment(isFields(time) ? time["created"] : undefined);
    if (role !== "user" && role !== "assistant") return { kind: "malformed" };
    // Synthetic parts are what plugins and the host add to a message.
    const said = parts.filter((part) => part["type"] === "text" && !part["synthetic"] && !part["ignored"]);
    const text = said.map((part) => String(part["text"] ?? "")).join("\n\n");
    if (text.trim() === "") return { kind: "other", ...timed(at) };
    if (role === "user") return { kind: "turn", role, text: dropInserted(text), ...timed(at) };
    return { kind: "turn", role: summary === true ? "summary" : role, text, ...timed(at) };
  },
};
