import { generateText, jsonSchema, type LanguageModel, type Tool, tool } from "ai";
import type { Generate } from "../consolidate/propose.ts";
import type { Memory } from "../memory/memory.ts";
import { type MemoryToolsOptions, memoryTools as plainTools } from "./memory-tools.ts";
import type { MemoryTool } from "./tool.ts";

/** The memory's tools for `generateText` and `streamText` of the AI SDK, by name. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}): Record<string, Tool> {
  return aiSdkTools(plainTools(memory, options));
}

/** An AI SDK model for `memory.consolidation.propose`. */
export function generateWith(model: LanguageModel): Generate {
  return async (prompt, { signal }) => {
    const { text } = await generateText({ model, prompt, ...(signal && { abortSignal: signal }) });
    return text;
  };
}

/** Any tools of a memory for the AI SDK, such as those that a flush gives to its model. */
export function aiSdkTools(tools: readonly MemoryTool[]): Record<string, Tool> {
  return Object.fromEntries(tools.map((plain) => [plain.name, toAiSdk(plain)]));
}

function toAiSdk(plain: MemoryTool): Tool {
  return tool({
    description: plain.description,
    inputSchema: jsonSchema(plain.inputSchema as Parameters<typeof jsonSchema>[0]),
    execute: async (input: unknown, { abortSignal }) => await plain.execute(input, { signal: abortSignal }),
    // A model gets text with fences around note content, not bare JSON.
    toModelOutput: ({ output }) => ({ type: "text", value: plain.render(output) }),
  });
}
