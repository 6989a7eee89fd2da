import { maxPromptChars } from "./formats.ts";
import type { GroupOption, LeafOption, Option } from "./option.ts";
import { configOptions } from "./options.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The whole configuration as JSON Schema (draft 2020-12), for editors that complete and validate while the user types.
 */
export function createConfigSchema(): JsonSchema {
  const { properties, ...rest } = groupSchema(configOptions, { defaults: true });
  const $schema = { type: "string", description: "Where editors find this schema. longhand ignores it." };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "longhand configuration",
    ...rest,
    properties: { $schema, ...(properties as object) },
  };
}

interface SchemaChoice {
  /** An agent's own entry has no defaults: missing values come from `agents.defaults`. */
  readonly defaults: boolean;
}

function optionSchema(option: Option, choice: SchemaChoice): JsonSchema {
  if (option.kind === "group") return groupSchema(option, choice);
  if (option.kind === "items") {
    return { description: option.about, type: "array", items: groupSchema(option.item, { defaults: false }) };
  }
  const initial = "default" in option && choice.defaults ? option.default : undefined;
  return {
    ...(option.about === "" ? {} : { description: option.about }),
    ...typeSchema(option),
    ...(initial === undefined ? {} : { default: initial }),
  };
}

function groupSchema({ options, about }: GroupOption, choice: SchemaChoice): JsonSchema {
  const entries = Object.entries(options);
  const required = entries
    .filter(([, option]) => option.kind === "text" && option.required)
    .map(([name]) => name);
  return {
    description: about,
    type: "object",
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(entries.map(([name, option]) => [name, optionSchema(option, choice)])),
  };
}

function typeSchema(option: LeafOption): JsonSchema {
  switch (option.kind) {
    case "flag":
      return { type: "boolean" };
    case "number":
      return { type: option.whole ? "integer" : "number", minimum: option.min, maximum: option.max };
    case "choice":
      return { enum: option.choices };
    case "text":
      if (option.format === "prompt") return { type: "string", maxLength: maxPromptChars };
      return { type: "string", minLength: 1 };
    case "secret":
      return { type: "string", ...(!option.mayBeEmpty && { minLength: 1 }) };
    case "list": {
      const minItems = option.minItems === 0 ? {} : { minItems: option.minItems };
      return { type: "array", ...minItems, items: optionSchema(option.item, { defaults: false }) };
    }
    case "record":
      return { type: "object", additionalProperties: { type: "string", minLength: 1 } };
  }
}
