import { jsonSchema, type Tool, tool } from "ai";
import type { Memory } from "../memory.ts";
import { type MemoryToolsOptions, memoryTools as plainTools } from "./memory-tools.ts";

/** The memory's tools for `generateText` and `streamText` of the AI SDK, by name. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}): Record<string, Tool> {
  const tools = plainTools(memory, options).map((plain) => {
    const wrapped = tool({
      description: plain.description,
      inputSchema: jsonSchema(plain.inputSchema as Parameters<typeof jsonSchema>[0]),
      execute: async (input: unknown, { abortSignal }) => await plain.execute(input, { signal: abortSignal }),
      // A model reads text with fences around what notes say, not bare JSON.
      toModelOutput: ({ output }) => ({ type: "text", value: plain.render(output) }),
    });
    return [plain.name, wrapped] as const;
  });
  return Object.fromEntries(tools);
}
