import { realFolder } from "../notes/workspace.ts";
import { override } from "../text/override.ts";
import { expandPath } from "./expand-path.ts";
import type { Settings } from "./settings.ts";

/** The user's memory beside that of the project, whether it is there yet or not. */
export interface UserLayer {
  /** Absolute. */
  readonly dir: string;
  /** The workspace is this very folder. */
  readonly isWorkspace: boolean;
  /** The settings of its own memory; made by whoever opens it. */
  readonly settings: () => Settings;
}

/** What is in force for a workspace by itself. */
export type OwnSettings = Pick<Settings, "agentId" | "notes" | "memorySearch">;

/**
 * Its index is a local file whatever the project uses: a person's notes do not belong into the database of a team. It
 * is searched as one with the project's, so both have the same embedder.
 */
export function chooseUserLayer(
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
