/** The beginning of every conversation: who the agent is, how to use memory, and the notes to start with. */
import { type Memory, memoryPromptSection } from "longhand";
import { startPromptSection } from "longhand/tools";

export interface SystemPromptRequest {
  readonly memory: Memory;
  readonly sessionKey: string;
  /** Names of the agent's tools. */
  readonly tools: readonly string[];
  readonly isCompacted: boolean;
}

export async function writeSystemPrompt(request: SystemPromptRequest): Promise<string> {
  const { memory, sessionKey, tools, isCompacted } = request;
  const today = new Date().toLocaleDateString("sv", { timeZone: memory.timezone });
  const { citations } = memory.limits;
  // The key decides what is visible: in a group, MEMORY.md is not among the notes.
  const start = await memory.startSession({ sessionKey });
  return [
    `You are a helpful assistant with a long-term memory. Answer briefly. Today is ${today}.`,
    memoryPromptSection({ mode: "full", tools, citations, sessionKey }),
    startPromptSection(start, { isCompacted }),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}
