import { join } from "node:path";
import { qmdEnvironment } from "../config/child-environment.ts";
import type { Settings } from "../config/settings.ts";
import type { Engine } from "../engines/engine.ts";
import { leaveNothing } from "../engines/qmd/leave-nothing.ts";
import type { Source } from "../sources/source.ts";
import { withFileLock } from "../stores/lock.ts";
import type { Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import type { Analyser } from "../text/words/analyse.ts";

export interface EngineChoiceParts {
  readonly builtin: Engine;
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly analyser: Analyser;
  readonly chunker: Chunker;
  readonly dayOf: (moment: Date) => string;
  readonly now: () => Date;
}

/** The engine that the settings ask for: the builtin one, or qmd with the builtin one behind it. */
export async function chooseEngine(settings: Settings, parts: EngineChoiceParts): Promise<Engine> {
  const { stateDir, agentId, memory, memorySearch } = settings;
  const { builtin, store, sources, analyser, chunker, dayOf, now } = parts;
  const folder = join(stateDir, "agents", agentId, "qmd");
  if (memory.backend !== "qmd") return leaveNothing(builtin, folder);
  const { createQmdEngine } = await import("../engines/qmd/qmd-engine.ts");
  const { createFallingBackEngine } = await import("../engines/falling-back.ts");
  const { query, sync } = memorySearch;
  const environment = qmdEnvironment();
  const lock = join(stateDir, "locks", `qmd-${agentId}.lock`);
  const preferred = createQmdEngine({
    command: memory.qmd.command,
    searchPath: environment.PATH ?? environment.Path ?? "",
    besideFolder: import.meta.dirname,
    environment,
    folder,
    sources,
    analyser,
    chunker,
    vocabulary: store,
    mode: memory.qmd.searchMode,
    settings: { ...query, ...query.hybrid },
    today: () => dayOf(now()),
    timeoutMs: memory.qmd.timeoutMs,
    searchWaitMs: sync.onSearch ? sync.searchWaitMs : null,
    updateIntervalMs: memory.qmd.updateIntervalMinutes * 60_000,
    withLock: (work) => withFileLock(lock, {}, work),
    now,
  });
  return createFallingBackEngine({ preferred, builtin, maxResults: query.maxResults, now });
}
