import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { agentIdForFolder, mainAgentId } from "../config/agent-id.ts";
import { type DescribedSetting, describeSettings } from "../config/describe.ts";
import { checkValue, type FoundOption, findOption, readValue } from "../config/find-option.ts";
import { findConfigPath, type LocationsRequest } from "../config/locations.ts";
import { isOpenclawFile, looksLikeOpenclaw } from "../config/openclaw/openclaw-file.ts";
import { resolveSettings, type Settings, type SettingsRequest } from "../config/settings.ts";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { makeFolder } from "../files.ts";
import { replaceFile } from "../hosts/settings-file.ts";
import { realFolder } from "../notes/workspace.ts";
import { type Fields, fieldsOf } from "../text/fields.ts";
import { dropEmptied, patchJson } from "../text/json-patch.ts";
import type { CommandContext } from "./command.ts";
import { locationsOf } from "./with-memory.ts";

/** A new configuration file: nothing is set, everything is an example. */
export const configTemplate = `// Configuration of longhand, in JSON5: comments and trailing commas are fine.
// Everything has a default, so this file may stay as it is. Change it here, or with: longhand config set KEY VALUE
// All settings in effect: longhand config      A schema for editors: longhand config schema
{
  agents: {
    defaults: {
      // userTimezone: "Europe/Berlin",          // decides which day a note belongs to; default: the system's
      memorySearch: {
        // query: { maxResults: 6, minScore: 0.35 },
      },
    },
    // What holds for one folder alone: "longhand adopt" and "longhand config set --project" write here.
    // list: [
    //   {
    //     id: "work",
    //     workspace: "~/projects/memory",
    //     memorySearch: {
    //       extraPaths: ["../docs"],            // more folders or files with Markdown, relative to the workspace
    //       exclude: ["memory/drafts/"],        // left out, in the syntax of .gitignore
    //     },
    //   },
    // ],
  },
}
`;

interface EditedConfig {
  readonly path: string;
  readonly isNew: boolean;
  readonly changed: boolean;
}

/**
 * Changes the configuration file, or creates it. Comments and order are preserved. The result is validated as a whole
 * first: a configuration that would not load is never written.
 */
export async function editConfig(
  locations: Pick<SettingsRequest, keyof LocationsRequest | "workspace" | "agent">,
  change: (before: Fields) => Fields,
): Promise<EditedConfig> {
  const path = findConfigPath(locations);
  if (path === devNull) throw refuse(path, "it means no configuration at all");
  if (isOpenclawFile(path)) throw refuseOpenclaw(path);
  const isNew = !existsSync(path);
  const seen = isNew ? null : readFileSync(path, "utf8");
  const text = seen === null || seen.trim() === "" ? configTemplate : seen;
  const { default: json5 } = await import("json5");
  // Existing problems are reported when the file is read.
  await resolveSettings({ ...locations, configText: text });
  const before = json5.parse<Fields>(text.replace(/^\ufeff/, ""));
  if (looksLikeOpenclaw(before)) throw refuseOpenclaw(path);
  const after = change(before);
  if (isDeepStrictEqual(before, after)) return { path, isNew: false, changed: false };
  const { text: patched, value } = dropEmptied(patchJson(text, before, after), before, after);
  if (!isDeepStrictEqual(json5.parse(patched.replace(/^\ufeff/, "")), value)) {
    throw refuse(path, "its form could not be followed");
  }
  await resolveSettings({ ...locations, configText: patched });
  writeConfig(path, patched, seen);
  return { path, isNew, changed: true };
}

/** Writes the file if it still has the text that was `seen` there; null means that it must not exist. */
export function writeConfig(path: string, text: string, seen: string | null): void {
  try {
    // Usually the state folder, which is private to the user.
    makeFolder(dirname(path), 0o700);
    // Keys may be written into it, so a new file is readable only by its owner. An empty one sets nothing.
    if (seen === null) writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    replaceFile(path, text, seen ?? "");
  } catch (error) {
    const code = systemErrorCode(error);
    const why = code === undefined ? messageOf(error) : `${path} cannot be written: the system says ${code}.`;
    if (code === undefined && !(error instanceof LonghandError)) throw error;
    throw new LonghandError("config-invalid", why, {
      hint: "It is unchanged. Check the permissions of its folder, or name another file with --config.",
      retryable: error instanceof LonghandError && error.retryable,
      cause: error,
    });
  }
}

/** The configuration with a value for one agent, whose entry is added if necessary. */
export function withAgentValue(
  config: Fields,
  { agentId, workspaceDir }: Pick<Settings, "agentId" | "workspaceDir">,
  keys: readonly string[],
  value: unknown,
): Fields {
  const agents = fieldsOf(config["agents"]);
  const list = Array.isArray(agents["list"]) ? (agents["list"] as Fields[]) : [];
  const index = list.findIndex(({ id }) => id === agentId);
  // An agent that is named after its folder needs the folder in its entry.
  const isOfFolder = agentId !== mainAgentId && agentId === agentIdForFolder(realFolder(workspaceDir));
  const entry = list[index] ?? { id: agentId, ...(isOfFolder && { workspace: workspaceDir }) };
  const changed = withValue(entry, keys, value);
  const entries = index === -1 ? [...list, changed] : list.with(index, changed);
  return { ...config, agents: { ...agents, list: entries } };
}

/** Undefined removes the value. */
export function withValue(fields: Fields, [name = "", ...rest]: readonly string[], value: unknown): Fields {
  if (rest.length > 0) {
    if (value === undefined && fields[name] === undefined) return fields;
    return { ...fields, [name]: withValue(fieldsOf(fields[name]), rest, value) };
  }
  if (value !== undefined) return { ...fields, [name]: value };
  const { [name]: _, ...others } = fields;
  return others;
}

function refuseOpenclaw(path: string): LonghandError {
  return new LonghandError("config-invalid", `${path} is OpenClaw's, and longhand does not change it.`, {
    hint: "Change it there, or move to a configuration of your own: longhand init --from-openclaw.",
  });
}

function refuse(path: string, why: string): LonghandError {
  return new LonghandError("config-invalid", `The configuration ${path} cannot be changed: ${why}.`, {
    hint: "Change it by hand, or name another file with --config.",
  });
}

interface SettingChange {
  readonly key: string;
  /** Undefined removes the setting. */
  readonly value: string | undefined;
  readonly project?: boolean | undefined;
  readonly user?: boolean | undefined;
}

interface ChangedSetting extends DescribedSetting {
  /** `project`: for the agent of this workspace, or for all clones and worktrees of its repository. */
  readonly scope: "project" | "user";
  readonly agent: string;
  /** Whether the entry belongs to a repository and is shared by its clones and worktrees. */
  readonly isShared: boolean;
  readonly path: string;
  readonly changed: boolean;
  /** Another source overrides what was written. */
  readonly isOverridden: boolean;
}

/** Writes a setting to the configuration file, or removes it. An invalid value is refused, and nothing changes. */
export async function changeSetting(
  { globals }: Pick<CommandContext, "globals">,
  { key, value: text, project, user }: SettingChange,
): Promise<ChangedSetting> {
  const found = findOption(key);
  const value = text === undefined ? undefined : await readValue(found, text);
  if (value !== undefined) checkValue(found, value);
  const locations = locationsOf(globals);
  const settings = await resolveSettings(locations);
  const scope = chooseScope(found, settings, { project, user });
  const { path, changed } = await editConfig(locations, (before) =>
    apply(before, { found, scope, settings, value }),
  );
  const after = await resolveSettings(locations);
  const shown = describeSettings(after).find((setting) => setting.key === found.key);
  const origin = after.origins.get(found.key);
  const wanted = scope === "project" ? "agents.list" : found.isPerAgent ? "agents.defaults" : "";
  const isInForce = origin?.from === "file" && origin.key.startsWith(wanted);
  // Lists from all sources are merged, so none overrides another.
  const isOverridden = value !== undefined && !isInForce && !isUnion(found);
  return {
    key: found.key,
    value: shown?.value ?? null,
    origin: shown?.origin ?? "default",
    scope,
    agent: after.project?.id ?? after.agentId,
    isShared: after.project !== null,
    path,
    changed,
    isOverridden,
  };
}

interface Application {
  readonly found: FoundOption;
  readonly scope: ChangedSetting["scope"];
  readonly settings: Settings;
  readonly value: unknown;
}

function apply(before: Fields, { found, scope, settings, value }: Application): Fields {
  const { path, isPerAgent } = found;
  if (scope === "user") return withValue(before, isPerAgent ? ["agents", "defaults", ...path] : path, value);
  const { workspaceDir, agentId, project } = settings;
  const owner = { agentId: project?.id ?? agentId, workspaceDir };
  const hasEntry = agentIdsOf(before).includes(owner.agentId);
  return value === undefined && !hasEntry ? before : withAgentValue(before, owner, path, value);
}

function agentIdsOf(config: Fields): unknown[] {
  const { list } = (config["agents"] ?? {}) as { list?: Fields[] };
  return (list ?? []).map(({ id }) => id);
}

/** The requested scope; otherwise that of the current value; otherwise the setting's default scope. */
function chooseScope(
  { key, option, isPerAgent }: FoundOption,
  { origins }: Settings,
  { project = false, user = false }: { project?: boolean | undefined; user?: boolean | undefined },
): ChangedSetting["scope"] {
  if (project && user) {
    throw new LonghandError("usage", "--project and --user cannot be used together.", {
      hint: "--project is for the memory that is used here, --user for all of yours.",
    });
  }
  if (project && !isPerAgent) {
    throw new LonghandError("usage", `${key} has one value for all memories.`, {
      hint: "Leave --project out.",
    });
  }
  if (project || user || !isPerAgent) return project ? "project" : "user";
  const origin = origins.get(key);
  const isOwn = origin?.from === "file" && origin.key.startsWith("agents.list");
  return isOwn || ("isPerProject" in option && option.isPerProject) ? "project" : "user";
}

function isUnion({ option }: FoundOption): boolean {
  return option.kind === "list" && option.union;
}
