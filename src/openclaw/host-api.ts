import type { MemoryTool } from "../tools/tool.ts";
import type { FlushPlan } from "./flush-plan.ts";
import type { ManagerHit, SearchManager } from "./search-manager.ts";

/** OpenClaw's configuration. Only a few of its settings are read, each where it is used. */
export type HostConfig = Readonly<Record<string, unknown>>;

/** The caller, as OpenClaw passes it to a tool. */
export interface HostToolContext {
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly sandboxed?: boolean;
  readonly config?: HostConfig;
  readonly runtimeConfig?: HostConfig;
  getRuntimeConfig?(): HostConfig | undefined;
}

/** A tool in OpenClaw's shape. */
export interface HostTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: MemoryTool["inputSchema"];
  /** The tool itself is listed for the model, instead of being found by a tool search. */
  readonly catalogMode: "direct-only";
  execute(
    callId: string,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<{
    readonly content: readonly { type: "text"; text: string }[];
    readonly details: { readonly ok: boolean };
  }>;
}

export interface AgentRequest {
  readonly cfg: HostConfig;
  readonly agentId: string;
}

export interface HitsRequest extends AgentRequest {
  readonly requesterSessionKey: string | undefined;
  readonly sandboxed: boolean;
  readonly hits: readonly ManagerHit[];
}

/** What a plugin in OpenClaw's memory slot provides. */
export interface MemoryCapability {
  readonly deterministicRecallToolName: string;
  promptBuilder(request: {
    readonly availableTools: ReadonlySet<string>;
    readonly citationsMode?: "auto" | "on" | "off";
    readonly agentSessionKey?: string;
  }): string[];
  flushPlanResolver(request: {
    readonly cfg?: HostConfig;
    readonly nowMs?: number;
    readonly contextWindowTokens?: number;
  }): FlushPlan | null;
  readonly runtime: {
    resolveMemoryBackendConfig(request: AgentRequest): { readonly backend: "builtin" };
    getMemorySearchManager(
      request: AgentRequest & { readonly purpose?: "default" | "status" | "cli" },
    ): Promise<{ readonly manager: SearchManager | null; readonly error?: string }>;
    authorizeSearchHits(request: HitsRequest): Promise<readonly ManagerHit[]>;
    closeMemorySearchManager(request: AgentRequest): Promise<void>;
    closeAllMemorySearchManagers(): Promise<void>;
  };
}

/** The part of OpenClaw's plugin API that is used. */
export interface HostApi {
  readonly config: HostConfig;
  readonly pluginConfig?: Readonly<Record<string, unknown>>;
  readonly runtime: {
    readonly agent: {
      resolveAgentWorkspaceDir(cfg: HostConfig, agentId: string): string;
      readonly session?: {
        getSessionEntry?(request: {
          agentId: string;
          sessionKey: string;
        }): { sessionId?: string } | undefined;
      };
    };
    readonly state: { resolveStateDir(): string };
  };
  registerTool(
    create: (context: HostToolContext) => HostTool | null,
    options: { readonly names: readonly string[] },
  ): void;
  registerMemoryCapability(capability: MemoryCapability): void;
}

/** The value at a path of keys, or undefined if the configuration has none. */
export function readSetting(config: HostConfig | undefined, ...keys: readonly string[]): unknown {
  let value: unknown = config;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as HostConfig)[key];
  }
  return value;
}

/**
 * A setting of memory search, for one agent if it has its own. Current versions keep it under `memory.search` and
 * `agents.entries`, older ones under `memorySearch` and `agents.list`.
 */
export function readSearchSetting(config: HostConfig, agentId: string, ...keys: readonly string[]): unknown {
  const list = readSetting(config, "agents", "list");
  const listed = Array.isArray(list) ? list.find((each) => each?.id === agentId) : undefined;
  const own = readSetting(config, "agents", "entries", agentId) as HostConfig | undefined;
  return (
    readSetting(own, "memory", "search", ...keys) ??
    readSetting(own ?? listed, "memorySearch", ...keys) ??
    readSetting(config, "memory", "search", ...keys) ??
    readSetting(config, "agents", "defaults", "memorySearch", ...keys)
  );
}

export function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;
}
