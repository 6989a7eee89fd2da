type Json = ReturnType<typeof JSON.parse>;

/**
 * Where a value does not match a JSON Schema (of the few keywords that ours use), or null. Stricter than the standard: a
 * schema with properties must list all of them, or allow additional ones explicitly.
 */
export function findMisfit(value: Json, schema: Json, where = "$"): string | null {
  if (schema.enum && !schema.enum.includes(value)) return `${where} is not one of ${schema.enum}`;
  const types: readonly string[] = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return `${where} is no ${types}`;
  if (Array.isArray(value)) {
    const found = value.map((item, index) =>
      schema.items ? findMisfit(item, schema.items, `${where}[${index}]`) : null,
    );
    return found.find((misfit) => misfit !== null) ?? null;
  }
  if (typeof value !== "object" || value === null) return null;
  const missing = (schema.required ?? []).find((name: string) => !(name in value));
  if (missing !== undefined) return `${where}.${missing} is missing`;
  for (const [name, part] of Object.entries(value)) {
    const own = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties[name] : undefined;
    if (own === undefined && schema.properties && schema.additionalProperties !== true)
      return `${where}.${name} is not described`;
    const misfit = own === undefined ? null : findMisfit(part, own, `${where}.${name}`);
    if (misfit !== null) return misfit;
  }
  return null;
}

function isOf(type: string, value: Json): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);

  return typeof value === type;
}
