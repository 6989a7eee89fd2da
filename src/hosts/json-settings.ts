import json5 from "json5";
import { LonghandError } from "../errors.ts";
import { patchJson } from "../text/json-patch.ts";
import type { HostFile } from "./host.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface JsonSettings extends Pick<HostFile, "path" | "purpose"> {
  /** What longhand needs, as the whole file of somebody who has nothing else. */
  readonly wanted: Fields;
  /** Puts it among what is there, and gives the same value when it is there already. */
  add(current: Fields): Fields;
}

/** A settings file in JSON; comments and commas that its host allows stay where they are. */
export function jsonSettings({ path, purpose, wanted, add }: JsonSettings): HostFile {
  const snippet = `${JSON.stringify(wanted, null, 2)}\n`;
  return {
    path,
    purpose,
    snippet,
    edit(text) {
      if (text === null || text.trim() === "") return snippet;
      const current = parse(path, text, snippet);
      return patchJson(text, current, add(current));
    },
  };
}

/** Adds a server to an object of servers; one of that name stays as somebody has set it up. */
export function withServer(current: Fields, key: string, name: string, server: unknown): Fields {
  const servers = current[key] ?? {};
  if (!isFields(servers)) throw new TypeError(`${key} is not an object`);
  return Object.hasOwn(servers, name) ? current : { ...current, [key]: { ...servers, [name]: server } };
}

export interface HookGroup {
  readonly hooks: readonly { readonly command: string }[];
}

/** Adds hooks by event; an event in which longhand has one already stays as it is. */
export function withHooks(current: Fields, wanted: Readonly<Record<string, HookGroup>>): Fields {
  const hooks = current["hooks"] ?? {};
  if (!isFields(hooks)) throw new TypeError("hooks is not an object");
  const added = Object.entries(wanted).filter(([event, group]) => !hasHook(hooks[event], group));
  if (added.length === 0) return current;
  const lists = added.map(([event, group]) => {
    const before = hooks[event] ?? [];
    if (!Array.isArray(before)) throw new TypeError(`hooks.${event} is not a list`);
    return [event, [...before, group]] as const;
  });
  return { ...current, hooks: { ...hooks, ...Object.fromEntries(lists) } };
}

/** Whether one of the commands of an event is ours, however it is started. */
function hasHook(groups: unknown, wanted: HookGroup): boolean {
  if (!Array.isArray(groups)) return false;
  const commands = groups.flatMap((group: Partial<HookGroup> | null) =>
    Array.isArray(group?.hooks) ? group.hooks : [],
  );
  return commands.some(
    (hook: { command?: unknown } | null) =>
      hook?.command === wanted.hooks[0]?.command || ownCommand.test(String(hook?.command)),
  );
}

/** By its name, or by the place of its program, which may stand in a folder of any name. */
const ownCommand =
  /(?:longhand|[\\/]cli[\\/]bin\.[jt]s).{0,300} hook (?:session-start|user-prompt|pre-compact|session-end)(?![\w-])/;

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
      hint: `It was left as it is. Correct it and try again, or put this in by hand:\n${snippet.trimEnd()}`,
    },
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
