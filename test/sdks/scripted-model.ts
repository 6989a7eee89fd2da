import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const call = { name: "memory_search", input: { query: "When do we ship?" } };

/** How each API lets a model call a tool; the answer of that tool is then sent back as the model's text. */
const apis: readonly {
  readonly path: RegExp;
  readonly callTool: object;
  readonly say: (words: string) => object;
}[] = [
  {
    path: /\/responses$/,
    callTool: responses({
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: call.name,
      arguments: JSON.stringify(call.input),
    }),
    say: (words) =>
      responses({
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: words, annotations: [] }],
      }),
  },
  {
    path: /\/chat\/completions$/,
    callTool: chat({
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: call.name, arguments: JSON.stringify(call.input) },
        },
      ],
    }),
    say: (words) => chat({ role: "assistant", content: words }),
  },
  {
    path: /\/messages$/,
    callTool: anthropic({ type: "tool_use", id: "toolu_1", ...call }),
    say: (words) => anthropic({ type: "text", text: words }),
  },
  {
    path: /:generateContent$/,
    callTool: gemini({ functionCall: { name: call.name, args: call.input } }),
    say: (words) => gemini({ text: words }),
  },
];

function responses(item: object): object {
  return { id: "resp_1", object: "response", status: "completed", output: [item] };
}
function chat(message: object): object {
  return { id: "chat_1", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
}
function anthropic(block: object): object {
  return { id: "msg_1", type: "message", role: "assistant", content: [block], stop_reason: "end_turn" };
}
function gemini(part: object): object {
  return { candidates: [{ content: { role: "model", parts: [part] } }] };
}

/**
 * A server on loopback that speaks all four APIs: first it calls `memory_search`, then it repeats the answer. A request
 * without tools is answered at once.
 */
export async function openScriptedModel() {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    void text(request).then((body) => {
      const api = apis.find((each) => each.path.test(path));
      const wantsWords = !body.includes('"tools":');
      const isAnswered =
        wantsWords || /function_call_output|"role":"tool"|tool_result|functionResponse/.test(body);
      const offersTools = wantsWords || (body.includes('"memory_search"') && body.includes('"maxResults"'));
      response.setHeader("content-type", "application/json");
      response.statusCode = api === undefined || !offersTools ? 400 : 200;
      const said = /We ship on Fridays only\./.test(body) ? "Memory says: Fridays." : "Memory says nothing.";
      response.end(JSON.stringify(isAnswered ? api?.say(said) : (api?.callTool ?? { error: path })));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}
