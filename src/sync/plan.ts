import type { ListedEntry, Listing, SkippedEntry } from "../sources/source.ts";
import type { SeenFile } from "../stores/seen-contents.ts";
import type { IndexedVersion } from "../stores/store.ts";
import type { SourceName } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import { parseJson } from "../text/parse-json.ts";

/** What has to be done so that the store equals one source. */
export interface SyncPlan {
  readonly added: readonly ListedEntry[];
  /** Its version differs from the indexed one, or another chunker split it. */
  readonly changed: readonly ListedEntry[];
  readonly unchanged: number;
  /** Indexed, still there, but no longer a note: too large, excluded, a link, … */
  readonly removed: readonly string[];
  /** Indexed and neither listed nor skipped, although the scan could see its folder. */
  readonly vanished: readonly string[];
  /** Indexed, existing and unreadable now: its indexed content is kept. */
  readonly unreadable: readonly SkippedEntry[];
  /** Among the added and changed: indexed from here before and unchanged since, so another machine replaced or removed them. */
  readonly lost: ReadonlySet<string>;
}

interface PlanOptions {
  readonly chunkerId: string;
  /** Treats every document as changed. */
  readonly force: boolean;
  /** Where machines share the index: what this one has indexed of a file. */
  readonly seen?: ((path: string) => SeenFile | undefined) | undefined;
}

export function planSync(
  listing: Listing,
  known: ReadonlyMap<string, IndexedVersion>,
  { chunkerId, force, seen }: PlanOptions,
): SyncPlan {
  const added: ListedEntry[] = [];
  const changed: ListedEntry[] = [];
  const lost = new Set<string>();
  let unchanged = 0;
  for (const entry of listing.entries) {
    const before = known.get(entry.path);
    const hash = hashOf(entry, seen);
    const isSame = before?.version === entry.version || (hash !== undefined && before?.hash === hash);
    if (before === undefined) added.push(entry);
    else if (force || !isSame || before.chunker !== chunkerId) changed.push(entry);
    else unchanged++;
    // An empty index was just created.
    if (hash !== undefined && !isSame && known.size > 0) lost.add(entry.path);
  }

  const skipped = new Map(listing.skipped.map((entry) => [entry.path, entry]));
  const isHidden = hiddenBy(listing.skipped);
  const removed: string[] = [];
  const vanished: string[] = [];
  const unreadable: SkippedEntry[] = [];
  // Each path is listed once. If all known paths were listed, as is nearly always the case, nothing is missing.
  const isComplete = unchanged + changed.length === known.size;
  const listed = new Set(isComplete ? [] : listing.entries.map(({ path }) => path));
  for (const path of isComplete ? [] : known.keys()) {
    if (listed.has(path)) continue;
    const skip = skipped.get(path);
    if (skip?.reason === "unreadable") unreadable.push(skip);
    else if (skip !== undefined && skip.reason !== "missing") removed.push(path);
    else if (!isHidden(path)) vanished.push(path);
  }
  return { added, changed, unchanged, removed, vanished, unreadable, lost };
}

/** A folder that could not be read, or is not mounted, hides what is below it. Other folders are not affected. */
export function hiddenBy(skipped: readonly SkippedEntry[]): (path: string) => boolean {
  const unseen = skipped.filter(({ reason }) => reason === "unreadable" || reason === "missing");
  return (path) =>
    unseen.some((folder) => folder.path === "" || path === folder.path || path.startsWith(`${folder.path}/`));
}

/** Hash of the content that was last read from the file, if the file is unchanged. */
function hashOf({ path, version }: ListedEntry, seen: PlanOptions["seen"]): string | undefined {
  const file = seen?.(path);
  return file?.version === version ? file.hash : undefined;
}

interface VanishedOptions {
  readonly knownCount: number;
  /** The `remember` value of an earlier sync, or null. */
  readonly remembered: string | null;
  readonly now: Date;
  readonly force: boolean;
}

interface VanishedDecision {
  readonly removed: readonly string[];
  readonly pendingRemovals: readonly string[];
  /** Passed to the next sync; null when nothing is pending. */
  readonly remember: string | null;
}

/**
 * A folder that is not mounted looks like a folder whose notes were all deleted. So when more than half of at least
 * four known documents vanish at once, they stay until a later sync, no sooner than two seconds after, misses the very
 * same ones. Fewer than four are quickly indexed again.
 */
export function assessVanished(vanished: readonly string[], options: VanishedOptions): VanishedDecision {
  const { knownCount, remembered, now, force } = options;
  const isMass = knownCount >= 4 && vanished.length * 2 > knownCount;
  if (!isMass || force) return { removed: vanished, pendingRemovals: [], remember: null };

  const digest = sha256([...vanished].sort().join("\n"));
  const earlier = parseJson(remembered ?? "") as { atMs: number; digest: string } | undefined;
  const ageMs = earlier?.digest === digest ? now.getTime() - earlier.atMs : -1;
  if (ageMs >= minAgeMs) return { removed: vanished, pendingRemovals: [], remember: null };
  // A clock that was set back must not make the wait longer.
  const atMs = earlier && ageMs >= 0 ? earlier.atMs : now.getTime();
  return { removed: [], pendingRemovals: vanished, remember: JSON.stringify({ atMs, digest }) };
}

/** The store's fact about documents that may only seem to be gone: what `remember` said, or nothing. */
export function vanishedFact(source: SourceName): string {
  return `vanished_${source}`;
}

const minAgeMs = 2000;
