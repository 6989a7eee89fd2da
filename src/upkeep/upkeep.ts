import { chmodSync } from "node:fs";
import { LonghandError } from "../errors.ts";
import { removeFolderSync } from "../files.ts";
import type { Store } from "../stores/store.ts";
import { monotonicMs } from "../timing.ts";
import { type Difference, isOf } from "./compare-contents.ts";
import { findLeftovers, findLoose, stateFilesOf } from "./state-files.ts";
import { findDifferences, type SettledComparison, type VerifyOptions, type VerifyParts } from "./verify.ts";

/** The result of comparing the index with a fresh build from the same notes. */
export interface VerifyReport {
  readonly equal: boolean;
  /** The first differences, as many as a person can read. */
  readonly differences: readonly Difference[];
  /** The number of further differences. */
  readonly more: number;
  /** Documents that changed during every comparison; whether they are equal is unknown. */
  readonly changed: readonly string[];
  /** The extent of the comparison. */
  readonly documents: number;
  readonly chunks: number;
  /** Vectors are compared only if recomputing them costs nothing. */
  readonly vectorsCompared: boolean;
  readonly durationMs: number;
}

export interface RepairReport extends VerifyReport {
  /** What was done, one sentence each; empty if nothing was wrong. */
  readonly done: readonly string[];
}

/** Maintenance of an index: whether it is correct, and repairs if not. */
export interface Upkeep {
  /** Problems of the index file itself, one sentence each. */
  check(): Promise<readonly string[]>;
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  repair(options?: VerifyOptions): Promise<RepairReport>;
}

const maxShown = 100;
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
    differences: differences.slice(0, maxShown),
    more: Math.max(0, differences.length - maxShown),
    ...counts,
    vectorsCompared: embedder !== undefined,
    durationMs: Math.round(monotonicMs() - startedMs),
  });
  return {
    check: async () => parts.checkFiles(),
    async verify(options) {
      const startedMs = monotonicMs();
      return report(await findDifferences(parts, options), startedMs);
    },
    async repair(options) {
      const startedMs = monotonicMs();
      const { done, ...comparison } = await repairIndex(parts, options);
      const removed = removeLeftoverFiles(parts);
      return { ...report(comparison, startedMs), done: [...done, ...removed] };
    },
  };
}

/** A custom store has no file to compare or repair. */
export function refuseUpkeep(): LonghandError {
  return new LonghandError("not-supported", "Could not compare the index: it is a custom store.", {
    hint: "Verify and repair work on the index files of longhand. A custom store needs its own checks.",
  });
}

function removeLeftoverFiles({ dbPath, stateDir, now }: UpkeepParts): string[] {
  const leftovers = findLeftovers(dbPath, { now: now(), keptDamaged });
  for (const path of leftovers) removeFolderSync(path);
  const loose = findLoose(stateFilesOf(dbPath, stateDir));
  for (const { path, wanted } of loose) chmodSync(path, wanted);
  return [
    ...leftovers.map((path) => `removed ${path}, which crashed work had left`),
    ...loose.map(({ path }) => `made ${path} readable for its owner alone`),
  ];
}

interface Repaired extends SettledComparison {
  /** What was done, one sentence each; empty if nothing was wrong. */
  readonly done: readonly string[];
}

/**
 * Makes an index match its notes again, whatever happened to it: first what the store can repair by itself, then the
 * differences from a fresh build. Remaining differences are reported.
 */
export async function repairIndex(
  parts: VerifyParts & { readonly store: Store },
  options: VerifyOptions = {},
): Promise<Repaired> {
  const done = [...((await parts.store.repair?.()) ?? [])];
  let comparison = await findDifferences(parts, options);
  // The second round fixes what the first has revealed.
  for (let attempt = 1; attempt <= 2 && comparison.differences.length > 0; attempt++) {
    done.push(...(await heal(parts.store, comparison.differences)));
    comparison = await findDifferences(parts, options);
  }
  return { ...comparison, done };
}

async function heal(store: Store, differences: readonly Difference[]): Promise<string[]> {
  const done: string[] = [];
  const wrong = differences.filter((each) => isOf(each, "document", "chunks"));
  for (const [source, group] of Map.groupBy(wrong, (each) => each.source)) {
    const paths = [...new Set(group.flatMap(({ path }) => path ?? []))];
    if (source === undefined || paths.length === 0) continue;
    // Removed first: if only rewritten, a chunk whose text looks the same would be kept unchanged.
    await store.remove(source, paths);
    done.push(...paths.map((path) => `indexed ${path} again`));
  }
  const repaired = await store.repair?.({
    ...(differences.some((each) => isOf(each, "words")) ? { words: "rebuild" } : {}),
    ...(differences.some((each) => isOf(each, "vectors")) ? { vectors: "drop" } : {}),
  });
  return [...done, ...(repaired ?? [])];
}
