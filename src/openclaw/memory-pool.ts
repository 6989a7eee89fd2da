import { mergeFields } from "../config/openclaw/fields.ts";
import type { PartialConfig } from "../config/options.ts";
import type { Memory, OpenMemoryOptions } from "../memory/memory.ts";
import { isFields } from "../text/fields.ts";
import { type HostApi, type HostConfig, readSearchSetting, readSetting, readText } from "./host-api.ts";
import { createSearchManager, type SearchManager } from "./search-manager.ts";

/** The memories of a host's agents: opened at first use, shared by all conversations of an agent. */
export interface MemoryPool {
  memoryOf(agentId: string, config: HostConfig): Promise<Memory>;
  managerOf(agentId: string, config: HostConfig): Promise<SearchManager>;
  /** A separate memory, for a caller that closes it. */
  ownManager(agentId: string, config: HostConfig): Promise<SearchManager>;
  close(agentId: string): Promise<void>;
  closeAll(): Promise<void>;
}

interface Opened {
  readonly memory: Promise<Memory>;
  readonly options: string;
  manager?: Promise<SearchManager>;
}

export function createMemoryPool(
  api: Pick<HostApi, "runtime" | "pluginConfig">,
  openMemory: (options: OpenMemoryOptions) => Promise<Memory>,
): MemoryPool {
  const opened = new Map<string, Opened>();
  const lent = new Set<SearchManager>();

  function open(agentId: string, config: HostConfig): Opened {
    const options = readOptions(api, agentId, config);
    const key = JSON.stringify(options);
    const known = opened.get(agentId);
    if (known?.options === key) return known;
    // The user has changed a setting: calls in progress finish with the old memory.
    if (known) closeQuietly(known);
    const memory = openMemory(options);
    const fresh: Opened = { memory, options: key };
    opened.set(agentId, fresh);
    // A memory that could not be opened is tried again by the next call.
    memory.catch(() => {
      if (opened.get(agentId) === fresh) opened.delete(agentId);
    });
    return fresh;
  }

  async function closeAll(): Promise<void> {
    const all = [...opened.values()].map(closeOpened);
    const others = [...lent].map((manager) => manager.close());
    opened.clear();
    lent.clear();
    await Promise.allSettled([...all, ...others]);
  }

  return {
    memoryOf: async (agentId, config) => await open(agentId, config).memory,
    async managerOf(agentId, config) {
      const entry = open(agentId, config);
      entry.manager ??= entry.memory.then(createSearchManager);
      return await entry.manager;
    },
    async ownManager(agentId, config) {
      const manager = await createSearchManager(await openMemory(readOptions(api, agentId, config)));
      lent.add(manager);
      return {
        ...manager,
        async close() {
          lent.delete(manager);
          await manager.close();
        },
      };
    },
    async close(agentId) {
      const entry = opened.get(agentId);
      opened.delete(agentId);
      if (entry) await closeOpened(entry);
    },
    closeAll,
  };
}

async function closeOpened({ memory, manager }: Opened): Promise<void> {
  if (manager) await (await manager).close();
  else await (await memory).close();
}

function closeQuietly(entry: Opened): void {
  closeOpened(entry).catch(() => {});
}

/** The workspace and state folder of the host, and the user's settings for memory search. */
function readOptions(
  { runtime, pluginConfig }: Pick<HostApi, "runtime" | "pluginConfig">,
  agentId: string,
  config: HostConfig,
): OpenMemoryOptions {
  const own = readSetting(pluginConfig, "config");
  const base = hostConfig(config, agentId);
  return {
    agent: agentId,
    workspace: runtime.agent.resolveAgentWorkspaceDir(config, agentId),
    stateDir: readText(readSetting(pluginConfig, "stateDir")) ?? runtime.state.resolveStateDir(),
    // The plugin's own settings override the host's.
    config:
      readText(own) ??
      (isFields(own) ? mergeFields(base, own) : ((own as PartialConfig | undefined) ?? base)),
  };
}

/**
 * Only settings that determine which text is searched and how it is cited; services and keys are configured in longhand
 * itself.
 */
function hostConfig(config: HostConfig, agentId: string): PartialConfig {
  const extraPaths = readSearchSetting(config, agentId, "extraPaths");
  const timezone = readText(readSetting(config, "agents", "defaults", "userTimezone"));
  const citations = readText(readSetting(config, "memory", "citations"));
  const texts = Array.isArray(extraPaths) ? extraPaths.filter((path) => typeof path === "string") : [];
  const paths = texts.map((path) => path.trim()).filter((path) => path !== "");
  return {
    agents: {
      defaults: {
        userTimezone: timezone,
        memorySearch: {
          ...(paths.length > 0 && { extraPaths: paths }),
          ...(wantsSessions(config, agentId) && {
            sources: ["memory", "sessions"],
            experimental: { sessionMemory: true },
          }),
        },
      },
    },
    ...(isCitations(citations) && { memory: { citations } }),
  };
}

function wantsSessions(config: HostConfig, agentId: string): boolean {
  if (readSearchSetting(config, agentId, "rememberAcrossConversations") === true) return true;
  const isAllowed = readSearchSetting(config, agentId, "experimental", "sessionMemory");
  if (typeof isAllowed === "boolean") return isAllowed;
  const sources = readSearchSetting(config, agentId, "sources");
  return Array.isArray(sources) && sources.includes("sessions");
}

function isCitations(value: string | undefined): value is "auto" | "on" | "off" {
  return value === "auto" || value === "on" || value === "off";
}
