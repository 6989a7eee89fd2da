import { realFolder } from "../notes/workspace.ts";
import { once } from "../text/once.ts";
import { override } from "../text/override.ts";
import { parseSessionKey } from "../text/session-key.ts";
import { projectIdFor } from "./agent-id.ts";
import { configError, findConflicts } from "./check.ts";
import { type AgentRequest, chooseAgent, defaultWorkspace, ownerOf } from "./choose-agent.ts";
import { expandPath } from "./expand-path.ts";
import { systemTimezone } from "./formats.ts";
import { callerLayer, loadConfigFile } from "./load.ts";
import { findLocations, findTrust, type LocationsRequest, readGiven, type TrustBasis } from "./locations.ts";
import { agentEntries, agentLayers, createMergeRules, mergeLayers } from "./merge.ts";
import type { LeftSetting } from "./openclaw/translate-openclaw.ts";
import type { Value } from "./option.ts";
import { agentOptions, configOptions, type PartialConfig } from "./options.ts";
import { type Origin, writtenKey } from "./origin.ts";
import { findRepository } from "./repository.ts";

type Config = Value<typeof configOptions>;
type AgentConfig = Value<typeof agentOptions>;

export interface SettingsRequest extends LocationsRequest {
  readonly workspace?: string;
  readonly agent?: string;
  /** `agent:<id>:…` chooses that agent where it is configured and `agent` is not given. */
  readonly sessionKey?: string;
  /** The folder of the user's memory, or false for none; otherwise what the configuration says. */
  readonly user?: string | false;
  /** `configuration`: the workspace that it names for the agent, else the default; the environment and folder do not count. */
  readonly workspaceFrom?: "configuration";
  /** What the configuration file would say, to try a change before it is written. */
  readonly configText?: string;
  /** Wins over everything, e.g. library callers and command-line flags; same shape as the file. */
  readonly overrides?: PartialConfig;
}

export interface Project {
  /** Names its settings in `agents.list`, and its index where machines share one. */
  readonly id: string;
  /** What it was derived from: an address, a first commit, or the folder of the repository. */
  readonly key: string;
}

/** What is in force for one agent and workspace. All paths are absolute. */
export interface Settings {
  readonly agentId: string;
  /** Agents that the configuration names, this one among them or not. */
  readonly configuredAgents: readonly string[];
  /** What its clones and worktrees share, where the folder belongs to a repository and no agent was named. */
  readonly project: Project | null;
  readonly workspaceDir: string;
  readonly workspaceOrigin: Origin;
  readonly stateDir: string;
  /** By what the user may have said that the workspace is trusted. */
  readonly trust: TrustBasis;
  /** null when there is no configuration file. */
  readonly configPath: string | null;
  /** Settings about memory that the configuration of OpenClaw has and longhand does not follow. */
  readonly leftSettings: readonly LeftSetting[];
  readonly userTimezone: string;
  readonly notes: AgentConfig["notes"];
  readonly layers: AgentConfig["layers"];
  /** The same, but null where it is the system's, whose name takes long to find. */
  readonly configuredTimezone: string | null;
  readonly memorySearch: AgentConfig["memorySearch"];
  readonly compaction: AgentConfig["compaction"];
  readonly memory: Config["memory"];
  readonly consolidation: Config["consolidation"];
  readonly tools: Config["tools"];
  readonly plugins: Config["plugins"];
  readonly models: Config["models"];
  /**
   * By key of these settings (`memorySearch.query.maxResults`), and for `agentId`, `stateDir`,
   * `configPath`.
   */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The user's memory, searched beside that of the project; null when it is switched off. */
  readonly userLayer: UserLayer | null;
  /** Memory is switched off by `enabled: false` or `plugins.slots.memory: "none"`. */
  readonly disabled: boolean;
}

export async function resolveSettings(request: SettingsRequest = {}): Promise<Settings> {
  const locations = findLocations(request);
  const { env, home, currentDir, stateDir, configPath } = locations;
  const named = locations.configOrigin.from !== "default";
  const file = await loadConfigFile({ path: configPath, named, env, content: request.configText });
  const caller = callerLayer(request.overrides, currentDir);
  const layers = file === null ? [caller] : [file, caller];
  const agentRequest: AgentRequest = {
    workspace:
      request.workspaceFrom === "configuration"
        ? null
        : readGiven(env, { text: request.workspace, key: "workspace", variable: "LONGHAND_WORKSPACE" }),
    looksAround: request.workspaceFrom !== "configuration",
    agent: readGiven(env, { text: request.agent, key: "agent", variable: "LONGHAND_AGENT" }),
    sessionAgent: request.sessionKey === undefined ? null : parseSessionKey(request.sessionKey).agentId,
    file,
    caller,
    home,
    stateDir,
    otherStateDirs: [locations.defaultStateDir],
    currentDir,
  };
  const chosen = chooseAgent(agentRequest);
  const { agentId, workspaceDir, workspaceOrigin } = chosen;

  const project = once(() => {
    // Who names an agent means that one; a folder with an entry of its own has its settings there.
    const repository = chosen.agentOrigin.from === "found" ? findRepository(workspaceDir) : null;
    return { found: repository && { id: projectIdFor(repository), key: repository.key } };
  });
  const hasEntries = layers.some((layer) => agentEntries(layer).length > 0);
  const mergeFor = (id: string, dir: string) => {
    const own = createMergeRules({ home, stateDir, agentId: id, workspaceDir: dir, env });
    const shared = hasEntries && dir === workspaceDir ? project().found : null;
    const ids = shared === null ? [id] : [shared.id, id];
    const forAgent = layers.flatMap((layer) => agentLayers(layer, ...ids));
    return mergeLayers(agentOptions, forAgent, own);
  };
  const rules = createMergeRules({ home, stateDir, agentId, workspaceDir, env });
  const { agents: _, ...hostGroups } = configOptions.options;
  const agent = mergeFor(agentId, workspaceDir);
  const host = mergeLayers({ ...configOptions, options: hostGroups }, layers, rules);
  const origins = new Map<string, Origin>([
    ["agentId", chosen.agentOrigin],
    ["stateDir", locations.stateOrigin],
    ["configPath", locations.configOrigin],
    ...agent.origins,
    ["workspace", workspaceOrigin],
    ...host.origins,
  ]);

  const {
    userTimezone,
    notes,
    compaction,
    memorySearch: configured,
    layers: beside,
  } = agent.value as AgentConfig;
  const { memory, consolidation, tools, plugins, models } = host.value as Omit<Config, "agents">;
  const memorySearch =
    memory.backend === "qmd" ? withQmdSessions(configured, memory.qmd.sessions) : configured;
  const conflicts = findConflicts({ memorySearch, notes });
  if (conflicts.length > 0) {
    const written = conflicts.map((problem) => ({
      ...problem,
      key: writtenKey(problem.key, origins.get(problem.key)),
    }));
    throw configError(file === null ? "the given options" : configPath, written);
  }
  const resolveOwn = (dir: string): OwnSettings => {
    const { text: id } = ownerOf(dir, agentRequest);
    const own = mergeFor(id, dir).value as AgentConfig;
    return { agentId: id, notes: own.notes, memorySearch: normaliseWeights(own.memorySearch) };
  };
  const { user } = request;
  const userChoice =
    user === undefined
      ? beside.user
      : { enabled: user !== false, path: expandPath(user || ".", { home, stateDir, baseDir: currentDir }) };
  const userLayer = once(() => ({ chosen: chooseUserLayer(settings, userChoice, resolveOwn) }));
  const settings: Settings = {
    agentId,
    configuredAgents: [...new Set(layers.flatMap(agentEntries).map(({ id }) => id))],
    get project() {
      return project().found;
    },
    workspaceDir,
    workspaceOrigin,
    stateDir,
    trust: findTrust({
      ...locations,
      workspaceDir,
      defaultWorkspace: defaultWorkspace(stateDir),
      namedWorkspaces: chosen.namedWorkspaces,
    }),
    configPath: file === null ? null : configPath,
    leftSettings: file?.left ?? [],
    // Asking the system takes more than ten milliseconds, and a search has no use for the answer.
    configuredTimezone: userTimezone === systemTimezone ? null : userTimezone,
    get userTimezone() {
      return userTimezone === systemTimezone ? readSystemTimezone() : userTimezone;
    },
    notes,
    layers: beside,
    memorySearch: normaliseWeights(memorySearch),
    compaction,
    memory,
    consolidation,
    tools,
    plugins,
    models,
    origins,
    disabled: !memorySearch.enabled || plugins.slots.memory === "none",
    get userLayer() {
      return userLayer().chosen;
    },
  };
  return settings;
}

/** OpenClaw switches transcripts on for qmd by a key of their own. */
function withQmdSessions(
  memorySearch: AgentConfig["memorySearch"],
  { enabled }: { readonly enabled: boolean },
): AgentConfig["memorySearch"] {
  if (!enabled) return memorySearch;
  const sources = [...new Set([...memorySearch.sources, "sessions" as const])];
  return { ...memorySearch, sources, experimental: { ...memorySearch.experimental, sessionMemory: true } };
}

function readSystemTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}

/** The user's memory beside that of the project, whether it is there yet or not. */
interface UserLayer {
  /** Absolute. */
  readonly dir: string;
  /** The workspace is this very folder. */
  readonly isWorkspace: boolean;
  /** The settings of its memory, resolved when it is opened. */
  readonly settings: () => Settings;
}

/** What is in force for a workspace by itself. */
type OwnSettings = Pick<Settings, "agentId" | "notes" | "memorySearch">;

/**
 * Its index is a local file whatever the project uses: a person's notes do not belong in the database of a team. It
 * is searched as one with the project's, so both have the same embedder.
 */
function chooseUserLayer(
  project: Settings,
  layer: { readonly enabled: boolean; readonly path: string },
  resolveOwn: (workspaceDir: string) => OwnSettings,
): UserLayer | null {
  const { enabled, path: dir } = layer;
  if (!enabled) return null;
  const isWorkspace = realFolder(dir) === realFolder(project.workspaceDir);
  return { dir, isWorkspace, settings: () => toLayerSettings(project, dir, resolveOwn(dir)) };
}

function toLayerSettings(project: Settings, dir: string, own: OwnSettings): Settings {
  const { provider, model, outputDimensionality, fallback, remote, local, query } = project.memorySearch;
  const { store } = own.memorySearch;
  const { stateDir } = project;
  const file = "<state>/memory/{agentId}.longhand.sqlite";
  const path = expandPath(file, { home: stateDir, stateDir, baseDir: stateDir, agentId: own.agentId });
  return override(project, {
    agentId: own.agentId,
    project: null,
    notes: own.notes,
    workspaceDir: dir,
    workspaceOrigin: project.origins.get("layers.user.path") ?? { from: "default" },
    memorySearch: {
      ...own.memorySearch,
      ...{ provider, model, outputDimensionality, fallback, remote, local, query },
      sources: ["memory"],
      store: store.driver === "sqlite" ? store : { ...store, driver: "sqlite", path, url: undefined },
    },
    memory: { ...project.memory, backend: "builtin" },
    plugins: { ...project.plugins, slots: { ...project.plugins.slots, memory: "memory-core" } },
    // What is a setting of the project's own stays so; whose the agent is does not.
    origins: new Map([...project.origins, ["agentId", { from: "found", reason: "the user's memory" }]]),
    userLayer: null,
  });
}

/** The weights of the two searches, scaled to sum 1. */
function normaliseWeights(memorySearch: AgentConfig["memorySearch"]): AgentConfig["memorySearch"] {
  const { query } = memorySearch;
  const sum = query.hybrid.vectorWeight + query.hybrid.textWeight;
  const vectorWeight = query.hybrid.vectorWeight / sum;
  const textWeight = query.hybrid.textWeight / sum;
  return { ...memorySearch, query: { ...query, hybrid: { ...query.hybrid, vectorWeight, textWeight } } };
}
