import { resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import { messageOf } from "../errors.ts";
import {
  createOwedPurges,
  type FinishParts,
  finishOwedPurges,
  type OwedPurge,
  type OwedPurges,
} from "../forget/owed-purges.ts";
import type { MemoryStatus } from "./status.ts";

/** Purges that killed processes have left to a memory. */
export interface PendingPurges {
  readonly owed: OwedPurges;
  /** Runs a forget while no other one runs on the same index. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Without those of a forget that is under way. */
  list(): MemoryStatus["owedPurges"];
  /** For answers: what is owed, and why it could not be finished. Empty when nothing is. */
  describe(): readonly string[];
  /** Finishes what is owed, once a forget or another process that finishes it is done; what fails stays owed. */
  finish(): Promise<void>;
  /** Begins to finish what is owed, unless somebody is at it. */
  finishSoon(): void;
  /** Ends with what was begun. */
  settled(): Promise<void>;
}

export interface PendingPurgesParts extends Omit<FinishParts, "owed"> {
  readonly alone: PendingPurges["alone"];
  /** Null while a forget is under way, in this process or another. */
  readonly tryAlone: () => Disposable | null;
}

/** Written down beside the file of the index, also where another store is in use: it outlives a change of store. */
export function createPendingPurges(
  { memorySearch }: Pick<Settings, "memorySearch">,
  parts: PendingPurgesParts,
): PendingPurges {
  const { alone, tryAlone } = parts;
  const owed = createOwedPurges(`${resolve(memorySearch.store.path)}.owed`);
  let running = Promise.resolve();
  let problem: string | null = null;

  async function finishOwed(): Promise<void> {
    problem = await finishOwedPurges({ ...parts, owed });
  }

  async function finishUnlessBusy(): Promise<void> {
    using held = tryAlone();
    if (held !== null) await finishOwed();
  }

  /** One after the other: a second call sees what the first has left. */
  function begin(work: () => Promise<void>): Promise<void> {
    running = running.then(async () => {
      try {
        if (owed.list().length > 0) await work();
      } catch (error) {
        problem = messageOf(error);
      }
    });
    return running;
  }

  /** What is written down while a forget runs is on its way. */
  const interrupted = (): readonly OwedPurge[] => {
    const purges = owed.list();
    if (purges.length === 0) return [];
    using held = tryAlone();
    return held === null ? [] : purges;
  };

  return {
    owed,
    alone,
    list: () => interrupted().map(({ at, notes }) => ({ at, notes: notes.map(({ path }) => path) })),
    describe() {
      if (interrupted().length === 0) return [];
      const why = problem === null ? "" : `: ${problem.replace(/\.$/, "")}`;
      return [`the index may still hold text that was to be forgotten, because that was interrupted${why}`];
    },
    // Whoever asks for a sync relies on it, so another process that is at it is waited for.
    finish: () => begin(() => alone(finishOwed)),
    finishSoon() {
      void begin(finishUnlessBusy);
    },
    settled: () => running,
  };
}
