/**
 * An agent that remembers. The session store keeps the conversation; memory provides the notes to start with, and tools
 * to search and write; and before a compaction, everything important is written down.
 */
import { generateText, isStepCount, type LanguageModel } from "ai";
import { beforeCompact, decideFlush, type Memory, runFlush } from "longhand";
import { aiSdkTools, memoryTools } from "longhand/ai-sdk";
import type { FlushResult, RunTurn } from "longhand/flush";
import type { SessionStore } from "longhand/sessions";
import { isOverflow } from "./chat-model.ts";
import { countLastTurns, toModel, toStored, toTranscript } from "./conversation.ts";
import { writeSummary } from "./summary.ts";
import { writeSystemPrompt } from "./system-prompt.ts";

export interface AgentOptions {
  readonly model: LanguageModel;
  readonly memory: Memory;
  readonly store: SessionStore;
  /** The session of the conversation, such as `agent:main:main`; it decides which notes are visible. */
  readonly sessionKey: string;
  /** The maximum number of tokens of a request and its answer together. */
  readonly contextWindow: number;
  /** Called with events other than messages. */
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface Agent {
  /** Sends a message to the agent and returns its answer. */
  send(text: string): Promise<string>;
  /** To be called after the answer is shown: flushes and compacts if the window is nearly full. */
  settle(): Promise<void>;
}

const maxSteps = 8;
/** The number of turns that a compaction keeps; a turn begins with a user message. */
const keptTurns = 2;

export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { model, memory, store, sessionKey, contextWindow, tell, signal } = options;
  const session = { key: sessionKey, store };
  const tools = memoryTools(memory, { sessionKey });
  const promptRequest = { memory, sessionKey, tools: Object.keys(tools) };
  const { reserveTokensFloor, memoryFlush } = memory.compaction;
  // Small windows reserve a fraction, not the many thousand tokens that suit large ones.
  const reserveTokens = Math.min(reserveTokensFloor, Math.floor(contextWindow / 4));
  const softThresholdTokens = Math.min(memoryFlush.softThresholdTokens, Math.floor(contextWindow / 10));
  // Built once, and again after a compaction, not for each request: an unchanged prefix is cheaper to send.
  let systemPrompt = await writeSystemPrompt({ ...promptRequest, isCompacted: false });

  async function readConversation() {
    const { messages = [], compactedHistory = [] } = (await store.history(sessionKey)) ?? {};
    const summary = compactedHistory.at(-1)?.content ?? "";
    const earlier = summary === "" ? "" : `\n\n## Earlier in this conversation\n\n${summary}`;
    return { messages, summary, instructions: systemPrompt + earlier };
  }

  /** One request to the model, and the tools that it calls. Everything is on disk before anything else happens. */
  async function takeStep({ isLast }: { isLast: boolean }) {
    const { messages, instructions } = await readConversation();
    const { text, toolCalls, usage, responseMessages } = await generateText({
      model,
      instructions,
      messages: toModel(messages),
      tools,
      toolChoice: isLast ? "none" : "auto",
      abortSignal: signal,
    });
    for (const message of toStored(responseMessages)) await store.append(sessionKey, message);
    const { inputTokens = 0, outputTokens = 0 } = usage;
    const totalTokens = inputTokens + outputTokens;
    await store.update(sessionKey, (entry) => ({ ...entry, inputTokens, outputTokens, totalTokens }));
    return { text, isDone: isLast || toolCalls.length === 0 };
  }

  /** If a request does not fit, the conversation is compacted, if necessary to the last turn. */
  async function takeStepThatFits(step: { isLast: boolean }) {
    for (const turns of [keptTurns, 1]) {
      try {
        return await takeStep(step);
      } catch (error) {
        if (!isOverflow(error)) throw error;
        tell("The conversation does not fit into the model's context window.");
        // The flush turn would not fit either, so only the fallback runs.
        await compact({ turns });
      }
    }
    return await takeStep(step);
  }

  /** The silent turn: the conversation so far, the flush prompt, and tools that only read and append. */
  const runTurn: RunTurn = async (turn) => {
    const { messages, instructions } = await readConversation();
    const { text } = await generateText({
      model,
      instructions: `${instructions}\n\n${turn.systemPrompt}`,
      messages: [...toModel(messages), { role: "user", content: turn.prompt }],
      tools: aiSdkTools(turn.tools),
      stopWhen: isStepCount(maxSteps),
      abortSignal: turn.signal,
    });
    return text;
  };

  async function compact({ turns, runTurn }: { turns: number; runTurn?: RunTurn }): Promise<void> {
    const { messages, summary: earlier } = await readConversation();
    const keepLast = countLastTurns(messages, turns);
    const lost = messages.slice(0, messages.length - keepLast);
    if (lost.length === 0) return;
    report(await beforeCompact({ session, memory, runTurn, keepLast, fallback: "extract", signal }));
    const transcript = toTranscript(lost);
    // A token has about four characters, and half of the window is left for the rest.
    const maxPartChars = contextWindow * 2;
    const summary = await writeSummary({ model, earlier, transcript, maxPartChars, signal });
    await store.compact(sessionKey, { summary, keepLast, seen: { messages } });
    // The counts belong to the longer conversation; the next answer brings new ones.
    await store.update(sessionKey, ({ totalTokens: _, ...entry }) => entry);
    systemPrompt = await writeSystemPrompt({ ...promptRequest, isCompacted: true });
    tell(`Compacted ${lost.length} messages into a summary.`);
  }

  function report({ written, problems }: FlushResult): void {
    for (const { path, startLine, endLine } of written) {
      tell(`Written down before compaction: ${path}, lines ${startLine} to ${endLine}.`);
    }
    for (const problem of problems) tell(problem);
  }

  return {
    async send(text) {
      await store.append(sessionKey, { role: "user", content: text });
      for (let step = 1; ; step++) {
        const { text: answer, isDone } = await takeStepThatFits({ isLast: step === maxSteps });
        if (isDone) return answer;
      }
    },

    async settle() {
      const entry = await store.get(sessionKey);
      if (entry === null) return;
      const limits = { contextWindow, reserveTokensFloor: reserveTokens, softThresholdTokens };
      if (decideFlush({ ...entry, ...limits, enabled: memoryFlush.enabled }).flush) {
        const keepLast = countLastTurns((await readConversation()).messages, keptTurns);
        report(await runFlush({ session, memory, runTurn, keepLast, fallback: "extract", signal }));
      }
      const { totalTokens = 0 } = entry;
      if (totalTokens >= contextWindow - reserveTokens) await compact({ turns: keptTurns, runTurn });
    },
  };
}
