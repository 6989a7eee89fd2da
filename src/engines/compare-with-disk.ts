import { type ErrorCode, LonghandError, messageOf } from "../errors.ts";
import type { SkippedEntry, SkipReason, Source } from "../sources/source.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import type { Store } from "../stores/store.ts";
import { planSync } from "../sync/plan.ts";

export interface DiskComparison {
  readonly files: number;
  /** What a sync would change in the index: new, changed and gone. */
  readonly changed: number;
  readonly added: number;
  readonly gone: number;
  /** When the oldest of the changes was made, as far as times of files tell; null for none. */
  readonly oldestChange: Date | null;
  readonly skipped: readonly SkippedEntry[];
}

export interface CompareParts {
  readonly source: Source;
  readonly store: Store;
  readonly chunkerId: string;
  readonly seen?: SeenContents | undefined;
}

/** Beyond so many, what looks changed is taken for changed without reading it. */
const mostRead = 500;

const reasonOf: Partial<Record<ErrorCode, SkipReason>> = {
  "note-binary": "binary",
  "note-too-large": "too-large",
};

/**
 * What a sync would find, without doing it. A note read right after its change is listed as changed until it is read
 * again (a second change could hide behind the same time), and one that can never be indexed is listed each time: their
 * contents decide, so that the status after a sync does not cry wolf.
 */
export async function compareWithDisk({
  source,
  store,
  chunkerId,
  seen,
}: CompareParts): Promise<DiskComparison> {
  const known = await store.versions(source.name);
  const listing = await source.list({ known });
  const plan = planSync(listing, known, {
    chunkerId,
    force: false,
    seen: seen && ((path) => seen.find(source.name, path)),
  });
  const skipped = [...listing.skipped];
  let oldestChange: Date | null = null;
  const gone = plan.removed.length + plan.vanished.length;
  let changed = gone;
  let added = 0;
  for (const [index, { path }] of [...plan.added, ...plan.changed].entries()) {
    const before = known.get(path);
    try {
      const since = before?.chunker === chunkerId ? before.version : undefined;
      const document = index < mostRead ? await source.read(path, { since }) : null;
      const isEqual = since !== undefined && document?.hash === before?.hash;
      if (isEqual) continue;
      changed++;
      if (before === undefined) added++;
      const at = document?.modifiedAt;
      if (at !== undefined && (oldestChange === null || at < oldestChange)) oldestChange = at;
    } catch (error) {
      const reason = error instanceof LonghandError ? reasonOf[error.code] : undefined;
      const detail = messageOf(error);
      skipped.push({ path, reason: reason ?? "unreadable", detail });
    }
  }
  // A file that was listed and turned out to be none that can be indexed counts once, as skipped.
  const files = listing.entries.length - (skipped.length - listing.skipped.length);
  return { files, changed, added, gone, oldestChange, skipped };
}
