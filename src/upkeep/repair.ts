import type { Store } from "../stores/store.ts";
import { type Difference, isOf } from "./compare-contents.ts";
import { findDifferences, type SettledComparison, type VerifyOptions, type VerifyParts } from "./verify.ts";

export interface Repaired extends SettledComparison {
  /** What was done, a sentence each; empty when nothing was wrong. */
  readonly done: readonly string[];
}

/**
 * Makes an index that of its notes again, whatever happened to it: first what the store can repair by itself, then what
 * differs from an index that is built anew. Differences that are left are told.
 */
export async function repairIndex(
  parts: VerifyParts & { readonly store: Store },
  options: VerifyOptions = {},
): Promise<Repaired> {
  const done = [...((await parts.store.repair?.()) ?? [])];
  let comparison = await findDifferences(parts, options);
  // The second time for what the first has brought to light.
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
    // Not only written again: a chunk whose text looks the same would be kept as it is.
    await store.remove(source, paths);
    done.push(...paths.map((path) => `indexed ${path} again`));
  }
  const repaired = await store.repair?.({
    ...(differences.some((each) => isOf(each, "words")) ? { words: "rebuild" } : {}),
    ...(differences.some((each) => isOf(each, "vectors")) ? { vectors: "drop" } : {}),
  });
  return [...done, ...(repaired ?? [])];
}
