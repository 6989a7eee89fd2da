import { memoryTools } from "../../tools/memory-tools.ts";
import {
  anthropicTools,
  geminiTools,
  mcpTools,
  openAiResponsesTools,
  openAiTools,
} from "../../tools/schema-formats.ts";
import type { MemoryTool } from "../../tools/tool.ts";
import type { CommandContext } from "../command.ts";
import type { View } from "../output.ts";
import { wrapText } from "../text-width.ts";
import { withMemory } from "../with-memory.ts";

const formats = {
  openai: openAiTools,
  "openai-responses": openAiResponsesTools,
  anthropic: anthropicTools,
  gemini: geminiTools,
  mcp: mcpTools,
};

interface ToolsInput {
  readonly format?: keyof typeof formats;
  readonly readOnly?: boolean;
  readonly sessionKey?: string;
}

export async function runTools(context: CommandContext, input: ToolsInput): Promise<void> {
  const { format, readOnly = false, sessionKey } = input;
  await withMemory(
    context,
    async (memory) => {
      const tools = memoryTools(memory, { sessionKey, access: readOnly ? "read" : undefined });
      const value = formats[format ?? "mcp"](tools);
      context.output.show(value, (view) =>
        format === undefined
          ? tools.map((tool) => renderTool(tool, view)).join("\n\n")
          : JSON.stringify(value, null, 2),
      );
    },
    { sessionKey: input.sessionKey },
  );
}

function renderTool({ name, description, inputSchema }: MemoryTool, { paint, width }: View): string {
  const { properties, required } = inputSchema;
  const inputs = Object.entries(properties).map(
    ([input, { type, description: meaning }]) =>
      `  ${input} (${type}${required.includes(input) ? "" : ", optional"}): ${meaning ?? ""}`,
  );
  const lines = [description, ...inputs].join("\n");
  return `${paint("bold", name)}\n${wrapText(lines, width)}`;
}
