import { event, type Fields, type Message, type ModelApi, type OfferedTool, textOf } from "./conversation.ts";

/** OpenAI's Responses API, which Codex uses. */
export const openaiResponses: ModelApi = {
  isFor: (path) => path.endsWith("/responses"),

  read(body) {
    const input: Fields[] =
      typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : body["input"];
    return {
      messages: [
        { role: "system", text: textOf(body["instructions"]), calls: [] },
        ...input.flatMap(readItem),
      ],
      tools: (body["tools"] ?? []).flatMap(readTool),
    };
  },

  write({ text, call, tokens }, { body, id }) {
    const usage = {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens + 20,
    };
    const item = call
      ? {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: call.tool.name,
          ...(call.tool.namespace !== undefined && { namespace: call.tool.namespace }),
          arguments: JSON.stringify(call.input),
          status: "completed",
        }
      : {
          type: "message",
          id: `msg_${id}`,
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        };
    const response = {
      id: `resp_${id}`,
      object: "response",
      created_at: 0,
      model: body["model"],
      status: "completed",
      output: [item],
      usage,
    };
    if (!body["stream"]) return { json: response };
    const say = (type: string, data: object) => event(type, { type, ...data });
    return {
      events: [
        say("response.created", {
          response: { ...response, status: "in_progress", output: [], usage: null },
        }),
        say("response.output_item.done", { output_index: 0, item }),
        say("response.completed", { response }),
      ],
    };
  },
};

function readItem(item: Fields): Message[] {
  const { type = "message", role, name } = item;
  if (type === "function_call") return [{ role: "assistant", text: "", calls: [name] }];
  if (String(type).endsWith("_output")) return [{ role: "tool", text: textOf(item["output"]), calls: [] }];
  if (type !== "message") return [];
  return [{ role: role === "developer" ? "system" : role, text: textOf(item["content"]), calls: [] }];
}

function readTool({ type, name, description = "", tools = [] }: Fields): OfferedTool[] {
  if (type === "namespace")
    return tools.map((tool: Fields) => ({
      name: tool["name"],
      description: tool["description"] ?? "",
      namespace: name,
    }));
  return name === undefined ? [] : [{ name, description }];
}
