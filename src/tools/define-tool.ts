import { LonghandError } from "../errors.ts";
import { readInput } from "./read-input.ts";
import type { MemoryTool, ToolCall, ToolFailure } from "./tool.ts";
import { isFailure, renderFailure } from "./tool.ts";

export interface ToolDefinition<Input, Output extends object>
  extends Omit<MemoryTool<Output>, "execute" | "render"> {
  run(input: Input, call: ToolCall): Promise<Output>;
  renderOutput(output: Output): string;
  /** No failure, as text or as JSON, is longer. */
  readonly maxFailureChars?: number;
}

/** Makes a tool of a definition: input is read by its schema, and what an agent can act on becomes an answer. */
export function defineTool<Input, Output extends object>(
  definition: ToolDefinition<Input, Output>,
): MemoryTool<Output> {
  const { run, renderOutput, maxFailureChars, ...shown } = definition;
  return {
    ...shown,
    async execute(input, call = {}) {
      try {
        return await run(readInput(shown.name, input, shown.inputSchema) as Input, call);
      } catch (error) {
        if (call.signal?.aborted || !(error instanceof LonghandError) || error.code === "internal") {
          throw error;
        }
        return shorten({ error: error.toJSON() }, maxFailureChars);
      }
    },
    render: (answer) => (isFailure(answer) ? renderFailure(answer) : renderOutput(answer)),
  };
}

function shorten(failure: ToolFailure, maxChars = Number.POSITIVE_INFINITY): ToolFailure {
  const excess = JSON.stringify(failure).length - maxChars;
  if (excess <= 0) return failure;
  const { message, hint } = failure.error;
  // The next step is worth more than the whole reason.
  const keptOfMessage = Math.max(40, message.length - excess);
  const shorter = { ...failure.error, message: message.slice(0, keptOfMessage) };
  const left = maxChars - JSON.stringify({ error: { ...shorter, hint: "" } }).length;
  return { error: { ...shorter, hint: hint.slice(0, Math.max(0, left)) } };
}
