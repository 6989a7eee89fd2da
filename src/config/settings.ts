import path from "node:path";
import { LonghandError } from "../errors.ts";
import { chooseAgent, type Given } from "./choose-agent.ts";
import { configError } from "./config-error.ts";
import { findConflicts, type MemorySearchSettings, normaliseWeights } from "./consistency.ts";
import { expandPath, homeOf } from "./expand-path.ts";
import { systemTimezone } from "./formats.ts";
import { agentLayers } from "./layer.ts";
import { callerLayer, loadConfigFile } from "./load.ts";
import { mergeLayers } from "./merge.ts";
import { createMergeRules } from "./merge-rules.ts";
import type { Value } from "./option.ts";
import { agentOptions, configOptions, type PartialConfig } from "./options.ts";
import { type Origin, writtenKey } from "./origin.ts";
import { type Environment, readVariable } from "./variables.ts";

type Config = Value<typeof configOptions>;
type AgentConfig = Value<typeof agentOptions>;

export interface SettingsRequest {
  readonly workspace?: string;
  readonly agent?: string;
  readonly config?: string;
  readonly stateDir?: string;
  /** Wins over everything, e.g. library callers and command-line flags; same shape as the file. */
  readonly overrides?: PartialConfig;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** What is in force for one agent and workspace. All paths are absolute. */
export interface Settings {
  readonly agentId: string;
  readonly workspaceDir: string;
  readonly workspaceOrigin: Origin;
  readonly stateDir: string;
  /** null when there is no configuration file. */
  readonly configPath: string | null;
  readonly userTimezone: string;
  readonly memorySearch: MemorySearchSettings;
  readonly compaction: AgentConfig["compaction"];
  readonly memory: Config["memory"];
  readonly tools: Config["tools"];
  readonly plugins: Config["plugins"];
  readonly models: Config["models"];
  /**
   * By key of these settings (`memorySearch.query.maxResults`), and for `agentId`, `stateDir`,
   * `configPath`.
   */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Memory is switched off by `enabled: false` or `plugins.slots.memory: "none"`. */
  readonly disabled: boolean;
}

export async function resolveSettings(request: SettingsRequest = {}): Promise<Settings> {
  const env: Environment = request.env ?? process.env;
  const home = homeOf(env);
  const currentDir = path.resolve(request.cwd ?? currentFolder());
  const given = (text: string | undefined, key: string, variable: string) =>
    giveText({ text, key, variable, env });

  const defaultStateDir = path.join(home, ".longhand");
  const namedStateDir = given(request.stateDir, "stateDir", "LONGHAND_STATE_DIR");
  const stateDir = expandPath(namedStateDir?.text ?? defaultStateDir, { home, baseDir: currentDir });
  const namedConfig = given(request.config, "config", "LONGHAND_CONFIG");
  const configPath = expandPath(namedConfig?.text ?? "<state>/longhand.json5", {
    home,
    stateDir,
    baseDir: currentDir,
  });

  const file = await loadConfigFile({ path: configPath, named: namedConfig !== null, env });
  const caller = callerLayer(request.overrides, currentDir);
  const layers = file === null ? [caller] : [file, caller];
  const chosen = chooseAgent({
    workspace: given(request.workspace, "workspace", "LONGHAND_WORKSPACE"),
    agent: given(request.agent, "agent", "LONGHAND_AGENT"),
    file,
    caller,
    home,
    stateDir,
    otherStateDirs: [defaultStateDir],
    currentDir,
  });
  const { agentId, workspaceDir, workspaceOrigin } = chosen;

  const rules = createMergeRules({ home, stateDir, agentId, workspaceDir, env });
  const { agents: _, ...hostGroups } = configOptions.options;
  const forAgent = layers.flatMap((layer) => agentLayers(layer, agentId));
  const agent = mergeLayers(agentOptions, forAgent, rules);
  const host = mergeLayers({ ...configOptions, options: hostGroups }, layers, rules);
  const origins = new Map<string, Origin>([
    ["agentId", chosen.agentOrigin],
    ["stateDir", namedStateDir?.origin ?? { from: "default" }],
    ["configPath", namedConfig?.origin ?? { from: "default" }],
    ...agent.origins,
    ["workspace", workspaceOrigin],
    ...host.origins,
  ]);

  const { userTimezone, memorySearch, compaction } = agent.value as AgentConfig;
  const { memory, tools, plugins, models } = host.value as Omit<Config, "agents">;
  const conflicts = findConflicts(memorySearch);
  if (conflicts.length > 0) {
    const written = conflicts.map((problem) => ({
      ...problem,
      key: writtenKey(problem.key, origins.get(problem.key)),
    }));
    throw configError(file === null ? "the given options" : configPath, written);
  }
  return {
    agentId,
    workspaceDir,
    workspaceOrigin,
    stateDir,
    configPath: file === null ? null : configPath,
    // Asking the system takes more than ten milliseconds, and a search has no use for the answer.
    get userTimezone() {
      return userTimezone === systemTimezone ? readSystemTimezone() : userTimezone;
    },
    memorySearch: normaliseWeights(memorySearch),
    compaction,
    memory,
    tools,
    plugins,
    models,
    origins,
    disabled: !memorySearch.enabled || plugins.slots.memory === "none",
  };
}

/** A value that the caller gave under `key`, else what the environment variable holds. */
function giveText(source: {
  text: string | undefined;
  key: string;
  variable: string;
  env: Environment;
}): Given | null {
  const { text, key, variable, env } = source;
  if (text !== undefined && text !== "") return { text, origin: { from: "caller", key } };
  const value = readVariable(env, variable);
  return value === null ? null : { text: value, origin: { from: "environment", variable } };
}

function readSystemTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new LonghandError("workspace-missing", "The current folder does not exist any more.", {
      hint: "Change to a folder that exists and try again.",
      cause,
    });
  }
}
