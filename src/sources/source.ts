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
   * Opaque. Equal to the version of the document that `read` gave earlier only if the content is the same; a document
   * read so soon after its change that a second change could hide carries a version that no listing ever repeats.
   */
  readonly version: string;
  /** Where it is known: large documents are not prepared many at a time. */
  readonly sizeBytes?: number;
  /** Reading it may take long, such as a file that has to be downloaded first: all others are indexed before it. */
  readonly isSlow?: boolean;
}

export interface Listing {
  readonly entries: readonly ListedEntry[];
  /** An entry that is `unreadable` or `missing` hides what may be below it, so nothing there is removed. */
  readonly skipped: readonly SkippedEntry[];
  /** The folders that were looked into, to be watched for changes. Absent when there is nothing to watch. */
  readonly folders?: readonly ListedFolder[];
  /** What is listed may change without a sign in the folders: a file has a second name, a folder cannot be seen, … */
  readonly hidesChanges?: boolean;
  /** After so long it is worth to list again: something was put off until then. */
  readonly againInMs?: number;
  /** Why the source could not be listed at all. What the index has of it then stays as it is. */
  readonly problem?: string;
}

/** A folder that a listing looked into. */
export interface ListedFolder {
  /** Absolute. */
  readonly path: string;
  /** Differs if another folder is at the path. */
  readonly id: string;
  /** Whether a change to the entry of this name can change the listing. */
  concerns(name: string): boolean;
  /** Looks again: false when it was exchanged, or entries came or went. */
  isUnchanged(): boolean;
}

export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  /** What the index has. A source whose versions tell more than a listing sees compares with it and repeats it. */
  readonly known?: ReadonlyMap<string, { readonly version: string }>;
  /** Nobody waits for this sync: what has changed only a little may be listed as it is known. */
  readonly background?: boolean | undefined;
}

/**
 * Where documents come from. Programs may bring sources of their own (`openMemory({ sources })`, docs/extending.md), and
 * `sourceContract` of `longhand/testing` tests them.
 */
export interface Source {
  /** The version of this interface that the source was written against. */
  readonly specificationVersion: 1;
  /** Labels its hits, and begins their paths: `mail` gives `mail/<path>`. */
  readonly name: SourceName;
  /** The version under which a listing shows a document that was read with this one. Absent: the same. */
  listedAs?(version: string): string;
  /**
   * Everything that there is now, each path once. Cheap: reads no contents. A source with a feed of changes need not look
   * at everything: `known` is what it listed before, to be repeated with the changes made to it.
   */
  list(options?: ListOptions): Promise<Listing>;
  /**
   * `null` when it is gone since it was listed. Throws a LonghandError when it is there but cannot be indexed.
   *
   * With the version that the index has, a source may give only what came since (`Document.part`); a source of small
   * documents gives the whole.
   */
  read(
    path: string,
    options?: { readonly since?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Document | null>;
}
