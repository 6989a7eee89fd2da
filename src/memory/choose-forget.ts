import { join, resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { Engine } from "../engines/engine.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import type { Notes } from "../notes/notes.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";
import { tryFileLock, withFileLock } from "../stores/lock.ts";
import { sha256 } from "../text/hash.ts";
import { once } from "../text/once.ts";
import type { ChosenConsolidation } from "./choose-consolidation.ts";
import { createPendingPurges, type PendingPurges } from "./pending-purges.ts";

export interface ForgetContext {
  readonly notes: Notes;
  readonly openTranscripts: () => Promise<Transcripts>;
  readonly openEngine: () => Promise<Engine>;
  readonly purgeReceipts: ChosenConsolidation["purge"];
  readonly now: () => Date;
}

/** Forgetting in one memory: in its notes and in everything derived from them. */
export interface ChosenForget {
  forget(request: ForgetRequest): Promise<ForgetResult>;
  /** The same without the index of entries, which the entries plugin keeps in step with its file itself. */
  forgetLines(request: ForgetRequest): Promise<ForgetResult>;
  readonly pendingPurges: PendingPurges;
}

/** How long a forget waits for another one on the same index. */
const waitMs = 30_000;

export function chooseForget(settings: Settings, place: ForgetContext): ChosenForget {
  const { notes, openTranscripts, openEngine, purgeReceipts, now } = place;
  /** On demand, because hashing its name loads a large module of Node. */
  const lockPath = once(() => lockPathOf(settings));
  const pendingPurges = createPendingPurges(settings, {
    ...{ notes, openEngine, purgeReceipts, removeEntries },
    alone: (work) => withFileLock(lockPath(), { timeoutMs: waitMs }, work),
    tryAlone: () => tryFileLock(lockPath()),
  });
  const { records, alone } = pendingPurges;

  /** The index of entries is derived from the same lines, whether the plugin is in use or was used before. */
  async function removeEntries(): Promise<string | null> {
    const { entryIndexFolder, removeEntryIndex } = await import("../stores/entry-index.ts");
    return removeEntryIndex(entryIndexFolder(settings));
  }

  async function run(request: ForgetRequest, remove: typeof removeEntries): Promise<ForgetResult> {
    const { forget } = await import("../forget/forget.ts");
    return await forget(
      {
        ...{ notes, openEngine, records, alone, purgeReceipts, now },
        removeEntries: remove,
        findElsewhere: (texts) => findElsewhere(settings, openTranscripts, texts),
      },
      request,
    );
  }

  return {
    forget: (request) => run(request, removeEntries),
    forgetLines: (request) => run(request, async () => null),
    pendingPurges,
  };
}

/** One lock per index. */
function lockPathOf({ stateDir, memorySearch }: Settings): string {
  const index = sha256(resolve(memorySearch.store.path)).slice(0, 16);
  return join(stateDir, "locks", `forget-${index}.lock`);
}

/** The index covers indexed transcripts; all others are searched line by line. */
async function findElsewhere(
  { memorySearch }: Settings,
  openTranscripts: () => Promise<Transcripts>,
  texts: readonly string[],
) {
  if (memorySearch.sources.includes("sessions")) return [];
  const { createLineSearch } = await import("../stores/needle-search.ts");
  const { visitTranscripts } = await import("./same-in-transcripts.ts");
  const search = createLineSearch(texts);
  if (search.isPointless) return [];
  await visitTranscripts(await openTranscripts(), ({ path, line, text }) =>
    search.visit({ path, text, start_line: line, end_line: line }),
  );
  return search.found();
}
