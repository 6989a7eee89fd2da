import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./anthropic.ts";
import { openaiChat } from "./chat.ts";
import type { Fields, Message, ModelAnswer, ModelRequest, OfferedTool, Wire } from "./conversation.ts";
import { geminiContents } from "./gemini.ts";
import { openaiResponses } from "./responses.ts";

/** A step of a script: one tool call, or the text that ends the turn. */
export type Step =
  | { readonly tool: string; readonly input: object; readonly tokens?: number }
  | { readonly text: string; readonly tokens?: number };

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** All requests from hosts, in order. */
  readonly requests: readonly ModelRequest[];
}

const apis = [anthropicMessages, openaiResponses, openaiChat, geminiContents];

/**
 * A model on loopback for real agent hosts. A prompt names its script as `[script NAME]`; the position in the script
 * follows from the conversation alone, so other requests of a host, such as for a title, do no harm.
 */
export async function startScriptedModel(
  scripts: Readonly<Record<string, readonly Step[]>>,
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = (request.url ?? "").split("?")[0]!;
    const body = readJson(Buffer.concat(parts).toString("utf8"));
    const api = apis.find((each) => each.isFor(path));
    if (api === undefined || request.method !== "POST") return send(response, answerElse(path, body));
    const asked = api.read(body);
    requests.push(asked);
    send(response, api.write(answer(asked, scripts), { body, path, id: `${requests.length}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  { messages, tools }: ModelRequest,
  scripts: Readonly<Record<string, readonly Step[]>>,
): ModelAnswer {
  const tokens = Math.ceil(messages.reduce((sum, { text }) => sum + text.length, 0) / 4);
  const marks = messages.map(({ role, text }) =>
    role === "user" ? /\[script ([\w-]+)\]/.exec(text)?.[1] : undefined,
  );
  const start = marks.findLastIndex((mark) => mark !== undefined);
  const flush = answerFlush(messages.slice(start), tools);
  if (flush !== null) return { ...flush, tokens };
  const isSummary =
    start < messages.length - 1 && /summar|snapshot|checkpoint/i.test(messages.at(-1)?.text ?? "");
  const steps = scripts[marks[start] ?? ""];
  if (steps === undefined || (messages.at(-1)?.role === "user" && isSummary))
    return { text: "<state_snapshot>The user ran a scripted conversation.</state_snapshot>", tokens };
  const called = messages.slice(start + 1).flatMap(({ calls }) => calls.slice(0, 1));
  const waits = called.filter((name) => name === waitingTool).length;
  const done = called.length - waits;
  const step = steps[Math.min(done, steps.length - 1)]!;
  if ("text" in step) return { text: step.text, tokens: step.tokens ?? tokens };
  const tool = tools.find(({ name }) => name.endsWith(step.tool));
  if (tool !== undefined) return { call: { tool, input: step.input }, tokens: step.tokens ?? tokens };
  // Codex offers the tools of a slow server in a later request of the turn.
  const wait = tools.find(({ name }) => name === waitingTool);
  if (wait === undefined || waits === maxWaits) return { text: `There is no tool ${step.tool}.`, tokens };
  return { call: { tool: wait, input: { cmd: "sleep 3", yield_time_ms: 20_000 } }, tokens };
}

/** Runs a command; a model without a tool would do something else first. */
const waitingTool = "exec_command";
const maxWaits = 10;

/** If asked to save what is about to be compacted, the model writes what the user said; null if it is not asked. */
function answerFlush(
  messages: readonly Message[],
  tools: readonly OfferedTool[],
): Omit<ModelAnswer, "tokens"> | null {
  const at = messages.findLastIndex(({ role, text }) => role === "user" && flushRequest.test(text));
  if (at < 1) return null;
  const write = tools.find(({ name }) => name === "write");
  const isWritten = messages.slice(at).some(({ calls }) => calls.length > 0);
  if (write === undefined || isWritten) return { text: "NO_REPLY" };
  const path = flushRequest.exec(messages[at]!.text)![1]!;
  return { call: { tool: write, input: { path, content: `- ${messages[0]!.text.split("\n")[0]}\n` } } };
}

const flushRequest = /write down what later sessions will need.*?Append it to (\S+)/s;

/** Other requests of hosts: the length of a text, and the list of models. */
function answerElse(path: string, body: Fields): Wire {
  const length = Math.ceil(JSON.stringify(body).length / 4);
  if (/count_?tokens$/i.test(path)) return { json: { input_tokens: length, totalTokens: length } };
  return { json: { object: "list", data: [{ id: "scripted", object: "model", type: "model" }], models: [] } };
}

function readJson(text: string): Fields {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return {};
  }
}

function send(response: ServerResponse, wire: Wire): void {
  const isStream = "events" in wire;
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  response.end(isStream ? wire.events.join("") : JSON.stringify(wire.json));
}
