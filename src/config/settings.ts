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
import { agentEntries, agentLayers, mergeLayers } from "./merge.ts";
import type { UnsupportedSetting } from "./openclaw/translate-openclaw.ts";
import type { Value } from "./option.ts";
import { agentOptions, configOptions, type PartialConfig } from "./options.ts";
import { type Origin, writtenKey } from "./origin.ts";
import { findRepository } from "./repository.ts";

type Config = Value<typeof configOptions>;
type AgentConfig = Value<typeof agentOptions>;

export interface SettingsRequest extends LocationsRequest {
  readonly workspace?: string | undefined;
  readonly agent?: string | undefined;
  /** `agent:<id>:…` selects that agent if it is configured and `agent` is not given. */
  readonly sessionKey?: string | undefined;
  /** The folder of the user's memory, or false for none; the configuration's by default. */
  readonly user?: string | false | undefined;
  /**
   * `configuration`: the workspace that it names for the agent, otherwise the default; environment and current folder
   * are ignored.
   */
  readonly workspaceFrom?: "configuration" | undefined;
  /** Text to use instead of the file's, to try a change before it is written. */
  readonly configText?: string | undefined;
  /** Overrides everything, e.g. library callers and command-line flags; same shape as the file. */
  readonly overrides?: PartialConfig | undefined;
}

export interface Project {
  /** Identifies its settings in `agents.list`, and its index if machines share one. */
  readonly id: string;
  /** What it was derived from: an address, a first commit, or the folder of the repository. */
  readonly key: string;
}

/** The effective settings for one agent and workspace. All paths are absolute. */
export interface Settings {
  readonly agentId: string;
  /** Agents named in the configuration; this one may be among them. */
  readonly configuredAgents: readonly string[];
  /** What clones and worktrees share, if the folder belongs to a repository and no agent was named. */
  readonly project: Project | null;
  readonly workspaceDir: string;
  readonly workspaceOrigin: Origin;
  readonly stateDir: string;
  /** Where the user may have recorded that the workspace is trusted. */
  readonly trust: TrustBasis;
  /** null if there is no configuration file. */
  readonly configPath: string | null;
  /** Settings about memory in the configuration of OpenClaw that longhand does not support. */
  readonly unsupportedSettings: readonly UnsupportedSetting[];
  readonly userTimezone: string;
  readonly notes: AgentConfig["notes"];
  readonly layers: AgentConfig["layers"];
  /** The same, but null if it is the system's, whose name is slow to determine. */
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
  /** The user's memory, searched beside the project's; null if it is disabled. */
  readonly userLayer: UserLayer | null;
  /** Memory is disabled by `enabled: false` or `plugins.slots.memory: "none"`. */
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
    usesNearestFolder: request.workspaceFrom !== "configuration",
    agent: readGiven(env, { text: request.agent, key: "agent", variable: "LONGHAND_AGENT" }),
    sessionAgent: request.sessionKey === undefined ? null : parseSessionKey(request.sessionKey).agentId,
    file,
    caller,
    home,
    stateDir,
    defaultStateDir: locations.defaultStateDir,
    currentDir,
  };
  const chosen = chooseAgent(agentRequest);
  const { agentId, workspaceDir, workspaceOrigin } = chosen;

  const project = once(() => {
    // An explicitly named agent takes precedence; a folder with an entry of its own has its settings there.
    const repository = chosen.agentOrigin.from === "found" ? findRepository(workspaceDir) : null;
    return { found: repository && { id: projectIdFor(repository), key: repository.key } };
  });
  const hasEntries = layers.some((layer) => agentEntries(layer).length > 0);
  const mergeFor = (id: string, dir: string) => {
    const shared = hasEntries && dir === workspaceDir ? project().found : null;
    const ids = shared === null ? [id] : [shared.id, id];
    const forAgent = layers.flatMap((layer) => agentLayers(layer, ...ids));
    return mergeLayers(agentOptions, forAgent, { home, stateDir, agentId: id, workspaceDir: dir, env });
  };
  const { agents: _, ...hostGroups } = configOptions.options;
  const agent = mergeFor(agentId, workspaceDir);
  const context = { home, stateDir, agentId, workspaceDir, env };
  const host = mergeLayers({ ...configOptions, options: hostGroups }, layers, context);
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
    unsupportedSettings: file?.left ?? [],
    // Asking the system takes more than ten milliseconds, and a search does not need the answer.
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

/** OpenClaw enables transcripts for qmd by a separate key. */
function withQmdSessions(
  memorySearch: AgentConfig["memorySearch"],
  { enabled }: { readonly enabled: boolean },
): AgentConfig["memorySearch"] {
  if (!enabled) return memorySearch;
  const sources = [...new Set([...memorySearch.sources, "sessions" as const])];
  return { ...memorySearch, sources, experimental: { ...memorySearch.experimental, sessionMemory: true } };
}

function readSystemTimezone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // ICU's name for a TZ that names no zone.
  return timeZone === undefined || timeZone === "Etc/Unknown" ? "UTC" : timeZone;
}

/** The user's memory beside the project's, whether or not it exists yet. */
interface UserLayer {
  /** Absolute. */
  readonly dir: string;
  /** Whether the workspace is this very folder. */
  readonly isWorkspace: boolean;
  /** The settings of its memory, resolved when it is opened. */
  readonly settings: () => Settings;
}

/** The effective settings of a workspace by itself. */
type OwnSettings = Pick<Settings, "agentId" | "notes" | "memorySearch">;

/**
 * Its index is a local file whatever the project uses: a person's notes do not belong in a team's database. It is
 * searched together with the project's, so both use the same embedder.
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
    // Settings of the project itself are kept; those that identify the agent are not.
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
