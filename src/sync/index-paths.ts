import type { Source } from "../sources/source.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import type { Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import { maxAttempts } from "./apply.ts";
import { createGroup } from "./group.ts";
import { prepareDocument, type SyncFailure } from "./prepare.ts";

interface IndexPathsParts {
  readonly source: Source;
  readonly store: Store;
  readonly chunker: Chunker;
  /** Where machines share the index, a version means nothing to the other machines and is left as it is. */
  readonly seen?: SeenContents | undefined;
}

/**
 * Puts some documents into the store without looking at any other: fast however large the memory is, and however much
 * another process has to index. Vectors are left to the next sync.
 */
export async function indexPaths(
  { source, store, chunker, seen }: IndexPathsParts,
  paths: readonly string[],
): Promise<readonly SyncFailure[]> {
  const failed = new Map<string, SyncFailure>();
  let pending = paths;
  for (let attempt = 1; pending.length > 0; attempt++) {
    const asOf = await store.documentState?.();
    const known = await store.versions(source.name, { paths: pending });
    const group = createGroup(store, { source: source.name, chunkerId: chunker.id, asOf });
    const again: string[] = [];
    for (const path of pending) {
      const before = known.get(path);
      const prepared = await prepareDocument(path, { source, chunker, store }, { before, force: false });
      failed.delete(path);
      if (prepared.kind === "put") await group.put(prepared.indexed);
      else if (prepared.kind === "same" && prepared.version !== before?.version && seen === undefined)
        await group.touch(path, prepared.version);
      else if (prepared.kind === "failed") {
        failed.set(path, prepared.failure);
        if (prepared.isPassing) again.push(path);
      }
    }
    await group.flush();
    pending = [...group.takeRefused(), ...again];
    if (attempt < maxAttempts) continue;
    for (const path of pending) if (!failed.has(path)) failed.set(path, describeContention(path));
    break;
  }
  return [...failed.values()];
}

function describeContention(path: string): SyncFailure {
  const message = `${path} is not indexed yet: other processes kept changing what the index has of it. The next search tries again.`;
  return { path, code: "index-busy", message };
}
