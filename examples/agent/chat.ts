/**
 * `node examples/agent/chat.ts --model NAME`: a conversation in the terminal, with memory. README.md has the details.
 */
import readline from "node:readline";
import { APICallError } from "ai";
import { LonghandError, openMemory, openSessionStore } from "longhand";
import { createAgent } from "./agent.ts";
import { causeOf, createChatModel, isOverflow } from "./chat-model.ts";
import { type ChatOptions, readOptions, UsageError, usage } from "./options.ts";

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === null) console.log(usage);
  else await chat(options);
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${error.message}\n\n${usage}` : explain(error));
  process.exitCode = isUsage ? 2 : 1;
}

async function chat(options: ChatOptions): Promise<void> {
  const { agent: agentId, sessionKey, workspace, stateDir, isNew, contextWindow } = options;
  const place = { agent: agentId, ...(stateDir && { stateDir }) };
  const store = openSessionStore(place);
  await using memory = await openMemory({ ...place, ...(workspace && { workspace }) });
  // An entry without an id gets a new one, and with it an empty history; the old one stays on disk.
  if (isNew) await store.update(sessionKey, () => ({}));

  const stopped = new AbortController();
  const tell = (text: string) => console.error(`· ${text}`);
  const agent = await createAgent({
    model: createChatModel(options),
    signal: stopped.signal,
    memory,
    store,
    sessionKey,
    contextWindow,
    tell,
  });
  /** A failure ends the turn, not the chat: the conversation so far is on disk. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (stopped.signal.aborted) return;
      tell(explain(error));
      process.exitCode = process.stdin.isTTY ? 0 : 1;
    }
  }

  const kept = (await store.history(sessionKey))?.messages.length ?? 0;
  const which = kept === 0 ? "a new conversation" : `going on after ${kept} messages`;
  if (process.stdin.isTTY) tell(`${options.modelId}, ${which}. Ctrl-D ends.`);
  // Completes a flush that a crash interrupted.
  await attempt(agent.settle);
  // Opened last: lines that arrive before there is a listener would be lost.
  const terminal = readline.createInterface({
    input: process.stdin,
    prompt: "> ",
    ...(process.stdin.isTTY && { output: process.stdout }),
  });
  terminal.on("SIGINT", () => {
    stopped.abort();
    terminal.close();
  });
  let isOpen = process.stdin.isTTY;
  terminal.once("close", () => {
    isOpen = false;
  });
  const prompt = () => isOpen && terminal.prompt();
  prompt();
  for await (const line of terminal) {
    if (line.trim() !== "" && !stopped.signal.aborted) {
      await attempt(async () => console.log(await agent.send(line)));
      await attempt(agent.settle);
    }
    prompt();
  }
}

function explain(thrown: unknown): string {
  const error = causeOf(thrown);
  if (error instanceof LonghandError) return `${error.message} ${error.hint}`;
  if (!APICallError.isInstance(error)) return error instanceof Error ? error.message : String(error);
  if (isOverflow(error))
    return "That is too long for the model's context window, even alone. Send it in parts.";
  const { statusCode } = error;
  if (statusCode === undefined) return `${error.message} Is the endpoint running, and is --base-url right?`;
  if (statusCode === 401 || statusCode === 403) return `${error.message} Check OPENAI_API_KEY.`;
  if (statusCode === 404) return `${error.message} Check --base-url and --model.`;
  return error.message;
}
