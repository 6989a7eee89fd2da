import { LonghandError } from "../errors.ts";
import { describeMismatch, fitsRule, nameType, parseDecimal, type ValueRule } from "../text/value-rule.ts";
import {
  type InputOf,
  isFailure,
  type MemoryTool,
  type ObjectSchema,
  type PropertySchema,
  renderFailure,
  type ToolCall,
  type ToolFailure,
} from "./tool.ts";

interface ToolDefinition<Schema extends ObjectSchema, Output extends object>
  extends Omit<MemoryTool<Output>, "execute" | "render" | "inputSchema"> {
  readonly inputSchema: Schema;
  run(input: InputOf<Schema>, call: ToolCall): Promise<Output>;
  renderOutput(output: Output): string;
  /** The size limit of a failure, both as text and as JSON. */
  readonly maxFailureChars?: number;
}

/**
 * Creates a tool from a definition: input is parsed with its schema, and failures that an agent can act on become
 * results.
 */
export function defineTool<const Schema extends ObjectSchema, Output extends object>(
  definition: ToolDefinition<Schema, Output>,
): MemoryTool<Output> {
  const { run, renderOutput, maxFailureChars, ...shown } = definition;
  return {
    ...shown,
    async execute(input, call = {}) {
      try {
        return await run(readInput(shown.name, input, shown.inputSchema) as InputOf<Schema>, call);
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
  // The next step is worth more than the complete reason.
  const keptOfMessage = Math.max(40, message.length - excess);
  const shorter = { ...failure.error, message: message.slice(0, keptOfMessage) };
  const left = maxChars - JSON.stringify({ error: { ...shorter, hint: "" } }).length;
  return { error: { ...shorter, hint: hint.slice(0, Math.max(0, left)) } };
}

/**
 * Parses input with the schema that was published. Models send numbers as text and null for "nothing", and in a query
 * string everything is text, so that is accepted; anything else that does not fit is refused, naming the property and
 * what would fit.
 */
export function readInput(
  tool: string,
  input: unknown,
  schema: ObjectSchema,
  code: "tool-input-invalid" | "request-invalid" = "tool-input-invalid",
): Readonly<Record<string, unknown>> {
  const read = readObject(input, schema);
  if ("value" in read) return read.value;
  throw new LonghandError(code, `${tool} was not run: ${read.problem}.`, {
    hint: `Call it again with ${describe(schema)}.`,
  });
}

type Read<T> = { readonly value: T } | { readonly problem: string };

function readObject(
  input: unknown,
  schema: Pick<ObjectSchema, "properties" | "required">,
): Read<Readonly<Record<string, unknown>>> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return { problem: "its input is not an object" };
  }
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) return { problem: `it has no property ${JSON.stringify(name.slice(0, 64))}` };
    if (value === null || value === undefined) continue;
    const read = readValue(value, property);
    if ("problem" in read) return { problem: `${name} ${read.problem}` };
    values[name] = read.value;
  }
  const missing = schema.required.find((name) => !(name in values));
  return missing === undefined ? { value: values } : { problem: `${missing} is missing` };
}

function readValue(value: unknown, property: PropertySchema): Read<unknown> {
  if (property.type === "string" && !property.enum) {
    if (typeof value !== "string") return { problem: `must be text, but is ${nameType(value)}` };
    if (value.trim().length < (property.minLength ?? 0)) return { problem: "must not be empty" };
    return { value };
  }
  if (property.type === "array") return readList(value, property);
  if (property.type === "object") {
    const read = readObject(value, {
      properties: property.properties ?? {},
      required: property.required ?? [],
    });
    return "value" in read ? read : { problem: `is not right: ${read.problem}` };
  }
  const rule = ruleOf(property);
  const typed = fromText(value, rule);
  return fitsRule(typed, rule) ? { value: typed } : { problem: describeMismatch(typed, rule) };
}

function ruleOf({ type, enum: choices, minimum, maximum }: PropertySchema): ValueRule {
  if (choices) return { kind: "choice", choices };
  if (type === "boolean") return { kind: "flag" };
  return {
    kind: "number",
    min: minimum ?? Number.NEGATIVE_INFINITY,
    max: maximum ?? Number.POSITIVE_INFINITY,
    whole: type === "integer",
  };
}

function fromText(value: unknown, { kind }: ValueRule): unknown {
  if (typeof value !== "string" || kind === "choice") return value;
  if (kind === "number") return parseDecimal(value) ?? value;
  return value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : value;
}

function readList(value: unknown, { items = {} }: PropertySchema): Read<unknown[]> {
  if (!Array.isArray(value)) return { problem: `must be a list, but is ${nameType(value)}` };
  const values: unknown[] = [];
  for (const [index, each] of value.entries()) {
    const read = readValue(each, items);
    if ("problem" in read) return { problem: `has an entry ${index + 1} that ${read.problem}` };
    values.push(read.value);
  }
  return { value: values };
}

function describe({ properties, required }: ObjectSchema): string {
  return Object.entries(properties)
    .map(([name, { type }]) => `${name} (${type}${required.includes(name) ? "" : ", optional"})`)
    .join(", ");
}

/** The beginning of a text; no character is split. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")} …`;
}

/** All items of a list, then fewer, then the first one alone with less and less text. */
export function* shorterLists<Item>(
  items: readonly Item[],
  { textOf, withText }: { textOf(item: Item): string; withText(item: Item, text: string): Item },
): Generator<{ readonly kept: readonly Item[]; readonly omitted: number }> {
  for (let count = items.length; count > 0; count--) {
    yield { kept: items.slice(0, count), omitted: items.length - count };
  }
  const [first] = items;
  if (first !== undefined) {
    const text = textOf(first);
    for (let chars = text.length >> 1; chars >= 20; chars >>= 1) {
      yield { kept: [withText(first, cutText(text, chars))], omitted: items.length - 1 };
    }
  }
}
