import { event, type Fields, type Message, type ModelApi, textOf } from "./conversation.ts";

/** OpenAI's Chat Completions API, which OpenCode uses for custom services. */
export const openaiChat: ModelApi = {
  isFor: (path) => path.endsWith("/chat/completions"),

  read(body) {
    return {
      messages: (body["messages"] as Fields[]).map(
        ({ role, content, tool_calls = [] }): Message => ({
          role,
          text: textOf(content),
          calls: tool_calls.map((call: Fields) => call["function"].name),
        }),
      ),
      tools: (body["tools"] ?? []).map(({ function: tool }: Fields) => ({
        name: tool.name,
        description: tool.description ?? "",
      })),
    };
  },

  write({ text, call, tokens }, { body, id }) {
    const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
    const base = { id: `chatcmpl_${id}`, created: 0, model: body["model"] };
    const calls = call && [
      {
        index: 0,
        id: `call_${id}`,
        type: "function",
        function: { name: call.tool.name, arguments: JSON.stringify(call.input) },
      },
    ];
    const said = calls ? { tool_calls: calls } : { content: text };
    const finish_reason = calls ? "tool_calls" : "stop";
    if (!body["stream"]) {
      const message = { role: "assistant", content: null, ...said };
      return {
        json: { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage },
      };
    }
    const say = (data: object) => event(null, { ...base, object: "chat.completion.chunk", ...data });
    return {
      events: [
        say({ choices: [{ index: 0, delta: { role: "assistant", ...said }, finish_reason: null }] }),
        say({ choices: [{ index: 0, delta: {}, finish_reason }], usage }),
        "data: [DONE]\n\n",
      ],
    };
  },
};
