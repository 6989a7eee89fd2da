import { type Fields, isFields } from "../../text/fields.ts";
import { joinKey } from "../known-keys.ts";

/** Only these fields, and only if they are set. */
export function pick(fields: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

/** Merges field by field; values of `over` win. */
export function mergeFields(under: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    merged[name] = isFields(below) && isFields(value) ? mergeFields(below, value) : value;
  }
  return merged;
}

/**
 * Replaces the value at a key such as `agents.list[0].memorySearch.x`, or removes it if undefined. Keys are formatted
 * for people, with unusual names quoted and truncated, so the value is found by formatting each name the same way.
 */
export function replaceAt(value: unknown, key: string, replacement: unknown, parent = ""): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const written = `${parent}[${index}]`;
      if (written === key)
        return void value.splice(index, 1, ...(replacement === undefined ? [] : [replacement]));
      if (isInside(key, written)) replaceAt(item, key, replacement, written);
    }
  } else if (isFields(value)) {
    const fields = value as Record<string, unknown>;
    for (const [name, inner] of Object.entries(fields)) {
      const written = joinKey(parent, name);
      if (isInside(key, written)) replaceAt(inner, key, replacement, written);
      else if (written === key && replacement === undefined) delete fields[name];
      else if (written === key) fields[name] = replacement;
    }
  }
}

export function isInside(key: string, outer: string): boolean {
  return key.startsWith(`${outer}.`) || key.startsWith(`${outer}[`);
}

/** A group in which nothing is set need not be written. */
export function dropEmpty(fields: Record<string, unknown>): boolean {
  for (const [name, value] of Object.entries(fields)) {
    if (isFields(value) && dropEmpty(value as Record<string, unknown>)) delete fields[name];
  }
  return Object.keys(fields).length === 0;
}

export function dropUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropUndefined);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [name, dropUndefined(each)]),
  );
}
