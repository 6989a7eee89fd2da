import { showOnOneLine } from "../text/visible.ts";

/** The part of JSON Schema that every host of tools understands. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
}

export interface PropertySchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly items?: PropertySchema;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
}

/** What a host may show or ask before it runs a tool; the words are those of MCP. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** True would mean that the tool talks to the world; a memory talks to its own files. */
  readonly openWorldHint: false;
}

/** A failure that an agent can act on. It is an answer, not an exception: the next step is in `hint`. */
export interface ToolFailure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly retryable: boolean;
  };
}

export interface ToolCall {
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of the index, if a call first has to build it. */
  readonly progress?: ((state: { completed: number; total: number; label: string }) => void) | undefined;
}

/**
 * One thing that an agent may do with a memory. Every surface (MCP, AI SDK, plain function calling, HTTP) is made from
 * this one definition.
 */
export interface MemoryTool<Output extends object = object> {
  readonly name: string;
  readonly title: string;
  /** Written for a model: when to call it, what comes back. */
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
  /** Takes whatever a model sends. Rejects only when the call was cancelled. */
  execute(input: unknown, call?: ToolCall): Promise<Output | ToolFailure>;
  /** An answer of `execute` as text for a model: what comes from notes is fenced and labelled as data. */
  render(answer: Output | ToolFailure): string;
}

export function isFailure(answer: object): answer is ToolFailure {
  return "error" in answer;
}

/** On one line: a message may name a file, and a name can have anything in it. */
export function renderFailure({ error }: ToolFailure): string {
  return showOnOneLine(`${error.message} ${error.hint}`);
}

/** A tool call of a model: SDKs give the input as JSON text or as an object. */
export interface RequestedCall {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Runs the requested tool and returns the text to send back, with notes fenced as data. A wrong name or input is
 * answered with what to do instead; only a cancelled call rejects.
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
