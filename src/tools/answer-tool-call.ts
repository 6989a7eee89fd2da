import { type MemoryTool, renderFailure, type ToolCall } from "./tool.ts";

/** What a model asked for: SDKs give the input as JSON text or as an object. */
export interface RequestedCall {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Runs the tool that a model asked for and returns the text to send back, with notes fenced as data. A wrong name or
 * wrong input is answered with what to do instead; only a cancelled call rejects.
 */
export async function answerToolCall(
  tools: readonly MemoryTool[],
  { name, input }: RequestedCall,
  call: ToolCall = {},
): Promise<string> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name).join(", ");
    return renderFailure({
      error: { code: "usage", message: `There is no tool ${name}.`, hint: `Use ${names}.`, retryable: false },
    });
  }
  return tool.render(await tool.execute(parseInput(input), call));
}

/** Text that is not JSON is left as it is: the tool then says what input it takes. */
function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
