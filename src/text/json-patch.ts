import { isDeepStrictEqual } from "node:util";
import { type Fields, isFields } from "./fields.ts";
import { findJsonNodes, type JsonChild, type JsonNode } from "./json-nodes.ts";

/**
 * Edits a JSON or JSON5 text that now means `before` so that it means `after`, and keeps everything else as written,
 * comments included. Additions come at the end of their object or list; a list that becomes shorter and also changes
 * otherwise is rewritten.
 */
export function patchJson(text: string, before: unknown, after: unknown): string {
  const edits: Edit[] = [];
  const style = readStyle(text);
  compare(findJsonNodes(text), before, after);
  return applyEdits(text, edits);

  function compare(node: JsonNode, was: unknown, is: unknown): void {
    if (isDeepStrictEqual(was, is)) return;
    if (node.kind === "object" && isFields(was) && isFields(is)) compareObjects(node, was, is);
    else if (node.kind === "array" && Array.isArray(was) && Array.isArray(is) && compareLists(node, was, is))
      return;
    else edits.push({ start: node.start, end: node.end, text: write(is, indentAt(text, node.start)) });
  }

  /** False for a change that cannot be made item by item. */
  function compareLists(node: JsonNode, was: readonly unknown[], is: readonly unknown[]): boolean {
    if (was.length <= is.length) {
      for (const [index, child] of node.children.entries()) compare(child.node, was[index], is[index]);
      append(
        node,
        node.children,
        is.slice(was.length).map((item) => ["", item] as const),
      );
      return true;
    }
    const kept = findKept(was, is);
    if (kept === null) return false;
    removeOthers(
      node,
      kept.map((index) => node.children[index]!),
    );
    return true;
  }

  function compareObjects(node: JsonNode, was: Fields, is: Fields): void {
    // Of a duplicate key, the last one counts.
    const members = new Map(node.children.map((child) => [child.key, child]));
    const kept = node.children.filter(({ key }) => Object.hasOwn(is, key));
    for (const [key, child] of members) {
      if (Object.hasOwn(is, key)) compare(child.node, was[key], is[key]);
    }
    const added = Object.entries(is).filter(([key]) => !members.has(key));
    removeOthers(node, kept, added.length > 0);
    append(node, kept, added);
  }

  function removeOthers(node: JsonNode, kept: readonly JsonChild[], isAddedTo = false): void {
    for (const run of findRuns(node.children.filter((each) => !kept.includes(each)))) remove(run);
    const last = kept.at(-1);
    const isTail = last !== undefined && last !== node.children.at(-1);
    // The text had no trailing comma, so the comma that is now last is removed.
    if (isTail && !isAddedTo && node.children.at(-1)?.comma === -1) {
      edits.push({ start: last.comma, end: last.comma + 1, text: "" });
    }
  }

  /** Joins members that are removed and have only white space between them. */
  function findRuns(removed: readonly JsonChild[]): Range[] {
    const runs: { start: number; end: number }[] = [];
    for (const { start, node, comma } of removed) {
      const end = comma === -1 ? node.end : comma + 1;
      const before = runs.at(-1);
      if (before !== undefined && text.slice(before.end, start).trim() === "") before.end = end;
      else runs.push({ start, end });
    }
    return runs;
  }

  function remove({ start, end }: Range): void {
    const lead = /\s*$/.exec(text.slice(0, start))![0];
    const [, spaces = "", next] = /^([^\S\n\r\u2028\u2029]*)([\n\r\u2028\u2029]|\/\/|)/.exec(
      text.slice(end),
    )!;
    // The line break in front may end a comment, which would swallow what follows on this line.
    const isKept = /[\n\r\u2028\u2029]/.test(lead) && next === "";
    edits.push(
      isKept ? { start, end: end + spaces.length, text: "" } : { start: start - lead.length, end, text: "" },
    );
  }

  function append(
    node: JsonNode,
    siblings: readonly JsonChild[],
    added: readonly (readonly [string, unknown])[],
  ) {
    if (added.length === 0) return;
    const close = node.end - 1;
    const inside = text.slice(node.start + 1, close);
    const tail = node.start + 1 + inside.trimEnd().length;
    const first = node.children[0];
    const isBlock = first === undefined || text.slice(node.start, first.start).includes("\n");
    const outer = indentAt(text, node.start);
    const indent = first !== undefined && isBlock ? indentAt(text, first.start) : outer + style.unit;
    const name = (key: string) => (node.kind === "object" ? `${writeKey(key)}: ` : "");
    const last = siblings.at(-1);
    const isTerminated = last !== undefined && last.comma !== -1;
    if (last !== undefined && !isTerminated)
      edits.push({ start: last.node.end, end: last.node.end, text: "," });
    const end = last !== undefined && isTerminated && last === node.children.at(-1) ? "," : "";
    if (isBlock) {
      const lines = added.map(([key, value]) => `${indent}${name(key)}${write(value, indent)}`);
      const before = style.newline + lines.join(`,${style.newline}`) + end;
      edits.push({ start: tail, end: close, text: `${before}${style.newline}${outer}` });
    } else {
      const values = added.map(([key, value]) => `${name(key)}${JSON.stringify(value)}`);
      // A line comment would swallow what follows it.
      const isBehindComment = text.slice(siblings.at(-1)?.node.end ?? node.start, tail).includes("//");
      const lead = isBehindComment ? `${style.newline}${indent}` : " ";
      edits.push({ start: tail, end: tail, text: `${lead}${values.join(", ")}${end}` });
    }
  }

  function write(value: unknown, indent: string): string {
    const json = JSON.stringify(value, null, style.unit);
    const written = style.quotesKeys ? json : json.replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
    return written.replaceAll("\n", style.newline + indent);
  }

  function writeKey(key: string): string {
    return !style.quotesKeys && /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
  }
}

interface Range {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface Edit extends Range {
  readonly text: string;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  // Stable: of two edits at one place, the first comes first in the result.
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let done = 0;
  for (const { start, end, text: replacement } of inOrder) {
    result += text.slice(done, Math.max(start, done)) + replacement;
    done = Math.max(end, done);
  }
  return result + text.slice(done);
}

function readStyle(text: string): { unit: string; newline: string; quotesKeys: boolean } {
  return {
    // Unquoted keys are written only into a text that has some: not every JSON parser accepts them.
    quotesKeys: !/^[ \t{]*[A-Za-z_$][\w$]*[ \t]*:/m.test(text),
    unit: /^([ \t]+)["'\w$]/m.exec(text)?.[1] ?? "  ",
    newline: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** The white space at the beginning of the line. */
function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return /^[ \t]*/.exec(line)![0];
}

/** Which items remain, if the new list is the old one with some items removed. */
function findKept(was: readonly unknown[], is: readonly unknown[]): number[] | null {
  const kept: number[] = [];
  for (const [index, item] of was.entries()) {
    if (kept.length < is.length && isDeepStrictEqual(item, is[kept.length])) kept.push(index);
  }
  return kept.length === is.length ? kept : null;
}

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
      if (node.kind === "object" && isFields(old) && isFields(now) && isBare(child)) {
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
