import { throwIfAborted } from "../errors.ts";
import type { ListedEntry, SkippedEntry, Source } from "../sources/source.ts";
import type { SeenContents, SeenFile } from "../stores/seen-contents.ts";
import type { DocumentState, IndexedDocument, IndexedVersion, Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import type { Slices } from "../timing.ts";
import type { EmbedAtOnce } from "./embed-at-once.ts";
import { createGroup, type Group } from "./group.ts";
import { assessVanished, type SyncPlan, vanishedFact } from "./plan.ts";
import { type Prepared, type PrepareRequest, prepareDocument, type SyncFailure } from "./prepare.ts";
import { type PreparedRequest, prepareAhead, type WorkerPool } from "./prepare-ahead.ts";
import type { SharingConflict } from "./sync-records.ts";

export interface SourceWork {
  readonly source: Source;
  /** Read before the source was listed. */
  readonly asOf: DocumentState | undefined;
  readonly known: ReadonlyMap<string, IndexedVersion>;
  readonly plan: SyncPlan;
  readonly skipped: readonly SkippedEntry[];
  /** Why the source could not be listed. */
  readonly problem?: string | undefined;
}

interface ApplyParts {
  readonly store: Store;
  readonly chunker: Chunker;
  readonly now: () => Date;
  readonly slices: Slices;
  readonly workers?: WorkerPool | undefined;
  readonly embedding?: EmbedAtOnce | undefined;
  readonly seen?: SeenContents | undefined;
}

interface ApplyOptions {
  readonly force: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called with every path that was read, indexed or not. */
  readonly onRead: (path: string) => void;
}

export interface Applied extends SharingConflict {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly chunks: number;
  /** Texts that got vectors at once. */
  readonly embedded: number;
  readonly failed: readonly SyncFailure[];
  readonly pendingRemovals: readonly string[];
  /** Documents that other processes kept writing at the same time: the index may have an older content. */
  readonly contended: readonly string[];
}

/** A refused write was overtaken by another process; the retry usually finds nothing left to do. */
export const maxAttempts = 12;

/** Carries out a plan. If it is interrupted, the store has whole documents and the next plan is smaller. */
export async function applyPlan(
  { source, asOf, known, plan }: SourceWork,
  { store, chunker, now, slices, workers, embedding, seen }: ApplyParts,
  { force, signal, onRead }: ApplyOptions,
): Promise<Applied> {
  const groupAsOf = (state: DocumentState | undefined): Group =>
    createGroup(store, {
      source: source.name,
      chunkerId: chunker.id,
      asOf: state,
      onStored: embedding?.embed,
    });
  const group = groupAsOf(asOf);
  const embeddedBefore = embedding?.count() ?? 0;
  const counts = { added: 0, updated: 0, unchanged: plan.unchanged, chunks: 0 };
  const failed: SyncFailure[] = plan.unreadable.map(({ path, detail = "it was skipped" }) => {
    return { path, code: "note-unreadable", message: `${path} cannot be read: ${detail}.` };
  });
  const removed = [...plan.removed];
  const vanished = [...plan.vanished];
  const addedHashes = new Set<string>();
  /** To be retried, because the file (the read failed) or its entry in the index was being written. */
  const pending = new Map<string, SyncFailure | null>();
  const indexed = createIndexedFiles(source, seen);
  const restored = new Set<string>();

  const entries = [...plan.changed, ...plan.added];
  const toRequest = ({ path, sizeBytes }: ListedEntry) => ({
    path,
    sizeBytes,
    before: known.get(path),
    force,
  });
  const inPlace = ({ path, ...request }: PrepareRequest): Promise<Prepared> =>
    prepareDocument(path, { source, chunker, store, signal }, request);
  const fitting = workers?.source === source.name ? workers : undefined;
  const parts = { inPlace, slices, signal, workers: fitting, beforeWaiting: group.flushEarly };
  // Most syncs find nothing to read, and each process would have to compile the generators.
  const read = entries.length === 0 ? [] : keepingTouched(prepareAll());
  for await (const { path, before, prepared } of read) {
    if (prepared.kind === "put") {
      counts[before ? "updated" : "added"]++;
      const hash = await putParts(prepared.indexed, group);
      if (!before) addedHashes.add(hash);
      if (plan.lost.has(path)) restored.add(path);
    } else if (prepared.kind === "same") {
      counts.unchanged++;
      await takeSame(path, { version: prepared.version, before: before! }, group);
    } else if (prepared.kind === "gone") {
      if (before) vanished.push(path);
    } else if (prepared.isPassing) {
      pending.set(path, prepared.failure);
    } else {
      failed.push(prepared.failure);
      if (before && !prepared.keep) removed.push(path);
    }
    onRead(path);
  }
  await group.flush();
  throwIfAborted(signal);
  for (const path of group.takeRefused()) {
    pending.set(path, null);
    restored.delete(path);
  }
  await lookAgain({ mayRemove: false });

  // Only now, so that a renamed note is always found under one name or the other. A document whose content reappeared
  // under a new path was moved: no folder is missing.
  const isMoved = (path: string): boolean => addedHashes.has(known.get(path)?.hash ?? "");
  removed.push(...vanished.filter(isMoved));
  const missing = vanished.filter((path) => !isMoved(path));
  const decision = await assess(missing);
  removed.push(...decision.removed);
  const foreign = seen ? decision.removed.filter((path) => seen.find(source.name, path) === undefined) : [];
  if (removed.length > 0) {
    for (const path of removed) seen?.forget(source.name, path);
    for (const path of await store.remove(source.name, removed, { asOf })) pending.set(path, null);
    await lookAgain({ mayRemove: true });
  }
  const contended = [...pending.keys()];
  failed.push(...[...pending.values()].filter((failure) => failure !== null));
  indexed.note((path) => !pending.has(path));
  return {
    ...counts,
    embedded: (embedding?.count() ?? 0) - embeddedBefore,
    removed: removed.length,
    failed,
    pendingRemovals: decision.pendingRemovals,
    contended,
    // Documents that others removed come first: they were missing, not only stale.
    restored: [...plan.added, ...plan.changed].map(({ path }) => path).filter((path) => restored.has(path)),
    foreign,
  };

  /** Slow documents come last, so that a search that does not wait for them finds all others. */
  async function* prepareAll(): AsyncGenerator<PreparedRequest> {
    const slow = entries.filter(({ isSlow }) => isSlow);
    yield* prepareAhead(entries.filter(({ isSlow }) => !isSlow).map(toRequest), parts);
    if (slow.length === 0) return;
    await group.flush();
    yield* prepareAhead(slow.map(toRequest), parts);
  }

  /** Otherwise a caller with a short deadline, such as a hook, would read the same documents each time. */
  async function* keepingTouched(all: AsyncIterable<PreparedRequest>): AsyncGenerator<PreparedRequest> {
    try {
      yield* all;
    } finally {
      if (signal?.aborted) await group.flushTouched();
    }
  }

  /** Where machines share the index, a version means nothing to the other machines and is left as it is. */
  async function takeSame(
    path: string,
    { version, before }: { readonly version: string; readonly before: IndexedVersion },
    into: Group,
  ): Promise<void> {
    indexed.add(path, version, before.hash);
    if (seen === undefined && version !== before.version) await into.touch(path, version);
  }

  /** Puts a document and, if it is a part, the parts that follow. Returns the hash of the last one. */
  async function putParts(first: IndexedDocument, into: Group): Promise<string> {
    let current = first;
    for (;;) {
      const { document, chunks } = current;
      counts.chunks += chunks.length;
      await into.put(current);
      indexed.add(document.path, document.version, document.hash);
      if (document.part === undefined || document.part.isLast) return document.hash;
      await into.flush();
      if (slices.isOver()) await slices.next();
      throwIfAborted(signal);
      const before = { version: document.version, hash: document.hash, chunker: chunker.id };
      const next = await prepareDocument(
        document.path,
        { source, chunker, store, signal },
        { before, force: false },
      );
      // Gone or unreadable meanwhile: what was read until now is indexed, and the next sync reads it again.
      if (next.kind === "failed") failed.push(next.failure);
      if (next.kind === "same") await into.touch(document.path, next.version);
      if (next.kind !== "put") return document.hash;
      current = next.indexed;
    }
  }

  /** Retries refused documents. Those that are refused again stay in `pending`. */
  async function lookAgain({ mayRemove }: { readonly mayRemove: boolean }): Promise<void> {
    for (let attempt = 1; attempt <= maxAttempts && pending.size > 0; attempt++) {
      throwIfAborted(signal);
      const paths = [...pending.keys()];
      const state = await store.documentState?.();
      const stored = await store.versions(source.name, { paths });
      const again = groupAsOf(state);
      const gone: string[] = [];
      pending.clear();
      for (const path of paths) {
        const before = stored.get(path);
        const prepared = await prepareDocument(
          path,
          { source, chunker, store, signal },
          { before, force: false },
        );
        if (prepared.kind === "put") await putParts(prepared.indexed, again);
        else if (prepared.kind === "same") {
          await takeSame(path, { version: prepared.version, before: before! }, again);
        } else if (prepared.kind === "gone") {
          if (before && mayRemove) gone.push(path);
          else if (before) vanished.push(path);
        } else if (prepared.isPassing) {
          pending.set(path, prepared.failure);
        } else {
          failed.push(prepared.failure);
        }
      }
      await again.flush();
      for (const path of again.takeRefused()) pending.set(path, null);
      if (gone.length > 0) {
        for (const path of await store.remove(source.name, gone, { asOf: state })) pending.set(path, null);
      }
    }
  }

  async function assess(
    paths: readonly string[],
  ): Promise<{ removed: readonly string[]; pendingRemovals: readonly string[] }> {
    const fact = vanishedFact(source.name);
    const remembered = await store.readFact(fact);
    const decision = assessVanished(paths, { knownCount: known.size, remembered, now: now(), force });
    const remember = decision.remember ?? "";
    if (remember !== (remembered ?? "")) await store.writeFact(fact, remember);
    return decision;
  }
}

/** Files whose content is being written to the index; recorded once it is stored. */
function createIndexedFiles(
  { name, listedAs = (version) => version }: Source,
  seen: SeenContents | undefined,
) {
  const files = new Map<string, SeenFile>();
  return {
    add(path: string, version: string, hash: string): void {
      if (seen !== undefined) files.set(path, { version: listedAs(version), hash });
    },
    note(isThere: (path: string) => boolean): void {
      for (const [path, file] of files) if (isThere(path)) seen!.note(name, path, file);
    },
  };
}
