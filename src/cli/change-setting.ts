import { type DescribedSetting, describeSettings } from "../config/describe.ts";
import { checkValue, type FoundOption, findOption, readValue } from "../config/find-option.ts";
import { resolveSettings, type Settings } from "../config/settings.ts";
import { LonghandError } from "../errors.ts";
import type { CommandContext } from "./command.ts";
import { editConfig, type Fields, withAgentValue, withValue } from "./edit-config.ts";
import { placeOf } from "./with-memory.ts";

export interface SettingChange {
  readonly key: string;
  /** Undefined takes the setting out. */
  readonly value: string | undefined;
  readonly project?: boolean | undefined;
  readonly user?: boolean | undefined;
}

export interface ChangedSetting extends DescribedSetting {
  /** `project`: for the agent of this workspace alone, or for all clones and worktrees of its repository. */
  readonly scope: "project" | "user";
  readonly agent: string;
  /** The entry is that of a repository, which its clones and worktrees share. */
  readonly isShared: boolean;
  readonly path: string;
  readonly changed: boolean;
  /** Something else wins over what was written. */
  readonly isOverridden: boolean;
}

/** Writes a setting into the configuration file, or takes it out. What is not right is refused, and nothing changes. */
export async function changeSetting(
  { globals }: Pick<CommandContext, "globals">,
  { key, value: text, project, user }: SettingChange,
): Promise<ChangedSetting> {
  const found = findOption(key);
  const value = text === undefined ? undefined : await readValue(found, text);
  if (value !== undefined) checkValue(found, value);
  const place = placeOf(globals);
  const settings = await resolveSettings(place);
  const scope = chooseScope(found, settings, { project, user });
  const { path, changed } = await editConfig(place, (before) =>
    apply(before, { found, scope, settings, value }),
  );
  const after = await resolveSettings(place);
  const shown = describeSettings(after).find((setting) => setting.key === found.key);
  const origin = after.origins.get(found.key);
  const wanted = scope === "project" ? "agents.list" : found.isPerAgent ? "agents.defaults" : "";
  const isInForce = origin?.from === "file" && origin.key.startsWith(wanted);
  // Lists of all places are put together, so none wins over another.
  const isOverridden = value !== undefined && !isInForce && !isUnion(found);
  return {
    key: found.key,
    value: shown?.value ?? null,
    origin: shown?.origin ?? "default",
    ...{
      scope,
      agent: after.project?.id ?? after.agentId,
      isShared: after.project !== null,
      path,
      changed,
      isOverridden,
    },
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

/** What was asked for; else where this memory has the value from; else what kind of setting it is. */
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
