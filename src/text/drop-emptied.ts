import { findJsonNodes, type JsonNode } from "./json-nodes.ts";
import { patchJson } from "./json-patch.ts";

/**
 * Removes objects that a change from `before` to `after` left empty, and then their parents if those are empty as well.
 * An object with a comment stays: the comment may be a setting that somebody switched off.
 */
export function dropEmptied(text: string, before: unknown, after: unknown): { text: string; value: unknown } {
  let dropped = { text, value: after };
  for (;;) {
    const path = findEmptied(findJsonNodes(dropped.text), before, dropped.value);
    if (path === null) return dropped;
    const value = without(dropped.value, path);
    dropped = { text: patchJson(dropped.text, dropped.value, value), value };
  }

  function findEmptied(node: JsonNode, was: unknown, is: unknown): string[] | null {
    for (const [index, { key, node: child }] of node.children.entries()) {
      const name = node.kind === "array" ? String(index) : key;
      const [old, now] = [memberOf(was, name), memberOf(is, name)];
      if (node.kind === "object" && isRecord(old) && isRecord(now) && isBare(child)) {
        if (Object.keys(old).length > 0 && Object.keys(now).length === 0) return [name];
      }
      const below = findEmptied(child, old, now);
      if (below !== null) return [name, ...below];
    }
    return null;
  }

  function isBare({ start, end }: JsonNode): boolean {
    return /^\{\s*\}$/.test(dropped.text.slice(start, end));
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Fields)[name]
    : undefined;
}

function without(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  const changed = rest.length === 0 ? undefined : without(memberOf(value, name), rest);
  if (Array.isArray(value)) return value.with(Number(name), changed);
  const { [name]: _, ...others } = value as Fields;
  return changed === undefined ? others : { ...(value as Fields), [name]: changed };
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
