/** `longhand/openclaw`: a memory with the interfaces of OpenClaw and of hosts modelled on it. */
export type { FlushPlan } from "./openclaw/flush-plan.ts";
export type {
  AgentRequest,
  HitsRequest,
  HostApi,
  HostConfig,
  HostTool,
  HostToolContext,
  MemoryCapability,
} from "./openclaw/host-api.ts";
export type { ManagerStatus } from "./openclaw/manager-status.ts";
export { createMemoryPlugin, type MemoryPlugin } from "./openclaw/memory-plugin.ts";
export {
  createSearchManager,
  type ManagerDebug,
  type ManagerEmbeddingProbe,
  type ManagerHit,
  type ManagerReadResult,
  type ManagerSearchOptions,
  type ManagerSyncOptions,
  type SearchManager,
} from "./openclaw/search-manager.ts";
