import { basename, join } from "node:path";
import type { Settings } from "../config/settings.ts";

export interface NotesPlace {
  readonly workspaceDir: string;
  readonly extraPaths: readonly string[];
  readonly exclude: readonly string[];
  /** Where the index goes. */
  readonly stateDir: string;
}

/**
 * The same settings for other notes, with an index of their own. Whatever decides how text is cut, embedded and ranked
 * stays; nothing of the user's own notes and database is touched.
 */
export function settingsFor(settings: Settings, place: NotesPlace): Settings {
  const quiet = withoutScans(settings);
  const { workspaceDir, stateDir, extraPaths, exclude } = place;
  const { store } = quiet.memorySearch;
  return {
    ...quiet,
    workspaceDir,
    stateDir,
    // In a database that others share, the index is that of an agent whom nobody else is.
    agentId: basename(stateDir),
    project: null,
    userLayer: null,
    memory: { ...quiet.memory, backend: "builtin" },
    memorySearch: {
      ...quiet.memorySearch,
      sources: ["memory"],
      extraPaths: [...extraPaths],
      exclude: [...exclude],
      store: {
        ...store,
        path: join(stateDir, "index.sqlite"),
        // Without one, the index lies below the state folder.
        url: store.driver === "postgres" ? store.url : undefined,
      },
    },
  };
}

/** A search that first looks for changed files would be measured together with that look. */
export function withoutScans(settings: Settings): Settings {
  const { memorySearch } = settings;
  const sync = { ...memorySearch.sync, onSearch: false, watch: false };
  return { ...settings, memorySearch: { ...memorySearch, sync } };
}
