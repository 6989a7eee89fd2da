import type { PendingRecovery } from "../consolidate/undo-receipt.ts";
import type { ForgetResult } from "../forget/forget.ts";
import type { ForgetReceipt } from "../forget/receipt.ts";
import { labelLayer } from "../search/layered-searcher.ts";
import { cite } from "../search/location.ts";
import type { SearchHit } from "../search/search.ts";
import { maxSkippedNamed, type SyncReport } from "../sync/sync.ts";
import { inUserLayer, isTranscriptPath, toUserPath } from "../text/layer-path.ts";
import type { RepairReport, VerifyReport } from "../upkeep/upkeep.ts";
import type { NoteLinks, TagCount, UsageReport } from "./note-requests.ts";

/** Merges the reports of the project's and the user's memory. */
export function joinSyncs(ours: SyncReport, theirs: SyncReport): SyncReport {
  const sum = (key: Counted): number => ours[key] + theirs[key];
  return {
    ...{ added: sum("added"), updated: sum("updated"), removed: sum("removed"), unchanged: sum("unchanged") },
    ...{ chunks: sum("chunks"), embedded: sum("embedded"), cached: sum("cached"), left: sum("left") },
    durationMs: sum("durationMs"),
    failed: [...ours.failed, ...theirs.failed.map(inUserLayer)],
    skipped: [...ours.skipped, ...theirs.skipped.map(inUserLayer)].slice(0, maxSkippedNamed),
    skippedCount: sum("skippedCount"),
    pendingRemovals: [...ours.pendingRemovals, ...theirs.pendingRemovals.map(toUserPath)],
    degraded: [...new Set([...ours.degraded, ...theirs.degraded])],
  };
}

type Counted = {
  [K in keyof SyncReport]: SyncReport[K] extends number ? K : never;
}[keyof SyncReport];

export function joinVerifies(ours: VerifyReport, theirs: VerifyReport): VerifyReport {
  return {
    equal: ours.equal && theirs.equal,
    differences: [...ours.differences, ...theirs.differences.map(inUserLayer)],
    more: ours.more + theirs.more,
    changed: [...ours.changed, ...theirs.changed.map(toUserPath)],
    documents: ours.documents + theirs.documents,
    chunks: ours.chunks + theirs.chunks,
    vectorsCompared: ours.vectorsCompared && theirs.vectorsCompared,
    durationMs: ours.durationMs + theirs.durationMs,
  };
}

export function joinRepairs(ours: RepairReport, theirs: RepairReport): RepairReport {
  return { ...joinVerifies(ours, theirs), done: [...new Set([...ours.done, ...theirs.done])] };
}

/** A report of the user's memory, with its paths prefixed. */
export function nameForget(result: ForgetResult): ForgetResult {
  const name = <T extends { readonly path: string }>(each: T): T =>
    isTranscriptPath(each.path) ? each : inUserLayer(each);
  const { receipt, passages } = result;
  return {
    ...result,
    removed: result.removed.map(name),
    skipped: result.skipped.map(name),
    ...(passages && { passages: passages.map(name) }),
    ...(receipt && {
      receipt: {
        ...receipt,
        notes: receipt.notes.map(name),
        removed: receipt.removed.map(name),
        stillIn: receipt.stillIn.map(name),
      },
    }),
  };
}

export function joinForgets(results: readonly ForgetResult[]): ForgetResult {
  const receipts = results.flatMap(({ receipt }) => receipt ?? []);
  const passages = results.flatMap((each) => each.passages ?? []);
  const isDone = receipts.length > 0;
  return {
    removed: results.flatMap(({ removed }) => removed),
    chunks: results.reduce((sum, { chunks }) => sum + chunks, 0),
    cacheEntries: results.reduce((sum, { cacheEntries }) => sum + cacheEntries, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
    ...(isDone ? { receipt: joinReceipts(receipts) } : { passages }),
  };
}

/** The merged receipt is only as certain as the less certain one. */
function joinReceipts(receipts: readonly ForgetReceipt[]): ForgetReceipt {
  const [first, ...others] = receipts as [ForgetReceipt, ...ForgetReceipt[]];
  const proofs = ["none", "rows", "bytes"] as const;
  return others.reduce<ForgetReceipt>((joined, other) => {
    const weaker = proofs.indexOf(other.proof) < proofs.indexOf(joined.proof) ? other : joined;
    const advice = (joined.complete ? other.advice : joined.advice) ?? joined.advice;
    return {
      at: joined.at,
      notes: [...joined.notes, ...other.notes],
      removed: [...joined.removed, ...other.removed],
      complete: joined.complete && other.complete,
      proof: weaker.proof,
      pending: joined.pending || other.pending,
      checked: weaker.checked,
      stillIn: [...joined.stillIn, ...other.stillIn],
      deletedFiles: [...joined.deletedFiles, ...other.deletedFiles],
      alsoPurged: [...joined.alsoPurged, ...other.alsoPurged],
      problems: [...joined.problems, ...other.problems],
      ...(advice === undefined ? {} : { advice }),
    };
  }, first);
}

/** Links and backlinks of a note in the user's memory, which stay within it. */
export function nameLinks(links: NoteLinks): NoteLinks {
  return {
    ...inUserLayer(links),
    links: links.links.map(inUserLayer),
    broken: links.broken.map(inUserLayer),
    backlinks: links.backlinks.map(inUserLayer),
  };
}

export function joinTags(ours: readonly TagCount[], theirs: readonly TagCount[]): TagCount[] {
  const counts = new Map<string, number>();
  for (const { tag, notes } of [...ours, ...theirs]) counts.set(tag, (counts.get(tag) ?? 0) + notes);
  return [...counts].map(([tag, notes]) => ({ tag, notes })).sort((a, b) => b.notes - a.notes);
}

export function nameHit(hit: SearchHit): SearchHit {
  const path = toUserPath(hit.path);
  const citation = hit.citation && { citation: cite(path, hit.startLine, hit.endLine) };
  const supersededBy = hit.supersededBy && { supersededBy: inUserLayer(hit.supersededBy) };
  return labelLayer({ ...hit, path, ...citation, ...supersededBy });
}

export function nameRecovery(pending: PendingRecovery): PendingRecovery {
  const hint = pending.hint.replace("longhand consolidate", "longhand consolidate --scope user");
  return { ...pending, hint, notes: pending.notes.map(toUserPath) };
}

export function nameUsage(report: UsageReport): UsageReport {
  return { ...report, notes: report.notes.map(inUserLayer) };
}
