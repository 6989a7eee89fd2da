import { isAutomatic } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { type Fields, isFields, type LineFormat, type LineOutcome, timed, toMoment } from "./format.ts";

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
  const blocks = payload["content"];
  // What the program puts before the first question stands in blocks of its own, wrapped in tags.
  const said = Array.isArray(blocks) ? blocks.filter((block) => !isInserted(block)) : blocks;
  const text = textOfContent(said);
  return text === null ? { kind: "malformed" } : { kind: "turn", role, text, ...timed(at) };
}

function isInserted(block: unknown): boolean {
  const text = isFields(block) ? block["text"] : undefined;
  return typeof text === "string" && /^\s*<(environment_context|user_instructions)>/.test(text);
}
