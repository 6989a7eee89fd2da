import type { CompactRequest } from "./history-file.ts";
import type { SessionEntry, SessionHistory, SessionMessage } from "./session-entry.ts";

export type ListedSession = SessionEntry & { readonly key: string };

/** A damaged file, and where it was moved. */
export interface SessionRepair {
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
}

/** Before its first update, an entry has no id and no time. */
export type EntryDraft = Partial<SessionEntry>;

/** Called again with the current entry if another program saved the file without the lock. */
export type EntryChange = (entry: EntryDraft) => EntryDraft | Promise<EntryDraft>;

/** Conversations that longhand stores for a host. Every change is on disk when its promise resolves. */
export interface SessionStore {
  /** The latest first. */
  list(): Promise<ListedSession[]>;
  get(key: string): Promise<SessionEntry | null>;
  /** Changes an entry atomically; a missing one is created with a new id. */
  update(key: string, change: EntryChange): Promise<SessionEntry>;
  /** Appends a message to the history, and creates the session when it is missing. */
  append(key: string, message: NewMessage): Promise<SessionHistory>;
  /** Replaces all but the last messages by a summary and counts the compaction. */
  compact(key: string, request: CompactRequest): Promise<SessionHistory>;
  /** null when there is no such session; a session without a message has an empty history. */
  history(key: string): Promise<SessionHistory | null>;
  /** The damaged files that were quarantined since the store was opened. */
  readonly repairs: readonly SessionRepair[];
}

export type NewMessage = Omit<SessionMessage, "timestamp"> & { readonly timestamp?: number | string };
