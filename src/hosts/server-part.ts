import type { HostPart, HostPlace } from "./host.ts";
import { type Fields, fieldsOf, isFields, jsonSettings, withKey } from "./json-settings.ts";

export function mcpCommand({ launch, options }: HostPlace): { command: string; args: string[] } {
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
      const { longhand, ...others } = fieldsOf(current, key);
      return longhand === undefined ? current : withKey(current, key, others);
    },
    commandLine: (current) => commandLineOf(fieldsOf(current, key)["longhand"]),
  });
}

/**
 * A server called longhand stays as somebody has set it up. One that starts as ours would, as an earlier version wrote
 * it, gets the fields that it lacks.
 */
function withServer(current: Fields, key: string, server: Fields): Fields {
  const servers = fieldsOf(current, key);
  const before = servers["longhand"];
  if (before === undefined) return { ...current, [key]: { ...servers, longhand: server } };
  if (!isFields(before) || !startsAlike(before, server)) return current;
  return { ...current, [key]: { ...servers, longhand: { ...before, ...missingFrom(before, server) } } };
}

function startsAlike(one: Fields, other: Fields): boolean {
  const line = commandLineOf(one);
  return line !== null && line.join("\0") === commandLineOf(other)?.join("\0");
}

function missingFrom(before: Fields, wanted: Fields): Fields {
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !Object.hasOwn(before, key)));
}

/** Hosts write a command and its arguments, or all of it as one list. */
function commandLineOf(server: unknown): readonly string[] | null {
  if (!isFields(server)) return null;
  const { command, args = [] } = server;
  const line = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])];
  return line.every((word) => typeof word === "string") ? line : null;
}
