import type { Source } from "../sources/source.ts";
import type { Store } from "../stores/store.ts";
import { vanishedFact } from "../sync/vanished.ts";

/**
 * Documents that vanished all at once: still in the index, but nothing to show anybody. Another process may have seen
 * them come back since, or be sure by now; its word is in the store, and then this list has had its time.
 */
export async function createWithheld(
  { store, sources }: { store: Store; sources: readonly Source[] },
  paths: readonly string[],
): Promise<() => Promise<ReadonlySet<string>>> {
  const none: ReadonlySet<string> = new Set();
  if (paths.length === 0) return async () => none;
  const withheld = new Set(paths);
  const readDoubts = async (): Promise<string> =>
    JSON.stringify(await Promise.all(sources.map(({ name }) => store.readFact(vanishedFact(name)))));
  const doubts = await readDoubts();
  return async () => ((await readDoubts()) === doubts ? withheld : none);
}
