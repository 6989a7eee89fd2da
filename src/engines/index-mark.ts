import type { Store } from "../stores/store.ts";

const markFact = "mark";

/**
 * An index keeps its mark for life, so another mark, or none, is another index, though it stands at the same place:
 * somebody deleted the first one while it was in use. What was known of it is not true of the second.
 */
export async function markIndex(store: Store): Promise<string> {
  const known = await readMark(store);
  if (known !== null) return known;
  const mark = crypto.randomUUID();
  await store.writeFact(markFact, mark);
  return mark;
}

export async function readMark(store: Store): Promise<string | null> {
  return await store.readFact(markFact);
}
