import { event, type Fields, type Message, type ModelApi, textOf } from "./conversation.ts";

/** Anthropic's Messages API, which Claude Code uses. */
export const anthropicMessages: ModelApi = {
  isFor: (path) => path.endsWith("/messages"),

  read(body) {
    const system = textOf(body["system"]);
    const messages = (body["messages"] as Fields[]).flatMap(readMessage);
    return {
      messages: system === "" ? messages : [{ role: "system", text: system, calls: [] }, ...messages],
      tools: (body["tools"] ?? []).map(({ name, description = "" }: Fields) => ({ name, description })),
    };
  },

  write({ text, call, tokens }, { body, id }) {
    const usage = {
      input_tokens: tokens,
      output_tokens: 20,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const block = call
      ? { type: "tool_use", id: `toolu_${id}`, name: call.tool.name, input: call.input }
      : { type: "text", text };
    const reason = call ? "tool_use" : "end_turn";
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: body["model"],
      stop_sequence: null,
    };
    if (!body["stream"]) return { json: { ...message, content: [block], stop_reason: reason, usage } };
    const say = (type: string, data: object) => event(type, { type, ...data });
    return {
      events: [
        say("message_start", {
          message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
        }),
        say("content_block_start", {
          index: 0,
          content_block: call ? { ...block, input: {} } : { type: "text", text: "" },
        }),
        say("content_block_delta", {
          index: 0,
          delta: call
            ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
            : { type: "text_delta", text },
        }),
        say("content_block_stop", { index: 0 }),
        say("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage }),
        say("message_stop", {}),
      ],
    };
  },
};

function readMessage({ role, content }: Fields): Message[] {
  if (typeof content === "string") return [{ role, text: content, calls: [] }];
  const parts = content as Fields[];
  const results = parts.filter(({ type }) => type === "tool_result");
  const text = textOf(parts.filter(({ type }) => type === "text"));
  const calls = parts.filter(({ type }) => type === "tool_use").map(({ name }) => name as string);
  return [
    ...results.map((result): Message => ({ role: "tool", text: textOf(result["content"]), calls: [] })),
    ...(text === "" && calls.length === 0 ? [] : [{ role, text, calls }]),
  ];
}
