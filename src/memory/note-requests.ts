import type { LinesResult } from "../notes/read-lines.ts";
import type { Scope } from "../text/document.ts";
import type { MemoryLayer } from "../text/layer-path.ts";
import type { Backlink } from "../text/link-graph.ts";

export interface ReadFileRequest {
  readonly relPath: string;
  /** First line, 1-based. */
  readonly from?: number | undefined;
  readonly lines?: number | undefined;
  /** At most this many characters (default 12,000), in whole lines where possible. */
  readonly maxChars?: number | undefined;
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadFileResult extends LinesResult {
  readonly path: string;
}

export interface AddOptions {
  /** Whose memory it belongs to: the project's (default), or the user's, which is searched in every project. */
  readonly scope?: MemoryLayer | undefined;
  /** `daily` (default), `long-term` (default of the user's memory), or the path of a note. */
  readonly to?: string | undefined;
  /** Put the entry at the end of this section, which is created if it is missing. */
  readonly heading?: string | undefined;
  /** Treat each list item of the text as an entry, and leave out those that are already there. */
  readonly onlyNewItems?: boolean | undefined;
  /** Where the text came from, such as `tool` or `flush`; recorded in a comment next to it. Omit it for a person. */
  readonly origin?: string | undefined;
  /** The session that writes. A group or channel, or one of unknown kind, cannot write to private notes. */
  readonly sessionKey?: string | undefined;
  /** Write it even if a line already says this. */
  readonly force?: boolean | undefined;
  /** `later` leaves indexing to the next sync, which every search starts with; for callers that are short of time. */
  readonly indexing?: "now" | "later" | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface AddResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The text, or a line that says the same, already exists; the result names it, and nothing was written. */
  readonly duplicate: boolean;
  /** True if the existing line says the same in other words; `force` writes anyway. */
  readonly nearDuplicate?: boolean;
  /** An older line that this one contradicts. */
  readonly supersedes?: { readonly path: string; readonly line: number };
  /** False when the note is written but the index could not follow yet; a later sync will. */
  readonly indexed: boolean;
  /** Why it could not, in one sentence; absent when it did. */
  readonly indexProblem?: string;
}

export interface ListNotesRequest {
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListedNote {
  readonly path: string;
  /** The day the note is about, `YYYY-MM-DD`. */
  readonly date?: string;
  /** Changes whenever the content does. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  readonly scope: Scope;
  /** The layer it is in; absent if there is only the project's. */
  readonly layer?: MemoryLayer;
}

export interface NoteLinks {
  readonly path: string;
  /** There is no such note; other notes may link to it nevertheless. */
  readonly missing?: true;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly links: readonly OutgoingLink[];
  /** The `links` that lead to no note. */
  readonly broken: readonly OutgoingLink[];
  readonly backlinks: readonly Backlink[];
}

export interface OutgoingLink {
  /** As written: a name or a path. */
  readonly target: string;
  /** The note it leads to; absent if there is none. */
  readonly path?: string;
  readonly line: number;
  readonly heading?: string;
  readonly title?: string;
  /** The note is embedded, not only linked. */
  readonly isEmbed?: boolean;
}

export interface UsageRequest extends ListNotesRequest {
  /** Only this note. */
  readonly path?: string | undefined;
}

export interface UsageReport {
  /** False if `memorySearch.usage.enabled` is off. */
  readonly enabled: boolean;
  /** The day of the first count, `YYYY-MM-DD`; null if there is none. */
  readonly since: string | null;
  readonly notes: readonly NoteUsage[];
}

export interface NoteUsage {
  readonly path: string;
  readonly recalled: readonly {
    readonly startLine: number;
    readonly endLine: number;
    readonly recalls: number;
    /** `YYYY-MM-DD`. */
    readonly lastRecalled: string;
  }[];
  /** Lines that were part of no answer, without blank lines and headings. */
  readonly never: readonly { readonly startLine: number; readonly endLine: number }[];
}

export interface TagCount {
  readonly tag: string;
  readonly notes: number;
}

export interface ReadNoteRequest {
  readonly path: string;
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A whole note as it is on disk, unmasked. */
export interface WholeNote {
  readonly path: string;
  readonly text: string;
  /** SHA-256 of its bytes; pass it to `editNote`. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  /** Why it cannot be edited; absent if it can. */
  readonly readOnly?: string;
}

export interface EditNoteRequest extends ReadNoteRequest {
  readonly text: string;
  /** The hash from `readNote`. A note that has changed since is left alone, with `note-changed`. */
  readonly expectedHash: string;
}

export interface EditNoteResult {
  readonly path: string;
  /** SHA-256 of its bytes before and now. */
  readonly before: string;
  readonly hash: string;
  /** False when the note is written but the index could not follow yet; a later sync will. */
  readonly indexed: boolean;
  /** Why it could not, in one sentence; absent when it did. */
  readonly indexProblem?: string;
}
