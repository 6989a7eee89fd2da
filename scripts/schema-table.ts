import type { ObjectSchema, PropertySchema } from "../src/tools/tool.ts";

/** The properties of a schema as a Markdown table: name, type, meaning. Optional ones have a question mark. */
export function schemaTable(heading: string, { properties, required }: ObjectSchema): string {
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| \`${name}\`${required.includes(name) ? "" : "?"} | ${kindOf(property)} | ${cell(property.description ?? "")} |`,
  );
  return `| ${heading} | | |\n|---|---|---|\n${rows.join("\n")}`;
}

function kindOf({ type, enum: choices, minimum, maximum }: PropertySchema): string {
  if (choices) return choices.join(", ");
  if (minimum === undefined) return String(type);
  return maximum === undefined ? `${type}, from ${minimum}` : `${type}, ${minimum} to ${maximum}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
