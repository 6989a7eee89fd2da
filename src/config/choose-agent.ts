import { LonghandError } from "../errors.ts";
import { findNearestWorkspace, realFolder } from "../notes/workspace.ts";
import { quote } from "../text/value-rule.ts";
import { agentIdForFolder, agentIdRule, isAgentId, mainAgentId } from "./agent-id.ts";
import { expandPath } from "./expand-path.ts";
import { nearestKey } from "./known-keys.ts";
import type { Given } from "./locations.ts";
import { agentEntries, agentLayers, type Layer } from "./merge.ts";
import type { Origin } from "./origin.ts";
import type { Settings } from "./settings.ts";

export interface AgentRequest {
  readonly workspace: Given | null;
  readonly agent: Given | null;
  /** The agent that a session key names; used if it is configured and the caller names no other. */
  readonly sessionAgent?: string | null;
  /** The configuration file, then the caller's values, which also override the environment. */
  readonly file: Layer | null;
  readonly caller: Layer;
  readonly home: string;
  readonly stateDir: string;
  readonly defaultStateDir: string;
  readonly currentDir: string;
  /** Whether the nearest folder with notes may be the workspace. */
  readonly usesNearestFolder: boolean;
}

interface ChosenAgent {
  readonly agentId: string;
  readonly agentOrigin: Origin;
  /** Absolute. */
  readonly workspaceDir: string;
  readonly workspaceOrigin: Origin;
  /** Workspaces that the configuration file names, for any agent. Absolute. */
  readonly namedWorkspaces: readonly string[];
}

interface Workspace {
  readonly dir: string;
  readonly origin: Origin;
}

/** The workspace is determined first, for the named agent or else for `main`; then the agent, unless one was named. */
export function chooseAgent(request: AgentRequest): ChosenAgent {
  const agent = namedAgent(request);
  if (agent !== null && !isAgentId(agent.text)) throw invalidAgent(agent);
  const workspace = chooseWorkspace(request, agent?.text ?? mainAgentId);
  const chosen = agent ?? ownerOf(workspace.dir, request);
  return {
    agentId: chosen.text,
    agentOrigin: chosen.origin,
    workspaceDir: workspace.dir,
    workspaceOrigin: workspace.origin,
    namedWorkspaces: request.file === null ? [] : namedBy(request, request.file, chosen.text),
  };
}

function layersOf({ file, caller }: AgentRequest): Layer[] {
  return file === null ? [caller] : [file, caller];
}

/** Ids are case-insensitive: `MAIN` is `main`, and a configured agent is found however its id is spelled. */
function namedAgent(request: AgentRequest): Given | null {
  const { agent, sessionAgent = null } = request;
  const configured = layersOf(request).flatMap(agentEntries);
  const idOf = (text: string): string | undefined =>
    [...configured.map(({ id }) => id), mainAgentId].find((id) => id.toLowerCase() === text.toLowerCase());
  const bySession = configured.find(({ id }) => id.toLowerCase() === sessionAgent);
  if (bySession !== undefined && agent?.origin.from !== "caller") {
    return { text: bySession.id, origin: { from: "caller", key: "sessionKey" } };
  }
  return agent && { ...agent, text: idOf(agent.text) ?? agent.text };
}

function namedBy(request: AgentRequest, file: Layer, agentId: string): string[] {
  const agents = [mainAgentId, agentId, ...agentEntries(file).map(({ id }) => id)];
  return agents.flatMap((id) => configuredWorkspace(request, [file], id)?.dir ?? []);
}

function chooseWorkspace(request: AgentRequest, agentId: string): Workspace {
  const { workspace, caller, file, home, stateDir, defaultStateDir, currentDir, usesNearestFolder } = request;
  const byCaller = configuredWorkspace(request, [caller], agentId);
  if (byCaller !== null && workspace?.origin.from !== "caller") return byCaller;
  if (workspace !== null) {
    const dir = expandPath(workspace.text, { home, baseDir: currentDir });
    return { dir, origin: workspace.origin };
  }
  const byFile = file && configuredWorkspace(request, [file], agentId);
  if (byFile !== null) return byFile;
  const stateDirs = [stateDir, defaultStateDir];
  const nearest = usesNearestFolder
    ? findNearestWorkspace({ from: currentDir, stateDirs, named: listedWorkspaces(request) })
    : null;
  if (nearest === null) return { dir: defaultWorkspace(stateDir), origin: { from: "default" } };
  return {
    dir: nearest,
    origin: { from: "found", reason: `nearest folder with notes at or above ${currentDir}` },
  };
}

/** The workspaces of the listed agents: working in one of those folders selects it. */
function listedWorkspaces(request: AgentRequest): string[] {
  const layers = layersOf(request);
  return layers.flatMap(agentEntries).flatMap(({ id, layer }) => {
    const hasOwn = layer.values["workspace"] !== undefined;
    return hasOwn ? (configuredWorkspace(request, layers, id)?.dir ?? []) : [];
  });
}

/**
 * The agent that owns this workspace, otherwise `main` for the default one, otherwise an agent derived from the folder.
 */
export function ownerOf(dir: string, request: AgentRequest): Given {
  const real = realFolder(dir);
  const layers = layersOf(request);
  for (const { id, layer } of layers.flatMap(agentEntries)) {
    const origin = layer.originOf("id");
    const owned = configuredWorkspace(request, layers, id);
    const isOwn = owned !== null && (layer.values["workspace"] !== undefined || owned.perAgent);
    if (isOwn && realFolder(owned.dir) === real) return { text: id, origin };
  }
  const ofMain = configuredWorkspace(request, layers, mainAgentId)?.dir ?? defaultWorkspace(request.stateDir);
  if (realFolder(ofMain) === real) return { text: mainAgentId, origin: { from: "default" } };
  return {
    text: agentIdForFolder(real),
    origin: { from: "found", reason: "no configured agent has this workspace" },
  };
}

/** The workspace that the layers set for the agent, null if none does. */
function configuredWorkspace(
  { home, stateDir }: AgentRequest,
  layers: readonly Layer[],
  agentId: string,
): (Workspace & { perAgent: boolean }) | null {
  const setting = layers
    .flatMap((layer) => agentLayers(layer, agentId))
    .findLast((layer) => typeof layer.values["workspace"] === "string");
  if (setting === undefined) return null;
  const text = String(setting.values["workspace"]);
  const dir = expandPath(text, { home, stateDir, agentId, baseDir: setting.baseDir });
  return { dir, origin: setting.originOf("workspace"), perAgent: text.includes("{agentId}") };
}

export function defaultWorkspace(stateDir: string): string {
  return expandPath("<state>/workspace", { home: stateDir, stateDir, baseDir: stateDir });
}

function invalidAgent({ text, origin }: Given): LonghandError {
  const by = origin.from === "environment" ? ` in ${origin.variable}` : "";
  return new LonghandError("config-invalid", `${quote(text)}${by} cannot name an agent.`, {
    hint: `Use ${agentIdRule}.`,
  });
}

/** Any id is an agent with a memory of its own; this is the configured agent that one with a typo probably means. */
export function likelyAgent({
  agentId,
  configuredAgents,
  origins,
}: Pick<Settings, "agentId" | "configuredAgents" | "origins">): string | null {
  const isNamed = ["caller", "environment"].includes(origins.get("agentId")?.from ?? "");
  if (!isNamed || [...configuredAgents, mainAgentId].includes(agentId)) return null;
  const nearest = nearestKey(agentId, configuredAgents);
  // agent-3 beside agent-2 is the next in a series.
  const name = (id: string): string => id.replaceAll(/\d+/g, "0");
  return nearest === null || name(nearest) === name(agentId) ? null : nearest;
}
