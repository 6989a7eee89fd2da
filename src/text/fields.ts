/** A parsed JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** No fields for a value that is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
