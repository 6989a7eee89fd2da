import type { HostPart, HostPlace } from "./host.ts";
import { type Fields, fieldsOf, isFields, jsonSettings, listOf, withKey } from "./json-settings.ts";
import { shellLine } from "./shell-line.ts";

/** The name that the host gives an event, ours, and how many seconds the host waits where they are fewer than usual. */
export type HookEvent = readonly [hostEvent: string, event: string, seconds?: number];

export interface HookPartOptions {
  readonly path: string;
  readonly place: HostPlace;
  readonly events: readonly HookEvent[];
  /** In which unit the host counts the time that it grants. */
  readonly unit: "s" | "ms";
}

/** How long a host waits for a hook; longhand itself ends sooner. */
const grantedSeconds = 10;

/** Claude Code, Codex and Gemini CLI take hooks in the same form. */
export function hookPart({ path, place, events, unit }: HookPartOptions): HostPart {
  const wanted = Object.fromEntries(
    events.map(([event, name, seconds = grantedSeconds]) => [
      event,
      [groupFor(place, name, seconds * (unit === "s" ? 1 : 1000))],
    ]),
  );
  return jsonSettings({
    path,
    purpose: "hooks",
    wanted: { hooks: wanted },
    add: (current) => withHooks(current, wanted),
    remove: withoutHooks,
  });
}

function groupFor({ launch, options }: HostPlace, name: string, timeout: number): Fields {
  const command = shellLine([
    launch.shellCommand ?? launch.command,
    ...launch.args,
    "hook",
    name,
    ...options,
  ]);
  return { hooks: [{ type: "command", command, timeout }] };
}

/** Adds hooks by event; an event in which longhand has one already stays as it is. */
function withHooks(current: Fields, wanted: Readonly<Record<string, readonly Fields[]>>): Fields {
  const hooks = fieldsOf(current, "hooks");
  const added = Object.entries(wanted).filter(([event]) => !groupsOf(hooks, event).some(hasOwnHook));
  if (added.length === 0) return current;
  const lists = added.map(([event, groups]) => [event, [...groupsOf(hooks, event), ...groups]] as const);
  return { ...current, hooks: { ...hooks, ...Object.fromEntries(lists) } };
}

/** Of a group that also runs other commands, only ours goes. */
function withoutHooks(current: Fields): Fields {
  const hooks = fieldsOf(current, "hooks");
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
  return listOf(hooks, event, `hooks.${event}`);
}

/** Whether one of the commands of a group is ours, however it is started. */
function hasOwnHook(group: unknown): group is Fields & { readonly hooks: readonly unknown[] } {
  return isFields(group) && Array.isArray(group["hooks"]) && group["hooks"].some(isOwnHook);
}

function isOwnHook(hook: unknown): boolean {
  return isFields(hook) && ownCommand.test(String(hook["command"]));
}

/** By its name, or by the path of its program, which may be in a folder of any name. */
const ownCommand =
  /(?:longhand|[\\/]cli[\\/]bin\.[jt]s).{0,300} hook (?:session-start|user-prompt|pre-compact|session-end)(?![\w-])/;
