/** Converts messages between the session store and the AI SDK. */
import type { ModelMessage } from "ai";
import type { NewMessage, SessionMessage } from "longhand/sessions";

interface StoredCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** For the store: the output of a model and its tools in one step. */
export function toStored(messages: readonly ModelMessage[]): NewMessage[] {
  return messages.flatMap((message): NewMessage[] => {
    if (message.role === "assistant") {
      const parts = typeof message.content === "string" ? [] : message.content;
      const toolCalls = parts.flatMap((part): StoredCall[] =>
        part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
      );
      const content =
        typeof message.content === "string"
          ? message.content
          : parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      return [{ role: "assistant", content, ...(toolCalls.length > 0 && { toolCalls }) }];
    }
    if (message.role !== "tool") return [];
    return message.content.flatMap((part): NewMessage[] =>
      part.type === "tool-result"
        ? [
            {
              role: "tool",
              content: "value" in part.output ? asText(part.output.value) : part.output.type,
              toolCallId: part.toolCallId,
              name: part.toolName,
            },
          ]
        : [],
    );
  });
}

/** For the model. */
export function toModel(messages: readonly SessionMessage[]): ModelMessage[] {
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
  const written: ModelMessage[] = [];
  for (const message of messages) {
    const text = textOf(message);
    const last = written.at(-1);
    if (message.role === "user" && last?.role === "user") {
      // The first one was never answered, because a turn failed. Some models require alternating roles.
      written.splice(-1, 1, { role: "user", content: `${last.content}\n\n${text}` });
    } else if (message.role === "user") {
      written.push({ role: "user", content: text });
    } else if (message.role === "assistant") {
      // Endpoints refuse a tool call without its result, which is missing if the agent was killed in between.
      const calls = ((message.toolCalls ?? []) as readonly StoredCall[]).filter(({ id }) => answered.has(id));
      const content = [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map((call) => ({
          type: "tool-call" as const,
          toolCallId: call.id,
          toolName: call.name,
          input: call.input,
        })),
      ];
      if (content.length > 0) written.push({ role: "assistant", content });
    } else if (message.role === "tool" && message.toolCallId !== undefined) {
      const { toolCallId, name: toolName = "unknown" } = message;
      const output = { type: "text" as const, value: text };
      written.push({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] });
    }
  }
  return written;
}

/** Input for a summary. Tool results are in the notes, or can be requested again. */
export function toTranscript(messages: readonly SessionMessage[]): string {
  return messages
    .filter(({ role }) => role === "user" || role === "assistant")
    .map((message) => ({ who: message.role === "user" ? "User" : "Assistant", text: textOf(message) }))
    .filter(({ text }) => text !== "")
    .map(({ who, text }) => `${who}: ${text}`)
    .join("\n\n");
}

/** The number of messages in the last turns; a turn begins with a user message. */
export function countLastTurns(messages: readonly SessionMessage[], turns: number): number {
  const starts = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  return messages.length - (starts.at(-turns) ?? 0);
}

function textOf({ content }: Pick<SessionMessage, "content">): string {
  if (typeof content === "string") return content;
  const parts = content as readonly { readonly type?: unknown; readonly text?: unknown }[];
  return parts.map(({ type, text }) => (type === "text" ? String(text) : "")).join("");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
