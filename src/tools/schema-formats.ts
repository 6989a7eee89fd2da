import type { MemoryTool, ObjectSchema } from "./tool.ts";

/** What a tool shows of itself; enough to describe it to a model. */
type Described = Pick<MemoryTool, "name" | "description" | "inputSchema">;

/** For `tools` of OpenAI's Chat Completions and every endpoint that speaks it. */
export function openAiTools(tools: readonly Described[]) {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    function: { name, description, parameters: inputSchema },
  }));
}

/** For `tools` of Anthropic's Messages. */
export function anthropicTools(tools: readonly Described[]) {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
}

/**
 * As MCP lists tools, with what a host may ask before it runs them. Without what they give back: a tool that promises a
 * structure has to send it, and hosts then show that to the model instead of the text with its fences.
 */
export function mcpTools(
  tools: readonly Pick<MemoryTool, "name" | "title" | "description" | "inputSchema" | "annotations">[],
) {
  return tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    annotations: { title, ...annotations },
  }));
}

/** For `tools` of Gemini's generateContent, which refuses some words of JSON Schema. */
export function geminiTools(tools: readonly Described[]) {
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: withoutUnknownWords(inputSchema),
  }));
  return [{ functionDeclarations }];
}

function withoutUnknownWords({ type, properties, required }: ObjectSchema) {
  return { type, properties, required };
}
