import { throwIfAborted } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { IndexedDocument, IndexedVersion, Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import { createGroup } from "./group.ts";
import type { Pace } from "./pace.ts";
import type { SyncPlan } from "./plan.ts";
import { type Prepared, type PrepareRequest, prepareDocument, type SyncFailure } from "./prepare.ts";
import { type Crew, prepareAhead } from "./prepare-ahead.ts";
import { judgeVanished, vanishedFact } from "./vanished.ts";

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
  readonly crew?: Crew | undefined;
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
  { store, chunker, now, pace, crew }: ApplyParts,
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
  /** Versions of documents that were put in parts. */
  const parted = new Map<string, string>();

  const requests = [...plan.added, ...plan.changed].map(({ path, sizeBytes }) => ({
    path,
    sizeBytes,
    before: known.get(path),
    force,
  }));
  const inPlace = ({ path, ...request }: PrepareRequest): Promise<Prepared> =>
    prepareDocument(path, { source, chunker, store }, request);
  const fitting = crew?.source === source.name ? crew : undefined;
  for await (const { path, before, prepared } of prepareAhead(requests, {
    inPlace,
    pace,
    signal,
    crew: fitting,
  })) {
    if (prepared.kind === "put") {
      counts[before ? "updated" : "added"]++;
      const hash = await putParts(prepared.indexed);
      if (!before) addedHashes.add(hash);
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
  }
  await group.flush();
  throwIfAborted(signal);
  await repeatPassedOver();

  // Only now, so that a note that was renamed is found under one name or the other at every moment. A document whose
  // content came back under a new path was moved: no folder is missing.
  const isMoved = (path: string): boolean => addedHashes.has(known.get(path)!.hash);
  removed.push(...vanished.filter(isMoved));
  const missing = vanished.filter((path) => !isMoved(path));
  const verdict = await judge(missing);
  removed.push(...verdict.removed);
  if (removed.length > 0) await store.remove(source.name, removed);
  return { ...counts, removed: removed.length, failed, withheld: verdict.withheld };

  /** Puts a document and, when it is only a part, what follows. Gives the hash of the last one. */
  async function putParts(first: IndexedDocument): Promise<string> {
    let indexed = first;
    for (;;) {
      const { document, chunks } = indexed;
      counts.chunks += chunks.length;
      await group.put(indexed);
      if (document.part === undefined) return document.hash;
      parted.set(document.path, document.version);
      if (document.part.isLast) return document.hash;
      await group.flush();
      await pace();
      throwIfAborted(signal);
      const before = { version: document.version, hash: document.hash, chunker: chunker.id };
      const next = await prepareDocument(document.path, { source, chunker, store }, { before, force: false });
      // Gone or unreadable meanwhile: what was read until now is indexed, and the next pass looks at it again.
      if (next.kind === "failed") failed.push(next.failure);
      if (next.kind === "same") await group.touch(document.path, next.version);
      if (next.kind !== "put") return document.hash;
      indexed = next.indexed;
    }
  }

  /** Another process may have put the same document meanwhile, so that ours followed nothing any more. */
  async function repeatPassedOver(): Promise<void> {
    for (let attempt = 0; attempt < mostRepeats && parted.size > 0; attempt++) {
      const stored = await store.versions(source.name);
      const expected = [...parted];
      parted.clear();
      for (const [path, version] of expected) {
        const before = stored.get(path);
        if (before?.version === version) continue;
        throwIfAborted(signal);
        const again = await prepareDocument(path, { source, chunker, store }, { before, force: false });
        if (again.kind === "put") await putParts(again.indexed);
      }
      await group.flush();
    }
  }

  async function judge(
    paths: readonly string[],
  ): Promise<{ removed: readonly string[]; withheld: readonly string[] }> {
    const fact = vanishedFact(source.name);
    const remembered = await store.readFact(fact);
    const judged = judgeVanished(paths, { knownCount: known.size, remembered, now: now(), force });
    const remember = judged.remember ?? "";
    if (remember !== (remembered ?? "")) await store.writeFact(fact, remember);
    return judged;
  }
}

const mostRepeats = 3;
