import { LonghandError } from "../errors.ts";
import { readInput } from "./read-input.ts";
import type { MemoryTool, ToolCall } from "./tool.ts";
import { isFailure, renderFailure } from "./tool.ts";

export interface ToolDefinition<Input, Output extends object>
  extends Omit<MemoryTool<Output>, "execute" | "render"> {
  run(input: Input, call: ToolCall): Promise<Output>;
  renderOutput(output: Output): string;
}

/** Makes a tool of a definition: input is read by its schema, and what an agent can act on becomes an answer. */
export function defineTool<Input, Output extends object>(
  definition: ToolDefinition<Input, Output>,
): MemoryTool<Output> {
  const { run, renderOutput, ...shown } = definition;
  return {
    ...shown,
    async execute(input, call = {}) {
      try {
        return await run(readInput(shown.name, input, shown.inputSchema) as Input, call);
      } catch (error) {
        if (call.signal?.aborted || !(error instanceof LonghandError) || error.code === "internal") {
          throw error;
        }
        return { error: error.toJSON() };
      }
    },
    render: (answer) => (isFailure(answer) ? renderFailure(answer) : renderOutput(answer)),
  };
}
