import { resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { Engine } from "../engines/engine.ts";
import { messageOf } from "../errors.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import {
  createPurgeRecords,
  type FinishParts,
  finishPendingPurges,
  type PurgeRecord,
  type PurgeRecords,
} from "../forget/purge-records.ts";
import type { Notes } from "../notes/notes.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";
import { lockPathOf, tryFileLock, withFileLock } from "../stores/lock.ts";
import { once } from "../text/once.ts";
import type { ChosenConsolidation } from "./choose-consolidation.ts";
import type { MemoryStatus } from "./status.ts";

interface ForgetContext {
  readonly notes: Notes;
  readonly openTranscripts: () => Promise<Transcripts>;
  readonly openEngine: () => Promise<Engine>;
  readonly purgeReceipts: ChosenConsolidation["purge"];
  readonly now: () => Date;
}

/** Forgetting in one memory: in its notes and in everything derived from them. */
interface ChosenForget {
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
  const lockPath = once(() =>
    lockPathOf(settings.stateDir, "forget", resolve(settings.memorySearch.store.path)),
  );
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

/** Purges that killed processes left unfinished. */
export interface PendingPurges {
  readonly records: PurgeRecords;
  /** Runs a forget while holding the forget lock of the index. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Excludes those of a forget in progress. */
  list(): MemoryStatus["pendingPurges"];
  /** For `degraded`: that text may remain in the index, and why. Empty if no purge is pending. */
  describe(): readonly string[];
  /** Finishes pending purges after waiting for other processes; failures stay pending. */
  finish(): Promise<void>;
  /** Starts to finish pending purges, unless another process is doing so. */
  finishSoon(): void;
  /** Resolves when everything that was started has ended. */
  settled(): Promise<void>;
}

interface PendingPurgesParts extends Omit<FinishParts, "records"> {
  readonly alone: PendingPurges["alone"];
  /** Null while a forget runs, in this process or another. */
  readonly tryAlone: () => Disposable | null;
}

/** Recorded next to the index file even with another store, so that the record survives a change of store. */
function createPendingPurges(
  { memorySearch }: Pick<Settings, "memorySearch">,
  parts: PendingPurgesParts,
): PendingPurges {
  const { alone, tryAlone } = parts;
  const records = createPurgeRecords(`${resolve(memorySearch.store.path)}.pending`);
  let running = Promise.resolve();
  let problem: string | null = null;

  async function finishRecorded(): Promise<void> {
    problem = await finishPendingPurges({ ...parts, records });
  }

  async function finishUnlessBusy(): Promise<void> {
    using held = tryAlone();
    if (held !== null) await finishRecorded();
  }

  /** Runs one at a time: a second call sees what the first has left. */
  function begin(work: () => Promise<void>): Promise<void> {
    running = running.then(async () => {
      try {
        if (records.list().length > 0) await work();
      } catch (error) {
        problem = messageOf(error);
      }
    });
    return running;
  }

  /** Purges recorded while a forget runs belong to it. */
  const interrupted = (): readonly PurgeRecord[] => {
    const purges = records.list();
    if (purges.length === 0) return [];
    using held = tryAlone();
    return held === null ? [] : purges;
  };

  return {
    records,
    alone,
    list: () => interrupted().map(({ at, notes }) => ({ at, notes: notes.map(({ path }) => path) })),
    describe() {
      if (interrupted().length === 0) return [];
      const why = problem === null ? "" : `: ${problem.replace(/\.$/, "")}`;
      return [`the index may still hold text that was to be forgotten, because that was interrupted${why}`];
    },
    // A caller that syncs relies on the result, so wait for other processes.
    finish: () => begin(() => alone(finishRecorded)),
    finishSoon() {
      void begin(finishUnlessBusy);
    },
    settled: () => running,
  };
}
