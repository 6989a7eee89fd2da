import { isAutomatic } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { type Fields, isFields, type LineFormat, type LineOutcome, timed, toMoment } from "./format.ts";
import { dropInserted } from "./inserted-text.ts";

const types = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);
const otherRoles = new Set(["system", "developer", "tool"]);

/** Codex CLI: a `payload` a line; what was said is a `response_item` whose payload is a message. */
export const codexFormat: LineFormat = {
  name: "codex",
  recognises: ({ type, payload }) => types.has(type as string) && isFields(payload),
  read(line) {
    const { type, payload } = line;
    const at = toMoment(line["timestamp"]);
    if (typeof type !== "string" || !isFields(payload)) return { kind: "malformed" };
    if (type === "compacted") {
      const { message } = payload;
      return typeof message === "string" && message.trim() !== ""
        ? { kind: "turn", role: "summary", text: message, ...timed(at) }
        : { kind: "other", ...timed(at) };
    }
    if (type !== "response_item" || payload["type"] !== "message") return { kind: "other", ...timed(at) };
    return readMessage(line, payload, at);
  },
};

function readMessage(line: Fields, payload: Fields, at: number | undefined): LineOutcome {
  const { role } = payload;
  if (otherRoles.has(role as string)) return { kind: "other", ...timed(at) };
  if (role !== "user" && role !== "assistant") return { kind: "malformed" };
  if (isAutomatic(line, payload)) return role === "user" ? { kind: "automatic" } : { kind: "other" };
  const content = textOfContent(payload["content"]);
  if (content === null) return { kind: "malformed" };
  if (role === "assistant") return { kind: "turn", role, text: content, ...timed(at) };
  const blocks = Array.isArray(payload["content"]) ? payload["content"] : [content];
  const said = blocks.map((block) => dropInserted(textOfContent([block]) ?? "")).filter(isSaid);
  return said.length === 0 && content !== ""
    ? { kind: "other", ...timed(at) }
    : { kind: "turn", role, text: said.join("\n\n"), ...timed(at) };
}

/** What the program puts before the first question stands in blocks of its own; some were cut. */
function isSaid(text: string): boolean {
  return text !== "" && !/^\s*<(environment_context|user_instructions)>/.test(text);
}
