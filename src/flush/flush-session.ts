import type { ConversationTurn } from "../extract/extract.ts";
import type { SessionEntry, SessionMessage, SessionStore } from "../sessions/store/session-store.ts";
import { textOfContent } from "../sessions/transcripts/format.ts";

/** The record of a flush in the session's entry. */
export interface FlushRecord {
  /** Milliseconds since 1970. */
  readonly memoryFlushAt: number;
  readonly memoryFlushCompactionCount: number;
}

/**
 * The conversation that is about to be compacted. With a `store`, everything else is read from it and recorded there;
 * a host with its own sessions passes the counts and messages, and keeps the record.
 */
export interface FlushSession {
  readonly key: string;
  readonly store?: Pick<SessionStore, "get" | "update" | "history">;
  /** Recorded in the notes as the origin; defaults to the key. */
  readonly sessionId?: string;
  readonly compactionCount?: number;
  readonly memoryFlushCompactionCount?: number;
  /** The conversation, oldest first; the fallback reads the part about to be lost. */
  readonly messages?: readonly FlushMessage[];
  record?(record: FlushRecord): void | Promise<void>;
}

export interface FlushMessage extends Pick<SessionMessage, "role" | "content"> {
  /**
   * Milliseconds since 1970, or an ISO date; sentences that the notes have had since the first one are not written
   * again.
   */
  readonly timestamp?: SessionMessage["timestamp"];
  /** Its line in the transcript; defaults to its number in the session. */
  readonly line?: number;
}

export interface LoadedSession {
  readonly key: string;
  readonly sessionId: string;
  readonly compactionCount: number;
  readonly memoryFlushCompactionCount: number | undefined;
  readonly turns: readonly ConversationTurn[];
  /** Time of the first turn, in milliseconds since 1970. */
  readonly since: number | undefined;
}

export async function loadSession(session: FlushSession): Promise<LoadedSession> {
  const { key, store } = session;
  const entry: Partial<SessionEntry> = (await store?.get(key)) ?? {};
  const history = session.messages === undefined ? await store?.history(key) : undefined;
  const gone =
    history?.compactedHistory.reduce((sum, part) => sum + (part.originalMessageCount || 0), 0) ?? 0;
  const messages: readonly FlushMessage[] = session.messages ?? history?.messages ?? [];
  return {
    key,
    sessionId: session.sessionId ?? entry.sessionId ?? key,
    compactionCount: countOf(session.compactionCount) ?? countOf(entry.compactionCount) ?? 0,
    memoryFlushCompactionCount:
      countOf(session.memoryFlushCompactionCount) ?? countOf(entry.memoryFlushCompactionCount),
    // Numbered from the start of the session, so that numbers stay valid after a compaction.
    turns: messages.map(({ role, content, line }, index) => ({
      role,
      text: textOfContent(content) ?? "",
      line: Number.isSafeInteger(line) && line! > 0 ? line! : gone + index + 1,
    })),
    since: messages.map(({ timestamp }) => new Date(timestamp ?? Number.NaN).getTime()).find(Number.isFinite),
  };
}

/** A host may have counted on from nothing; a flush that recorded NaN would be repeated at every turn. */
function countOf(count: number | undefined): number | undefined {
  return Number.isFinite(count) ? count : undefined;
}

/** Records the flush, so that it is not repeated before the next compaction. */
export async function recordFlush(session: FlushSession, record: FlushRecord): Promise<void> {
  if (session.store) await session.store.update(session.key, (entry) => ({ ...entry, ...record }));
  await session.record?.(record);
}

/**
 * Turns in the order in which a flush reads them, with their position in the conversation: user turns first, latest
 * first. A flush that runs out of time has read the beginning of this list.
 */
export function byNeed<T extends { readonly role: string }>(turns: readonly T[]): [number, T][] {
  return [...turns.entries()]
    .filter(([, { role }]) => role === "user" || role === "assistant")
    .sort(([a, one], [b, other]) => Number(one.role !== "user") - Number(other.role !== "user") || b - a);
}
