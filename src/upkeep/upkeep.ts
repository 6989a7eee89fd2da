import { LonghandError } from "../errors.ts";
import type { Store } from "../stores/store.ts";
import type { Difference } from "./compare-contents.ts";
import { repairIndex } from "./repair.ts";
import { findLeftovers, findLoose, removeLeftover, stateFilesOf, tighten } from "./state-files.ts";
import { findDifferences, type VerifyOptions, type VerifyParts } from "./verify.ts";

/** The index compared with a fresh build from the same notes. */
export interface VerifyReport {
  readonly equal: boolean;
  /** The first of them, so many that a person can read them. */
  readonly differences: readonly Difference[];
  /** How many there are besides. */
  readonly more: number;
  /** Documents that were written each time they were compared; whether they are equal is not known. */
  readonly changed: readonly string[];
  /** What was compared. */
  readonly documents: number;
  readonly chunks: number;
  /** Vectors are compared only where making them again costs nothing. */
  readonly vectorsCompared: boolean;
  readonly durationMs: number;
}

export interface RepairReport extends VerifyReport {
  /** What was done, a sentence each; empty when nothing was wrong. */
  readonly done: readonly string[];
}

/** Looking after an index: is it as it should be, and if not, making it so. */
export interface Upkeep {
  /** What is wrong with the file of the index itself, a sentence each. */
  check(): Promise<readonly string[]>;
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  repair(options?: VerifyOptions): Promise<RepairReport>;
}

const mostShown = 100;
const keptDamaged = 2;

interface UpkeepParts extends VerifyParts {
  readonly store: Store;
  readonly stateDir: string;
}

export function createUpkeep(parts: UpkeepParts): Upkeep {
  const { embedder } = parts;
  const report = (
    { differences, ...counts }: Awaited<ReturnType<typeof findDifferences>>,
    startedMs: number,
  ): VerifyReport => ({
    equal: differences.length === 0,
    differences: differences.slice(0, mostShown),
    more: Math.max(0, differences.length - mostShown),
    ...counts,
    vectorsCompared: embedder !== undefined,
    durationMs: Math.round(performance.now() - startedMs),
  });
  return {
    check: async () => parts.checkFiles(),
    async verify(options) {
      const startedMs = performance.now();
      return report(await findDifferences(parts, options), startedMs);
    },
    async repair(options) {
      const startedMs = performance.now();
      const { done, ...comparison } = await repairIndex(parts, options);
      const tidied = tidyFiles(parts);
      return { ...report(comparison, startedMs), done: [...done, ...tidied] };
    },
  };
}

/** An index that is somebody's own object has no file to compare or to mend. */
export function refuseUpkeep(): LonghandError {
  return new LonghandError("not-supported", "Could not compare the index: it is a store of your own.", {
    hint: "Verify and repair work on the index files of longhand. Compare a store of your own by its own means.",
  });
}

function tidyFiles({ dbPath, stateDir, now }: UpkeepParts): string[] {
  const leftovers = findLeftovers(dbPath, { now: now(), keptDamaged });
  for (const path of leftovers) removeLeftover(path);
  const loose = findLoose(stateFilesOf(dbPath, stateDir));
  for (const file of loose) tighten(file);
  return [
    ...leftovers.map((path) => `removed ${path}, which crashed work had left`),
    ...loose.map(({ path }) => `made ${path} readable for its owner alone`),
  ];
}
