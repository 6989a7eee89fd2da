import { textOfContent } from "./content-text.ts";
import { type LineFormat, timed, toMoment } from "./format.ts";
import { dropInserted } from "./inserted-text.ts";

const otherRoles = new Set(["system", "developer", "tool", "toolResult", "function"]);

/** Messages as model APIs take them, one a line: `{"role": "user", "content": "…"}`. For hosts without a format of ours. */
export const plainFormat: LineFormat = {
  name: "plain",
  recognises: ({ role, content }) =>
    (role === "user" || role === "assistant") && (typeof content === "string" || Array.isArray(content)),
  read(line) {
    const { role, content } = line;
    const at = toMoment(line["timestamp"]);
    if (otherRoles.has(role as string)) return { kind: "other", ...timed(at) };
    const text = textOfContent(content);
    if ((role !== "user" && role !== "assistant") || text === null) return { kind: "malformed" };
    return { kind: "turn", role, text: role === "user" ? dropInserted(text) : text, ...timed(at) };
  },
};
