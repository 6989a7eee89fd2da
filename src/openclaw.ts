/** `longhand/openclaw`: a memory in the shapes that OpenClaw and hosts built like it expect. */
export type { ManagerStatus } from "./openclaw/manager-status.ts";
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
