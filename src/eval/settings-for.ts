import { join } from "node:path";
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
  return {
    ...quiet,
    workspaceDir,
    stateDir,
    memory: { ...quiet.memory, backend: "builtin" },
    memorySearch: {
      ...quiet.memorySearch,
      sources: ["memory"],
      extraPaths: [...extraPaths],
      exclude: [...exclude],
      store: {
        ...quiet.memorySearch.store,
        // Those that keep an index below the state folder; any other is the user's own, and shared.
        driver: quiet.memorySearch.store.driver === "lancedb" ? "lancedb" : "sqlite",
        path: join(stateDir, "index.sqlite"),
        url: undefined,
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
