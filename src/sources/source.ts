import type { Document, SourceName } from "../text/document.ts";

/** Why something that looks like a note is not indexed. Shown by `status`. */
export type SkipReason =
  | "symlink"
  | "too-large"
  | "binary"
  | "excluded"
  | "unreadable"
  | "not-a-file"
  | "invalid-path"
  | "duplicate"
  | "missing";

export interface SkippedEntry {
  readonly path: string;
  readonly reason: SkipReason;
  readonly detail?: string;
}

export interface ListedEntry {
  readonly path: string;
  /**
   * Opaque. It equals the version of a document that `read` returned earlier only if the content is the same. A
   * document that was read right after a change gets a version that no listing repeats, because a second change might
   * not be visible.
   */
  readonly version: string;
  /** If it is known. Few large documents are prepared at a time. */
  readonly sizeBytes?: number;
  /** Reading it may take long, for example because it must be downloaded first. All others are indexed before it. */
  readonly isSlow?: boolean;
}

export interface Listing {
  readonly entries: readonly ListedEntry[];
  /** An entry that is `unreadable` or `missing` hides what may be below it, so nothing there is removed. */
  readonly skipped: readonly SkippedEntry[];
  /** The folders that were read, to be watched for changes. Absent if there is nothing to watch. */
  readonly folders?: readonly ListedFolder[];
  /** The listing may change without a change in these folders, for example if a file has a second name. */
  readonly hidesChanges?: boolean;
  /** When to list again, because something was postponed until then. */
  readonly againInMs?: number;
  /** Why the source could not be listed at all. Its documents in the index then stay as they are. */
  readonly problem?: string;
}

/** A folder that a listing has read. */
export interface ListedFolder {
  /** Absolute. */
  readonly path: string;
  /** Changes if another folder takes its place. */
  readonly id: string;
  /** Whether a change to the entry of this name can change the listing. */
  concerns(name: string): boolean;
  /** Checks again: false if it was replaced, or if entries were added or removed. */
  isUnchanged(): boolean;
}

export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  /** The indexed versions. A source whose versions hold more than a listing can see compares with these and repeats them. */
  readonly known?: ReadonlyMap<string, { readonly version: string }>;
  /** Nobody waits for this sync, so a document that has changed only a little may keep its known version. */
  readonly background?: boolean | undefined;
  /** A source that lists many documents may call it meanwhile, with their number so far. */
  readonly onProgress?: ((count: number) => void) | undefined;
}

/**
 * Where documents come from. Programs may add their own sources (`openMemory({ sources })`, docs/extending.md) and test
 * them with `sourceContract` of `longhand/testing`.
 */
export interface Source {
  /** The version of this interface that the source was written against. */
  readonly specificationVersion: 1;
  /** Labels its hits and starts their paths: `mail` gives `mail/<path>`. */
  readonly name: SourceName;
  /** The version that a listing shows for a document that was read with this version. Absent: the same. */
  listedAs?(version: string): string;
  /**
   * All current documents, each path once. Cheap: reads no contents. A source with a feed of changes can apply them to
   * `known`, which is what it listed before, instead of listing everything.
   */
  list(options?: ListOptions): Promise<Listing>;
  /**
   * `null` if it was removed since it was listed. Throws a LonghandError if it exists but cannot be indexed.
   *
   * Given the indexed version, a source may return only what was added since (`Document.part`); a source of small
   * documents returns the whole.
   */
  read(
    path: string,
    options?: { readonly since?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Document | null>;
}
