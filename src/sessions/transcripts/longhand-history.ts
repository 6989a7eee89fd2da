import { isAutomatic } from "./automatic.ts";
import { textOfContent } from "./content-text.ts";
import { isFields, type Turn, timed, toMoment, type ValueFormat } from "./format.ts";

/**
 * The history files of longhand's own session store. A message keeps its number when those before it are compacted
 * away: the summary that stands for them has the number of the last one.
 */
export const longhandFormat: ValueFormat = {
  name: "longhand",
  recognises: (value) =>
    isFields(value) &&
    typeof value["sessionId"] === "string" &&
    Array.isArray(value["messages"]) &&
    (value["version"] === 2 ||
      value["messages"].some((message) => isFields(message) && typeof message["role"] === "string")),
  read(value) {
    const { messages, compactedHistory } = value as { messages: unknown[]; compactedHistory?: unknown };
    const turns: Turn[] = [];
    let malformed = 0;
    let number = 0;
    for (const part of Array.isArray(compactedHistory) ? compactedHistory : []) {
      const text = isFields(part) ? textOfContent(part["content"]) : null;
      const count = isFields(part) ? part["originalMessageCount"] : undefined;
      number += typeof count === "number" && Number.isInteger(count) && count > 0 ? count : 1;
      if (!isFields(part) || text === null) malformed++;
      else turns.push({ role: "summary", text, line: number, ...timed(toMoment(part["compactedAt"])) });
    }
    let isMuted = false;
    for (const message of messages) {
      number++;
      const { role } = isFields(message) ? message : {};
      if (role === "tool" || role === "system") continue;
      const text = isFields(message) ? textOfContent(message["content"]) : null;
      if (!isFields(message) || text === null || (role !== "user" && role !== "assistant")) {
        malformed++;
        continue;
      }
      if (role === "user") isMuted = isAutomatic(message);
      if (!isMuted) turns.push({ role, text, line: number, ...timed(toMoment(message["timestamp"])) });
    }
    return { turns, malformed };
  },
};
