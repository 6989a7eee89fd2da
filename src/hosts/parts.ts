import { type Fields, isFields } from "../text/fields.ts";
import type { HostLocation, HostPart } from "./host.ts";
import { jsonSettings, listAt, objectAt, withKey } from "./json-settings.ts";
import { powerShellLine, shellLine, splitLine } from "./shell-line.ts";

/** The host's name of the event, our name, and time limits that differ from the default. */
export type HookEvent = readonly [hostEvent: string, event: string, limits?: HookLimits];

interface HookLimits {
  /** How long the host waits. */
  readonly hostSeconds?: number;
  /** When longhand itself gives up. */
  readonly withinSeconds?: number;
}

interface HookPartOptions {
  readonly path: string;
  readonly place: HostLocation;
  readonly events: readonly HookEvent[];
  /** On Windows, the host always uses PowerShell. */
  readonly usesPowerShell?: boolean;
  /** The unit of the host's timeout. */
  readonly unit: "s" | "ms";
}

/** How long a host waits for a hook; longhand itself ends sooner. */
const grantedSeconds = 10;

/**
 * For hooks that save what is about to be compacted. They are fast, but on a busy machine may take many times as long,
 * and what they do not save is lost from the conversation.
 */
export const savingLimits: HookLimits = { hostSeconds: 30, withinSeconds: 28 };

/** The value that earlier versions wrote. */
const earlierLimits: readonly HookLimits[] = [{ withinSeconds: 9 }, {}];

/** Claude Code, Codex and Gemini CLI use the same format for hooks. */
export function hookPart({ path, place, events, unit, usesPowerShell = false }: HookPartOptions): HostPart {
  const lineOf = usesPowerShell ? powerShellLine : shellLine;
  const hookFor = (name: string, { hostSeconds = grantedSeconds, withinSeconds }: HookLimits): Hook => ({
    type: "command",
    command: lineOf(hookWords(place, name, withinSeconds)),
    timeout: hostSeconds * (unit === "s" ? 1 : 1000),
  });
  const hooks = events.map(([event, name, limits = {}]) => ({
    event,
    hook: hookFor(name, limits),
    earlier: limits === savingLimits ? earlierLimits.map((each) => hookFor(name, each)) : [],
  }));
  const wanted = Object.fromEntries(hooks.map(({ event, hook }) => [event, [{ hooks: [hook] }]]));
  return jsonSettings({
    path,
    purpose: "hooks",
    wanted: { hooks: wanted },
    add: (current) => withHooks(current, hooks),
    remove: withoutHooks,
    commandLine: (current) => firstHook(objectAt(current, "hooks")),
  });
}

function hookWords(
  { launch, options }: HostLocation,
  name: string,
  withinSeconds?: number,
): readonly string[] {
  const within = withinSeconds === undefined ? [] : ["--within", `${withinSeconds}`];
  return [launch.shellCommand ?? launch.command, ...launch.args, "hook", name, ...within, ...options];
}

interface Hook {
  readonly type: "command";
  readonly command: string;
  readonly timeout: number;
}

interface WantedHook {
  readonly event: string;
  readonly hook: Hook;
  /** The format of an earlier version. */
  readonly earlier: readonly Hook[];
}

/** Adds hooks by event. An existing hook of longhand is kept, unless it is exactly what an earlier version wrote. */
function withHooks(current: Fields, wanted: readonly WantedHook[]): Fields {
  const hooks = objectAt(current, "hooks");
  const lists = wanted.flatMap(({ event, hook, earlier }): { [event: string]: readonly unknown[] }[] => {
    const groups = groupsOf(hooks, event);
    if (!groups.some(hasOwnHook)) return [{ [event]: [...groups, { hooks: [hook] }] }];
    const isEarlier = (one: unknown) =>
      isFields(one) &&
      earlier.some(({ command, timeout }) => one["command"] === command && one["timeout"] === timeout);
    if (!groups.some((group) => hasOwnHook(group) && group.hooks.some(isEarlier))) return [];
    const renew = (one: unknown) => (isEarlier(one) ? { ...(one as Fields), ...hook } : one);
    const renewed = groups.map((group) =>
      hasOwnHook(group) ? { ...group, hooks: group.hooks.map(renew) } : group,
    );
    return [{ [event]: renewed }];
  });
  return lists.length === 0 ? current : { ...current, hooks: Object.assign({}, hooks, ...lists) };
}

/** From a group that also runs other commands, only ours is removed. */
function withoutHooks(current: Fields): Fields {
  const hooks = objectAt(current, "hooks");
  const isOurs = Object.keys(hooks).some((event) => groupsOf(hooks, event).some(hasOwnHook));
  if (!isOurs) return current;
  const kept = Object.keys(hooks).reduce((rest, event) => {
    const groups = groupsOf(hooks, event).flatMap((group) => {
      if (!hasOwnHook(group)) return [group];
      const commands = group.hooks.filter((hook) => !isOwnHook(hook));
      return commands.length === 0 ? [] : [{ ...group, hooks: commands }];
    });
    return withKey(rest, event, groups);
  }, hooks);
  return withKey(current, "hooks", kept);
}

function groupsOf(hooks: Fields, event: string): readonly unknown[] {
  return listAt(hooks, event, `hooks.${event}`);
}

/** Whether one of the commands of a group is ours, however it is started. */
function hasOwnHook(group: unknown): group is Fields & { readonly hooks: readonly unknown[] } {
  return isFields(group) && Array.isArray(group["hooks"]) && group["hooks"].some(isOwnHook);
}

/** All are started the same way, unless the user has changed one. */
function firstHook(hooks: Fields): readonly string[] | null {
  const own = Object.keys(hooks)
    .flatMap((event) => groupsOf(hooks, event).filter(hasOwnHook))
    .flatMap((group) => group.hooks.filter(isOwnHook));
  return own.length === 0 ? null : splitLine(String((own[0] as Fields)["command"]));
}

function isOwnHook(hook: unknown): boolean {
  return isFields(hook) && ownCommand.test(String(hook["command"]));
}

/** By its name, or by the path of its program, which may be in any folder. */
const ownCommand =
  /(?:longhand|[\\/]cli[\\/]bin\.[jt]s).{0,300} hook (?:session-start|user-prompt|pre-compact|session-end)(?![\w-])/;

export function mcpCommand({ launch, options }: HostLocation): { command: string; args: string[] } {
  return { command: launch.command, args: [...launch.args, "mcp", ...options] };
}

/** The MCP server in a JSON file that has an object of servers under `key`. */
export function serverPart(path: string, key: string, server: Fields): HostPart {
  return jsonSettings({
    path,
    purpose: "MCP server",
    wanted: { [key]: { longhand: server } },
    add: (current) => withServer(current, key, server),
    remove(current) {
      const { longhand, ...others } = objectAt(current, key);
      return longhand === undefined ? current : withKey(current, key, others);
    },
    commandLine: (current) => commandLineOf(objectAt(current, key)["longhand"]),
  });
}

/**
 * A server named longhand is kept as the user set it up. One with the same command as ours, as an earlier version wrote
 * it, gets the fields that it lacks.
 */
function withServer(current: Fields, key: string, server: Fields): Fields {
  const servers = objectAt(current, key);
  const before = servers["longhand"];
  if (before === undefined) return { ...current, [key]: { ...servers, longhand: server } };
  if (!isFields(before) || !haveSameCommand(before, server)) return current;
  return { ...current, [key]: { ...servers, longhand: { ...before, ...missingFrom(before, server) } } };
}

function haveSameCommand(one: Fields, other: Fields): boolean {
  const line = commandLineOf(one);
  return line !== null && line.join("\0") === commandLineOf(other)?.join("\0");
}

function missingFrom(before: Fields, wanted: Fields): Fields {
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !Object.hasOwn(before, key)));
}

/** Hosts write the command and its arguments separately, or both as one list. */
function commandLineOf(server: unknown): readonly string[] | null {
  if (!isFields(server)) return null;
  const { command, args = [] } = server;
  const line = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])];
  return line.every((word) => typeof word === "string") ? line : null;
}
