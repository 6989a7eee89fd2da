import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import json5 from "json5";
import { systemErrorCode } from "../errors.ts";
import { type Fields, fieldsOf } from "../text/fields.ts";
import { checkHost } from "./connect-host.ts";
import type { HostLocation, HostScope } from "./host.ts";
import type { HostEntry, HostName } from "./host-list.ts";
import { hostSetup } from "./hosts.ts";
import { readToml } from "./toml-settings.ts";

/** One of the sources from which a host runs longhand's hooks. */
export interface HookSource {
  /**
   * The scope of the settings, both if the project is the home folder; absent for a plugin that the host has installed.
   */
  readonly scopes?: readonly HostScope[];
  /** A description with the file name. */
  readonly where: string;
  /** The command that removes it. */
  readonly removal: string;
}

type Host = Pick<HostEntry, "hasWorkspaces"> & { readonly name: HostName };
type Places = Pick<HostLocation, "projectDir" | "hostHome">;

/** The sources from which a host runs longhand's hooks. With more than one, each hook runs more than once. */
export function findHookSources(host: Host, places: Places): HookSource[] {
  const { name } = host;
  const scopes: readonly HostScope[] = host.hasWorkspaces ? ["user"] : ["project", "user"];
  const settings = scopes.flatMap((scope) => {
    const place = { ...places, scope, launch: { command: "longhand", args: [] }, options: [] };
    const checks = checkHost(hostSetup(name, { ...place, allowsTools: false }));
    const found = checks.find(
      ({ purpose, state }) =>
        (purpose === "hooks" || purpose === "plugin") && (state === "connected" || state === "partial"),
    );
    if (found === undefined) return [];
    const removal = `longhand init --${name}${scope === "user" ? " --user" : ""} --remove`;
    return [{ scope, path: found.path, where: `the ${found.purpose} in ${found.path}`, removal }];
  });
  const byPath = [...Map.groupBy(settings, ({ path }) => path).values()];
  const distinct = byPath.map((same) => {
    const { where, removal } = same[0]!;
    return { scopes: same.map(({ scope }) => scope), where, removal };
  });
  return [...distinct, ...findPackages(name, places)];
}

function findPackages(name: HostName, places: Places): HookSource[] {
  if (name === "claude-code") return findClaudePlugin(places);
  if (name === "codex") return findCodexPlugin(places);
  return name === "gemini" ? findGeminiExtension(places) : [];
}

/** The settings closest to the project decide whether a plugin is enabled. */
function findClaudePlugin({ projectDir, hostHome }: Places): HookSource[] {
  const files = [
    { path: join(projectDir, ".claude", "settings.local.json"), option: " --scope local" },
    { path: join(projectDir, ".claude", "settings.json"), option: " --scope project" },
    { path: join(hostHome, "settings.json"), option: "" },
  ];
  for (const { path, option } of files) {
    const plugins = fieldsOf(readFields(path)["enabledPlugins"]);
    const [id, isOn] = Object.entries(plugins).find(([name]) => name.startsWith("longhand@")) ?? [];
    if (id === undefined) continue;
    if (isOn === false) return [];
    return [{ where: `the plugin ${id} in ${path}`, removal: `claude plugin uninstall ${id}${option}` }];
  }
  return [];
}

function findCodexPlugin({ hostHome }: Places): HookSource[] {
  const path = join(hostHome, "config.toml");
  const entries = readToml(readText(path));
  if (typeof entries === "string") return [];
  const tables = entries.flatMap(({ name }) => /^plugins\.(longhand@[\w-]+)$/.exec(name)?.[1] ?? []);
  const isOff = (id: string) =>
    entries.some(({ name, value }) => name === `plugins.${id}.enabled` && value?.startsWith("false"));
  return tables
    .filter((id) => !isOff(id))
    .map((id) => ({ where: `the plugin ${id} in ${path}`, removal: `codex plugin remove ${id}` }));
}

function findGeminiExtension({ projectDir, hostHome }: Places): HookSource[] {
  const extensions = join(hostHome, "extensions");
  const path = join(extensions, "longhand");
  if (!existsSync(join(path, "gemini-extension.json"))) return [];
  const ours = fieldsOf(readFields(join(extensions, "extension-enablement.json"))["longhand"]);
  const rules = Array.isArray(ours["overrides"]) ? ours["overrides"].map(String) : [];
  const last = rules.findLast((rule) => covers(rule.replace(/^!/, ""), projectDir));
  if (last?.startsWith("!")) return [];
  return [{ where: `the extension in ${path}`, removal: "gemini extensions uninstall longhand" }];
}

/** A folder, or with a trailing star everything below it. */
function covers(folder: string, projectDir: string): boolean {
  const withSlash = (path: string) => `${path.replace(/[\\/]+$/, "")}/`;
  return folder.endsWith("*")
    ? withSlash(projectDir).startsWith(withSlash(folder.slice(0, -1)))
    : withSlash(projectDir) === withSlash(folder);
}

/** An unreadable file says nothing about longhand. */
function readFields(path: string): Fields {
  try {
    return fieldsOf(json5.parse(readText(path)));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return "";
  }
}
