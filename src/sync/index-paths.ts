import type { Source } from "../sources/source.ts";
import type { Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import { createGroup } from "./group.ts";
import { prepareDocument, type SyncFailure } from "./prepare.ts";

/**
 * Puts some documents into the store without looking at any other: quick however large the memory is, and however much
 * another process has to index. Vectors are left to the next pass.
 */
export async function indexPaths(
  { source, store, chunker }: { source: Source; store: Store; chunker: Chunker },
  paths: readonly string[],
): Promise<readonly SyncFailure[]> {
  const group = createGroup(store, { source: source.name, chunkerId: chunker.id });
  const failed: SyncFailure[] = [];
  for (const path of paths) {
    const prepared = await prepareDocument(
      path,
      { source, chunker, store },
      { before: undefined, force: true },
    );
    if (prepared.kind === "put") await group.put(prepared.indexed);
    if (prepared.kind === "failed") failed.push(prepared.failure);
  }
  await group.flush();
  return failed;
}
