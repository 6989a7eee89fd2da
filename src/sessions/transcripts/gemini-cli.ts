import { type Fields, isFields } from "../../text/fields.ts";
import { isAutomatic } from "./automatic.ts";
import {
  automaticOf,
  type LineFormat,
  type LineOutcome,
  otherAt,
  readMessages,
  textOfContent,
  timed,
  toMoment,
  type ValueFormat,
} from "./format.ts";
import { dropInserted } from "./inserted-text.ts";

const otherTypes = new Set(["info", "error", "warning", "system", "tool", "about", "stats", "quit"]);

/**
 * Gemini CLI as of 0.61: a head line, a message a line, and patches. A message is written again when it has changed;
 * a patch that replaces all of them by a snapshot is a compaction.
 */
export const geminiLinesFormat: LineFormat = {
  name: "gemini-jsonl",
  recognises: (line) =>
    (typeof line["sessionId"] === "string" && typeof line["projectHash"] === "string" && !isMessage(line)) ||
    (isFields(line["$set"]) && Object.keys(line).length === 1) ||
    (isMessage(line) && line["uuid"] === undefined && "timestamp" in line && "content" in line),
  read(line) {
    if (isFields(line["$set"])) return readPatch(line["$set"]);
    const at = toMoment(line["timestamp"] ?? line["startTime"]);
    if (!isMessage(line)) return otherAt(at);
    const { id, content } = line;
    const role = roleOf(line);
    if (role === null) return otherAt(at);
    if (role === undefined) return { kind: "malformed" };
    if (isAutomatic(line)) return automaticOf(role);
    const whole = textOfContent(content);
    if (whole === null) return { kind: "malformed" };
    const text = role === "user" ? dropInserted(whole) : whole;
    if (text.trim() === "") return otherAt(at);
    return { kind: "turn", role, text, id: id as string, ...timed(at) };
  },
};

function isMessage({ id, type }: Fields): boolean {
  return typeof id === "string" && typeof type === "string";
}

function readPatch({ messages }: Fields): LineOutcome {
  for (const message of Array.isArray(messages) ? messages : []) {
    const text = isFields(message) ? textOfContent(message["content"]) : null;
    const snapshot = text === null ? null : /<state_snapshot>(.*?)<\/state_snapshot>/s.exec(text);
    if (snapshot !== null) return { kind: "turn", role: "summary", text: snapshot[1]!.trim() };
  }
  return { kind: "other" };
}

/** Gemini CLI in older versions: one object with a list of `messages`, whose `type` is `user` or `gemini`. */
export const geminiFormat: ValueFormat = {
  name: "gemini",
  recognises: (value) =>
    isFields(value) &&
    typeof value["sessionId"] === "string" &&
    Array.isArray(value["messages"]) &&
    (value["projectHash"] !== undefined ||
      value["messages"].some((message) => isFields(message) && typeof message["type"] === "string")),
  read(value) {
    const { turns, malformed } = readMessages((value as { messages: unknown[] }).messages, 1, roleOf);
    const said = turns.map((turn) =>
      turn.role === "user" ? { ...turn, text: dropInserted(turn.text) } : turn,
    );
    return { turns: said, malformed };
  },
};

function roleOf({ type }: Fields): "user" | "assistant" | null | undefined {
  if (otherTypes.has(type as string)) return null;
  return type === "user" ? "user" : type === "gemini" ? "assistant" : undefined;
}
