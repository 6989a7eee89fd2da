import type { MemoryTool, ObjectSchema } from "./tool.ts";

/** The part of a tool that describes it to a model. */
type Described = Pick<MemoryTool, "name" | "description" | "inputSchema">;

/** The SDKs declare schemas as mutable objects with any key. */
export interface OpenSchema {
  [key: string]: unknown;
  type: "object";
  properties: Record<string, unknown>;
  required: string[];
}

/** For `tools` of OpenAI's Chat Completions and every endpoint that speaks it. */
export function openAiTools(tools: readonly Described[]) {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    function: { name, description, parameters: openSchema(inputSchema) },
  }));
}

/** For `tools` of OpenAI's Responses. Not strict: that would make every optional input required. */
export function openAiResponsesTools(tools: readonly Described[]) {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    name,
    description,
    parameters: openSchema(inputSchema),
    strict: false,
  }));
}

/** For `tools` of Anthropic's Messages. */
export function anthropicTools(tools: readonly Described[]) {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: openSchema(inputSchema),
  }));
}

/**
 * For MCP's tool list, with the annotations that a host may use before it runs them. Output schemas are left out: a
 * tool with one has to send structured content, and hosts then show that to the model instead of the fenced text.
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

/** For `config.tools` of Gemini's generateContent. Its `parameters` field is OpenAPI; this one takes JSON Schema. */
export function geminiTools(tools: readonly Described[]) {
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parametersJsonSchema: withoutLengths(openSchema(inputSchema)),
  }));
  return [{ functionDeclarations }];
}

function openSchema({ properties, required, ...rest }: ObjectSchema): OpenSchema {
  return { ...rest, properties: { ...properties }, required: [...required] };
}

/** Gemini's subset of JSON Schema has no `minLength`. */
function withoutLengths(schema: OpenSchema): OpenSchema {
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { minLength: _, ...rest } = property as { minLength?: number };
    return [name, rest];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
