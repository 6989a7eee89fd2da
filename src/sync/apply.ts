import { throwIfAborted } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { IndexedVersion, Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import { createGroup } from "./group.ts";
import type { Pace } from "./pace.ts";
import type { SyncPlan } from "./plan.ts";
import { prepareDocument, type SyncFailure } from "./prepare.ts";
import { judgeVanished } from "./vanished.ts";

export interface SourceWork {
  readonly source: Source;
  readonly known: ReadonlyMap<string, IndexedVersion>;
  readonly plan: SyncPlan;
}

export interface ApplyParts {
  readonly store: Store;
  readonly chunker: Chunker;
  readonly now: () => Date;
  readonly pace: Pace;
}

export interface ApplyOptions {
  readonly force: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called with every path that was read, whatever became of it. */
  readonly onRead: (path: string) => void;
}

export interface Applied {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly chunks: number;
  readonly failed: readonly SyncFailure[];
  readonly withheld: readonly string[];
}

/** Does what a plan says. Stopped anywhere, it leaves whole documents in the store and a smaller plan for the next. */
export async function applyPlan(
  { source, known, plan }: SourceWork,
  { store, chunker, now, pace }: ApplyParts,
  { force, signal, onRead }: ApplyOptions,
): Promise<Applied> {
  const group = createGroup(store, { source: source.name, chunkerId: chunker.id });
  const counts = { added: 0, updated: 0, unchanged: plan.unchanged, chunks: 0 };
  const failed: SyncFailure[] = plan.unreadable.map(({ path, detail = "it was skipped" }) => {
    return { path, code: "note-unreadable", message: `${path} cannot be read: ${detail}.` };
  });
  const removed = [...plan.removed];
  const vanished = [...plan.vanished];
  const addedHashes = new Set<string>();

  for (const { path } of [...plan.added, ...plan.changed]) {
    throwIfAborted(signal);
    const before = known.get(path);
    const prepared = await prepareDocument(path, { source, chunker }, { before, force });
    if (prepared.kind === "put") {
      const { document, chunks } = prepared.indexed;
      if (!before) addedHashes.add(document.hash);
      counts[before ? "updated" : "added"]++;
      counts.chunks += chunks.length;
      await group.put(prepared.indexed);
    } else if (prepared.kind === "same") {
      counts.unchanged++;
      if (prepared.version !== before?.version) await group.touch(path, prepared.version);
    } else if (prepared.kind === "gone") {
      if (before) vanished.push(path);
    } else {
      failed.push(prepared.failure);
      if (before && !prepared.keep) removed.push(path);
    }
    onRead(path);
    await pace();
  }
  await group.flush();
  throwIfAborted(signal);

  // Only now, so that a note that was renamed is found under one name or the other at every moment. A document whose
  // content came back under a new path was moved: no folder is missing.
  const isMoved = (path: string): boolean => addedHashes.has(known.get(path)!.hash);
  removed.push(...vanished.filter(isMoved));
  const missing = vanished.filter((path) => !isMoved(path));
  const verdict = await judge(missing);
  removed.push(...verdict.removed);
  if (removed.length > 0) await store.remove(source.name, removed);
  return { ...counts, removed: removed.length, failed, withheld: verdict.withheld };

  async function judge(
    paths: readonly string[],
  ): Promise<{ removed: readonly string[]; withheld: readonly string[] }> {
    const fact = `vanished_${source.name}`;
    const remembered = await store.readFact(fact);
    const judged = judgeVanished(paths, { knownCount: known.size, remembered, now: now(), force });
    const remember = judged.remember ?? "";
    if (remember !== (remembered ?? "")) await store.writeFact(fact, remember);
    return judged;
  }
}
