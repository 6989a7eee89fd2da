import { type Fields, isFields } from "../../text/fields.ts";
import {
  type Role,
  readMessages,
  type Turn,
  textOfContent,
  timed,
  toMoment,
  type ValueFormat,
} from "./format.ts";

/** ChatGPT: conversations whose messages form a tree; the branch that was shown last leads up from `current_node`. */
export const chatgptFormat: ValueFormat = {
  name: "chatgpt",
  recognises: (value) => conversationsOf(value).some(({ mapping }) => isFields(mapping)),
  read: (value) => readAll(conversationsOf(value), readTree),
};

/** Claude.ai: conversations with a list of `chat_messages`. */
export const claudeExportFormat: ValueFormat = {
  name: "claude-export",
  recognises: (value) => conversationsOf(value).some(({ chat_messages }) => Array.isArray(chat_messages)),
  read: (value) => readAll(conversationsOf(value), readList),
};

/** Null for a malformed message, undefined for one that is not part of the conversation. */
type Message = { role: Role; text: string; at?: number } | null | undefined;

function conversationsOf(value: unknown): Fields[] {
  return (Array.isArray(value) ? value : [value]).filter(isFields);
}

/** Messages are numbered through the whole file, oldest conversation first. */
function readAll(conversations: readonly Fields[], read: (conversation: Fields) => Message[]) {
  const startOf = (each: Fields): number => toMoment(each["create_time"] ?? each["created_at"]) ?? 0;
  const turns: Turn[] = [];
  let [malformed, line] = [0, 0];
  for (const conversation of conversations.toSorted((a, b) => startOf(a) - startOf(b))) {
    for (const message of read(conversation)) {
      line++;
      if (message === null) malformed++;
      else if (message !== undefined) turns.push({ ...message, line });
    }
  }
  return { turns, malformed };
}

function readTree({ mapping, current_node }: Fields): Message[] {
  if (!isFields(mapping)) return [null];
  const nodes: Message[] = [];
  const seen = new Set<unknown>();
  for (let id: unknown = current_node ?? Object.keys(mapping).at(-1); typeof id === "string"; ) {
    const node: unknown = mapping[id];
    if (seen.has(id) || !isFields(node)) break;
    seen.add(id);
    if (node["message"] !== null && node["message"] !== undefined) nodes.push(readNode(node["message"]));
    id = node["parent"];
  }
  return nodes.reverse();
}

function readNode(message: unknown): Message {
  if (!isFields(message) || !isFields(message["author"])) return null;
  const { role } = message["author"];
  if (role === "system" || role === "tool") return undefined;
  if (role !== "user" && role !== "assistant") return null;
  const metadata = isFields(message["metadata"]) ? message["metadata"] : {};
  if (metadata["is_visually_hidden_from_conversation"] === true) return undefined;
  const content = isFields(message["content"]) ? message["content"] : {};
  const type = content["content_type"];
  if (type !== undefined && type !== "text" && type !== "multimodal_text") return undefined;
  const text = textOfContent(content["parts"] ?? content["text"]);
  return text === null ? null : { role, text, ...timed(toMoment(message["create_time"])) };
}

function readList({ chat_messages: messages }: Fields): Message[] {
  if (!Array.isArray(messages)) return [null];
  return messages.map((message: unknown): Message => {
    if (!isFields(message)) return null;
    const { sender, text, content } = message;
    if (sender !== "human" && sender !== "assistant") return null;
    const blocks = textOfContent(content);
    const said = blocks === null || blocks === "" ? text : blocks;
    if (typeof said !== "string") return null;
    return {
      role: sender === "human" ? "user" : "assistant",
      text: said,
      ...timed(toMoment(message["created_at"])),
    };
  });
}

/**
 * The history files of longhand's own session store. A message keeps its number when those before it are compacted:
 * their summary has the number of the last one.
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
    const said = readMessages(messages, number + 1, roleOf);
    return { turns: [...turns, ...said.turns], malformed: malformed + said.malformed };
  },
};

function roleOf({ role }: Fields): "user" | "assistant" | null | undefined {
  if (role === "tool" || role === "system") return null;
  return role === "user" || role === "assistant" ? role : undefined;
}
