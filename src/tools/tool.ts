import { showOnOneLine } from "../text/visible.ts";

/** The part of JSON Schema that every tool host understands. */
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

/** The schema of an input with these properties, and no others. */
export function inputOf<
  const Properties extends ObjectSchema["properties"],
  const Required extends readonly (keyof Properties & string)[] = [],
>(properties: Properties, ...[required = [] as never]: [required?: Required]) {
  return { type: "object", properties, required: required as Required, additionalProperties: false } as const;
}

/** The schema of an output: these properties, or an error. */
export function outputOf<const Properties extends ObjectSchema["properties"]>(properties: Properties) {
  return {
    type: "object",
    properties: { ...properties, error: { type: "object" } },
    required: [],
    additionalProperties: true,
  } as const;
}

/** The input that a schema accepts. */
export type InputOf<Schema extends Pick<ObjectSchema, "properties" | "required">> = {
  readonly [Name in keyof Schema["properties"] & Schema["required"][number]]: ValueOf<
    Schema["properties"][Name]
  >;
} & {
  readonly [Name in Exclude<keyof Schema["properties"], Schema["required"][number]>]?: ValueOf<
    Schema["properties"][Name]
  >;
};

type ValueOf<Property> = Property extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : Property extends { readonly type: "string" }
    ? string
    : Property extends { readonly type: "integer" | "number" }
      ? number
      : Property extends { readonly type: "boolean" }
        ? boolean
        : Property extends { readonly items: infer Item }
          ? readonly ValueOf<Item>[]
          : Property extends Pick<ObjectSchema, "properties" | "required">
            ? InputOf<Property>
            : never;

/** Hints for hosts on what to show or ask before running a tool; the names are those of MCP. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** True would mean that the tool interacts with the outside world; a memory only uses its own files. */
  readonly openWorldHint: false;
}

/** A tool that only reads, one that adds, and one that removes for good. */
export const annotations = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  removes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
} as const satisfies Record<string, ToolAnnotations>;

/** A failure that an agent can act on. It is a result, not an exception: the next step is in `hint`. */
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
  /** Called with the progress of indexing, if a call first has to build the index. */
  readonly progress?: ((state: { completed: number; total: number; label: string }) => void) | undefined;
}

/** What all tools of one caller share. */
export interface ToolContext {
  readonly sessionKey: string | undefined;
  /** The size limit of a result, both as text and as JSON. */
  readonly maxInjectedChars: number;
  /** False marks what is quoted as possibly written by strangers. */
  readonly isTrusted: () => boolean;
}

/**
 * One tool of a memory. Every surface (MCP, AI SDK, plain function calling, HTTP) is derived from this one definition.
 */
export interface MemoryTool<Output extends object = object> {
  readonly name: string;
  readonly title: string;
  /** Written for a model: when to call it, and what it returns. */
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
  /** Accepts any input from a model. Rejects only if the call was cancelled. */
  execute(input: unknown, call?: ToolCall): Promise<Output | ToolFailure>;
  /** Formats a result of `execute` for a model: content of notes is fenced and labelled as data. */
  render(answer: Output | ToolFailure): string;
}

export function isFailure(answer: object): answer is ToolFailure {
  return "error" in answer;
}

/** On one line, because a message may contain a file name, and names can contain anything. */
export function renderFailure({ error }: ToolFailure): string {
  return showOnOneLine(`${error.message} ${error.hint}`);
}

/** A tool call of a model: SDKs pass the input as JSON text or as an object. */
export interface RequestedCall {
  readonly name: string;
  readonly input: unknown;
}

/**
 * Runs the requested tool and returns the text to send back, with note content fenced as data. An unknown name or
 * invalid input gets a result that says what to do instead; only a cancelled call rejects.
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

/** Text that is not JSON is passed on: the tool then reports what input it accepts. */
function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
