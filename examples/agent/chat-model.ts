/** Any endpoint with OpenAI's /chat/completions API, as a language model of the AI SDK. */
import { APICallError, type LanguageModel, RetryError } from "ai";

type ChatModel = Extract<LanguageModel, { specificationVersion: "v4" }>;
type CallOptions = Parameters<ChatModel["doGenerate"]>[0];
type Generated = Awaited<ReturnType<ChatModel["doGenerate"]>>;

export interface Endpoint {
  /** Without `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly modelId: string;
}

export function createChatModel(endpoint: Endpoint): ChatModel {
  return {
    specificationVersion: "v4",
    provider: "chat-completions",
    modelId: endpoint.modelId,
    supportedUrls: {},
    doGenerate: async (options) => {
      const body = writeRequest(endpoint.modelId, options);
      return readAnswer(await post(endpoint, body, options.abortSignal), body);
    },
    doStream: () => Promise.reject(new Error("This agent does not stream.")),
  };
}

/** Whether an endpoint refused a request because it is longer than the model's context window. */
export function isOverflow(thrown: unknown): boolean {
  const error = causeOf(thrown);
  const phrases = /context[ _](?:length|window|size)|maximum context|too many tokens|prompt is too long/i;
  return APICallError.isInstance(error) && phrases.test(`${error.message} ${error.responseBody}`);
}

/** The original error, if the AI SDK wrapped it after several attempts. */
export function causeOf(error: unknown): unknown {
  return RetryError.isInstance(error) ? error.lastError : error;
}

interface Completion {
  readonly choices?: readonly { readonly message?: AnswerMessage; readonly finish_reason?: string }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}

interface AnswerMessage {
  readonly content?: string | null;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[] | null;
}

function writeRequest(model: string, { prompt, tools, toolChoice, maxOutputTokens }: CallOptions) {
  return {
    model,
    messages: prompt.flatMap(writeMessage),
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...(tools?.length && { tools: tools.flatMap(writeTool), tool_choice: toolChoice?.type ?? "auto" }),
  };
}

function writeTool(tool: NonNullable<CallOptions["tools"]>[number]): object[] {
  if (tool.type !== "function") return [];
  const { name, description, inputSchema: parameters } = tool;
  return [{ type: "function", function: { name, description, parameters } }];
}

function writeMessage(message: CallOptions["prompt"][number]): object[] {
  if (message.role === "system") return [{ role: "system", content: message.content }];
  if (message.role === "tool") {
    return message.content.flatMap((part) =>
      part.type === "tool-result"
        ? [{ role: "tool", tool_call_id: part.toolCallId, content: writeOutput(part.output) }]
        : [],
    );
  }
  const content = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = message.content.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            id: part.toolCallId,
            type: "function",
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  );
  return [{ role: message.role, content, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function writeOutput(output: { type: string; value?: unknown }): string {
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value ?? output.type);
}

async function post({ baseUrl, apiKey }: Endpoint, body: object, signal: AbortSignal | undefined) {
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const fail = (message: string, details: { statusCode?: number; responseBody?: string; cause?: unknown }) =>
    new APICallError({ message, url, requestBodyValues: {}, ...details });
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    const { cause = error } = error as { cause?: { code?: string; message?: string } };
    const { code, message } = cause as { code?: string; message?: string };
    throw fail(`${url} cannot be reached: ${code ?? message}.`, { cause: error });
  }
  const parsed = parse(text);
  if (response.ok && parsed?.choices?.[0]?.message) return parsed;
  // Some services repeat the key that they refuse.
  const said = (parsed?.error?.message ?? text).slice(0, 500).replaceAll(apiKey || "\0", "[key]");
  const what = response.ok ? "no completion" : `status ${response.status}`;
  throw fail(`${url} answered with ${what}: ${said}`, { statusCode: response.status, responseBody: text });
}

function parse(text: string): (Completion & { readonly error?: { readonly message?: string } }) | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readAnswer({ choices, usage }: Completion, request: object): Generated {
  const { message = {}, finish_reason } = choices![0]!;
  const calls = message.tool_calls ?? [];
  // If an endpoint does not count tokens, they are estimated: about four bytes each in English, three in other scripts.
  const inputTokens = usage?.prompt_tokens ?? estimateTokens(request);
  const outputTokens = usage?.completion_tokens ?? estimateTokens(message);
  return {
    content: [
      ...(message.content ? [{ type: "text" as const, text: message.content }] : []),
      ...calls.map(({ id, function: { name, arguments: input } }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: name,
        input: input || "{}",
      })),
    ],
    finishReason: {
      unified: calls.length > 0 ? "tool-calls" : finish_reason === "length" ? "length" : "stop",
      raw: finish_reason,
    },
    usage: {
      inputTokens: { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

function estimateTokens(value: object): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
}
