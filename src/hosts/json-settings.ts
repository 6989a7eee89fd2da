import json5 from "json5";
import { LonghandError } from "../errors.ts";
import { type Fields, isFields } from "../text/fields.ts";
import { patchJson } from "../text/json-patch.ts";
import type { HostPart } from "./host.ts";

interface JsonSettings extends Pick<HostPart, "path" | "purpose"> {
  /** What longhand needs, as a complete settings file. */
  readonly wanted: Fields;
  /** Adds it to the value, or leaves the value unchanged if it is already there. */
  add(current: Fields): Fields;
  remove(current: Fields): Fields;
  readonly commandLine?: (current: Fields) => readonly string[] | null;
}

/** A settings file in JSON; comments and trailing commas that its host allows are preserved. */
export function jsonSettings(settings: JsonSettings): HostPart {
  const { path, purpose, wanted, commandLine } = settings;
  const snippet = `${JSON.stringify(wanted, null, 2)}\n`;
  const read = (text: string) => parse(path, text, snippet);
  return {
    path,
    purpose,
    snippet,
    add(text) {
      if (text === null || text.trim() === "") return snippet;
      const current = read(text);
      return patchJson(text, current, settings.add(current));
    },
    remove(text) {
      if (text.trim() === "") return text;
      const current = read(text);
      const rest = settings.remove(current);
      const least = patchJson(text, current, rest);
      const isCommentLost = countComments(least) < countComments(text);
      const without = isCommentLost ? patchJson(text, current, withEmptied(current, rest)) : least;
      // Anything else in the text, such as a comment, belongs to the user.
      return without !== text && /^\s*\{\s*\}\s*$/.test(without) ? null : without;
    },
    ...(commandLine && {
      commandLine: (text: string) => (text.trim() === "" ? null : commandLine(read(text))),
    }),
  };
}

function countComments(text: string): number {
  const withoutStrings = text.replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "");
  return withoutStrings.match(/\/[/*]/g)?.length ?? 0;
}

/** Also removes objects that became empty, unless they contain the user's comment. */
function withEmptied(current: Fields, rest: Fields): Fields {
  const keys = Object.keys(current).filter((key) => Object.hasOwn(rest, key) || isFields(current[key]));
  return Object.fromEntries(keys.map((key) => [key, rest[key] ?? {}]));
}

/** The object at a key, empty if absent. Something else in its place is an error. */
export function objectAt(current: Fields, key: string): Fields {
  const value = current[key] ?? {};
  if (!isFields(value)) throw new TypeError(`${key} is not an object`);
  return value;
}

export function listAt(current: Fields, key: string, name = key): readonly unknown[] {
  const value = current[key] ?? [];
  if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`);
  return value;
}

/** Sets a key, or removes it if its value would be empty. */
export function withKey(current: Fields, key: string, value: Fields | readonly unknown[]): Fields {
  if (Object.keys(value).length > 0) return { ...current, [key]: value };
  const { [key]: _, ...rest } = current;
  return rest;
}

/** Adds the missing values to a list. */
export function withValues(current: Fields, key: string, values: readonly string[]): Fields {
  const list = listAt(current, key);
  const added = values.filter((value) => !list.includes(value));
  return added.length === 0 ? current : { ...current, [key]: [...list, ...added] };
}

export function withoutValues(current: Fields, key: string, values: readonly string[]): Fields {
  const list = listAt(current, key);
  const kept = list.filter((value) => !values.includes(String(value)));
  return kept.length === list.length ? current : withKey(current, key, kept);
}

function parse(path: string, text: string, snippet: string): Fields {
  try {
    const value: unknown = json5.parse(text.replace(/^\ufeff/, ""));
    if (isFields(value)) return value;
    throw new TypeError("it holds no object");
  } catch (error) {
    throw refuseSettings(path, (error as Error).message, snippet);
  }
}

export function refuseSettings(path: string, why: string, snippet: string): LonghandError {
  return new LonghandError(
    "host-config-unusable",
    `${path} cannot be edited: ${why.replace(/^JSON5: /, "")}.`,
    {
      hint: `It was not changed. Correct it and try again, or put this in by hand:\n${snippet.trimEnd()}`,
    },
  );
}
