import { isAutomatic } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { isFields, type Turn, timed, toMoment, type ValueFormat } from "./format.ts";

const otherTypes = new Set(["info", "error", "warning", "system", "tool", "about", "stats", "quit"]);

/** Gemini CLI: one object with a list of `messages`, whose `type` is `user` or `gemini`. */
export const geminiFormat: ValueFormat = {
  name: "gemini",
  recognises: (value) =>
    isFields(value) &&
    typeof value["sessionId"] === "string" &&
    Array.isArray(value["messages"]) &&
    (value["projectHash"] !== undefined ||
      value["messages"].some((message) => isFields(message) && typeof message["type"] === "string")),
  read(value) {
    const turns: Turn[] = [];
    let malformed = 0;
    let isMuted = false;
    for (const [index, message] of (value as { messages: unknown[] }).messages.entries()) {
      const type = isFields(message) ? message["type"] : undefined;
      if (otherTypes.has(type as string)) continue;
      const text = isFields(message) ? textOfContent(message["content"]) : null;
      if (!isFields(message) || text === null || (type !== "user" && type !== "gemini")) {
        malformed++;
        continue;
      }
      if (type === "user") isMuted = isAutomatic(message);
      if (isMuted) continue;
      const role = type === "user" ? "user" : "assistant";
      turns.push({ role, text, line: index + 1, ...timed(toMoment(message["timestamp"])) });
    }
    return { turns, malformed };
  },
};
