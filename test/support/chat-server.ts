import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  readonly tool_call_id?: string;
}

export interface ChatRequest {
  /** A turn with the user, the silent turn before a compaction, or a summary. */
  readonly kind: "chat" | "flush" | "summary";
  readonly system: string;
  /** Without the system prompt. */
  readonly messages: readonly ChatMessage[];
  readonly last: ChatMessage;
  readonly tools: readonly string[];
  /** The whole request body. */
  readonly body: string;
}

export type ChatAnswer =
  | { readonly say: string }
  | { readonly call: string; readonly input: object }
  | { readonly status: number; readonly error: object }
  /** Never answers. */
  | "silence";

export interface ChatServerOptions {
  /** In tokens of about four bytes; a longer request is refused. */
  readonly contextWindow: number;
  readonly apiKey: string;
  /** Whether answers include the token usage. */
  readonly countsTokens?: boolean;
  answer(request: ChatRequest): ChatAnswer;
}

export interface ChatServer {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** Requests that were longer than the context window. */
  readonly refused: readonly ChatRequest[];
  /** Errors in requests that a real endpoint would refuse. */
  readonly faults: readonly string[];
}

/** A local /chat/completions endpoint with scripted answers, which records its requests. */
export async function openChatServer(t: TestContext, options: ChatServerOptions): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const refused: ChatRequest[] = [];
  const faults: string[] = [];
  let calls = 0;

  async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const reply = (status: number, value: object) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${options.apiKey}`) {
      return reply(401, { error: { message: `Wrong key: ${request.headers.authorization}` } });
    }
    const chat = readRequest(body);
    faults.push(...(request.url === "/v1/chat/completions" ? [] : [`asked ${request.url}`]), ...check(chat));
    const inputTokens = Math.ceil(Buffer.byteLength(body) / 4);
    if (inputTokens > options.contextWindow) {
      refused.push(chat);
      const message = `This model's maximum context length is ${options.contextWindow} tokens.`;
      return reply(400, { error: { message, code: "context_length_exceeded" } });
    }
    requests.push(chat);
    const answer = options.answer(chat);
    if (answer === "silence") return;
    if ("error" in answer) return reply(answer.status, { error: answer.error });
    const message = "say" in answer ? say(answer.say) : call(answer.call, answer.input, `call-${++calls}`);
    const outputTokens = Math.ceil(JSON.stringify(message).length / 4);
    const usage = { prompt_tokens: inputTokens, completion_tokens: outputTokens };
    reply(200, {
      choices: [{ index: 0, message, finish_reason: "say" in answer ? "stop" : "tool_calls" }],
      ...((options.countsTokens ?? true) && { usage }),
    });
  }

  const server = http.createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, requests, refused, faults };
}

function say(content: string) {
  return { role: "assistant", content };
}

function call(name: string, input: object, id: string) {
  const calls = [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }];
  return { role: "assistant", content: null, tool_calls: calls };
}

function readRequest(body: string): ChatRequest {
  const { messages, tools = [] } = JSON.parse(body) as {
    messages: ChatMessage[];
    tools?: { function: { name: string } }[];
  };
  const system = messages[0]?.role === "system" ? messages[0].content : "";
  const isFlush = messages.some(
    ({ role, content }) => role === "user" && /^Before the conversation is compacted/.test(content),
  );
  return {
    kind: isFlush ? "flush" : /^You summarise/.test(system) ? "summary" : "chat",
    system,
    messages: messages.slice(1),
    last: messages.at(-1)!,
    tools: tools.map((tool) => tool.function.name),
    body,
  };
}

/** The checks of strict endpoints. */
function check({ system, messages, kind, tools }: ChatRequest): string[] {
  const faults: string[] = [];
  if (system === "") faults.push(`a request (${kind}) without a system prompt`);
  if (kind !== "summary" && tools.length === 0) faults.push(`a request (${kind}) without tools`);
  if (messages[0]?.role !== "user") faults.push("a conversation that does not begin with the user");
  let open = new Set<string>();
  for (const [index, { role, content, tool_calls = [], tool_call_id = "" }] of messages.entries()) {
    if (role === "system") faults.push("a second system prompt");
    if (role === "user" && messages[index - 1]?.role === "user") faults.push("two turns of the user at once");
    if (role === "tool" && !open.delete(tool_call_id)) faults.push("an answer to no call");
    if (role !== "tool" && open.size > 0) faults.push("a call without an answer");
    if (role === "assistant") open = new Set(tool_calls.map(({ id }) => id));
    if (role !== "assistant" && content === "") faults.push(`an empty message (${role})`);
  }
  if (open.size > 0 || messages.at(-1)?.role === "assistant") faults.push("nothing to answer");
  return faults;
}
