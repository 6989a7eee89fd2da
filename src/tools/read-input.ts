import { LonghandError } from "../errors.ts";
import type { ObjectSchema, PropertySchema } from "./tool.ts";

/**
 * Reads what a model sent by the schema that it was shown. Models send numbers as text and null for "nothing", so both
 * are understood; everything else that does not fit is refused with the property's name and what would fit.
 */
export function readInput(
  tool: string,
  input: unknown,
  schema: ObjectSchema,
): Readonly<Record<string, unknown>> {
  const refuse = (reason: string): LonghandError =>
    new LonghandError("tool-input-invalid", `${tool} was not run: ${reason}.`, {
      hint: `Call it again with ${describe(schema)}.`,
    });
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw refuse("its input is not an object");
  }
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) throw refuse(`it has no property ${JSON.stringify(name.slice(0, 64))}`);
    if (value === null || value === undefined) continue;
    const read = readValue(value, property);
    if ("problem" in read) throw refuse(`${name} ${read.problem}`);
    values[name] = read.value;
  }
  const missing = schema.required.find((name) => !(name in values));
  if (missing !== undefined) throw refuse(`${missing} is missing`);
  return values;
}

function readValue(value: unknown, property: PropertySchema): { value: unknown } | { problem: string } {
  if (property.type === "string") {
    if (typeof value !== "string") return { problem: `must be text, not ${nameOf(value)}` };
    if (property.enum && !property.enum.includes(value)) {
      return { problem: `must be one of ${property.enum.join(", ")}` };
    }
    if (value.trim().length < (property.minLength ?? 0)) return { problem: "must not be empty" };
    return { value };
  }
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    return { problem: `must be a number, not ${nameOf(value)}` };
  }
  if (property.type === "integer" && !Number.isInteger(number)) return { problem: "must be a whole number" };
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = property;
  if (number < minimum || number > maximum) return { problem: rangeOf(minimum, maximum) };
  return { value: number };
}

function rangeOf(minimum: number, maximum: number): string {
  if (maximum === Number.POSITIVE_INFINITY) return `must be ${minimum} or more`;
  return `must be between ${minimum} and ${maximum}`;
}

function nameOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : typeof value;
}

function describe({ properties, required }: ObjectSchema): string {
  return Object.entries(properties)
    .map(([name, { type }]) => `${name} (${type}${required.includes(name) ? "" : ", optional"})`)
    .join(", ");
}
