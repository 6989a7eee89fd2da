import { resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../errors.ts";
import {
  createPurgeRecords,
  type FinishParts,
  finishPendingPurges,
  type PurgeRecord,
  type PurgeRecords,
} from "../forget/purge-records.ts";
import type { MemoryStatus } from "./status.ts";

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

export interface PendingPurgesParts extends Omit<FinishParts, "records"> {
  readonly alone: PendingPurges["alone"];
  /** Null while a forget runs, in this process or another. */
  readonly tryAlone: () => Disposable | null;
}

/** Recorded next to the index file even with another store, so that the record survives a change of store. */
export function createPendingPurges(
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
