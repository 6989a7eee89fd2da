import { adviceOf } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { AddResult } from "../memory/note-requests.ts";
import type { Turn } from "../sessions/transcripts/format.ts";
import { readSegments, type Segment, transcriptSize } from "../sessions/transcripts/read-segments.ts";
import { override } from "../text/override.ts";
import type { FlushProgress, FlushProgressStore } from "./flush-progress.ts";
import { byNeed } from "./flush-session.ts";

export interface TranscriptFlushOptions {
  readonly memory: Memory;
  readonly progress: FlushProgressStore;
  /** Stops reading; what was found is written, and the flush stays pending. */
  readonly readUntil?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => Date) | undefined;
}

/** The conversation of a host that keeps its own transcript. */
export interface HostSession {
  /** Absolute path. */
  readonly transcript: string;
  readonly sessionId?: string | undefined;
  /** Made for this flush, and removed with it. */
  readonly isCopy?: boolean | undefined;
}

interface TranscriptFlushResult {
  readonly written: readonly AddResult[];
  /** False if something is left for the next start. */
  readonly isComplete: boolean;
  /** Failures, in plain words; the host continues. */
  readonly problems: readonly string[];
}

export interface TranscriptFlush {
  /** The session starts or resumes: what was compacted before is not read again. */
  begin(session: HostSession): void;
  /** The host is about to compact. The flush is pending from here on, even if this process dies. */
  markPending(session: HostSession): void;
  /** Marks as pending what the host compacted since the last flush without a hook that survived to report it. */
  markCompactedPending(session: HostSession): void;
  /** Writes the pending sentences to the notes of this workspace. Never rejects. */
  finish(): Promise<TranscriptFlushResult>;
}

/**
 * Copies key sentences of a host's transcript into today's note before they are compacted away. It needs no index, and
 * a killed process loses nothing: the pending flush is recorded first, the transcript stays, and lines that are
 * already in the notes are not written again.
 */
export function createTranscriptFlush(options: TranscriptFlushOptions): TranscriptFlush {
  const { memory, progress, readUntil, signal, now } = options;
  const workspaceDir = memory.workspace.dir;
  const isEnabled = memory.compaction?.memoryFlush.enabled ?? true;

  function progressOf({ transcript, sessionId, isCopy }: HostSession): FlushProgress {
    const known = progress.get(transcript);
    const named = { ...(sessionId !== undefined && { sessionId }), ...(isCopy && { isCopy }) };
    return { flushedTo: null, pending: [], ...known, ...named, transcript, workspaceDir };
  }

  function markPendingUpTo(session: HostSession, position: number): void {
    const current = progressOf(session);
    if (current.pending.includes(position)) return;
    progress.put({ ...current, pending: [...current.pending, position].sort((a, b) => a - b) });
  }

  async function finishOne(unfinished: FlushProgress): Promise<TranscriptFlushResult> {
    const { transcript, flushedTo } = unfinished;
    const segments = readSegments(transcript, {
      from: flushedTo ?? undefined,
      to: unfinished.pending.at(-1),
    });
    if (segments === null) {
      progress.remove(unfinished);
      return { written: [], isComplete: true, problems: [`there is no transcript at ${transcript}`] };
    }
    // A compaction while the host was writing a line is after the last whole line.
    const lastEnd = segments.at(-1)!.end;
    const compactedAt = unfinished.pending.map((at) => Math.min(at, lastEnd));
    const lost = segments.filter(
      ({ start, end }) => flushedTo !== null || compactedAt.some((at) => at > start && at <= end),
    );
    const turns = lost.flatMap((segment) => segment.turns);
    const to = unfinished.pending.at(-1)!;
    const isRead = unfinished.read?.to === to ? firstRead(turns, unfinished.read.turns) : new Set();
    const left = turns.filter((turn) => !isRead.has(turn));
    // Loaded only if a flush is pending, because every session start runs this.
    const { beforeCompact } = await import("./run-flush.ts");
    const { written, unread, problems, flushed } = await beforeCompact({
      memory: withoutIndex(memory),
      fallback: "extract",
      session: {
        key: `agent:${memory.agentId}:main`,
        ...(unfinished.sessionId !== undefined && { sessionId: unfinished.sessionId }),
        messages: left.map(toMessage),
      },
      readUntil,
      signal,
      now,
    });
    const isComplete = flushed && unread === 0;
    // Another compaction may have been recorded meanwhile.
    const current = progress.get(transcript)?.pending ?? [];
    const { read: _, ...rest } = unfinished;
    if (isComplete) {
      const later = current.filter((at) => !unfinished.pending.includes(at));
      if (unfinished.isCopy && later.length === 0) progress.remove(unfinished);
      else progress.put({ ...rest, flushedTo: lastEnd, pending: later });
    } else if (flushed && current.includes(to)) {
      progress.put({ ...rest, pending: current, read: { to, turns: byNeed(turns).length - unread } });
    }
    return { written, isComplete, problems };
  }

  return {
    begin(session) {
      if (!isEnabled || progress.get(session.transcript) !== null) return;
      const segments: readonly Segment[] = readSegments(session.transcript) ?? [];
      progress.put({ ...progressOf(session), flushedTo: segments.at(-1)?.start ?? 0 });
    },
    markPending(session) {
      const size = isEnabled ? transcriptSize(session.transcript) : null;
      if (size !== null && size > 0) markPendingUpTo(session, size);
      else if (session.isCopy) progress.remove(session);
    },
    markCompactedPending(session) {
      const from = progress.get(session.transcript)?.flushedTo ?? undefined;
      const compacted = isEnabled ? readSegments(session.transcript, { from })?.at(-2) : undefined;
      if (compacted !== undefined && compacted.turns.length > 0) markPendingUpTo(session, compacted.end);
    },
    async finish() {
      const written: AddResult[] = [];
      const problems: string[] = [];
      let isComplete = true;
      for (const unfinished of isEnabled ? progress.pending() : []) {
        if (unfinished.workspaceDir !== workspaceDir) continue;
        try {
          const result = await finishOne(unfinished);
          written.push(...result.written);
          problems.push(...result.problems);
          isComplete &&= result.isComplete;
        } catch (error) {
          problems.push(adviceOf(error));
          isComplete = false;
        }
      }
      return { written, isComplete, problems };
    },
  };
}

/** What a flush that ran out of time has read and written down. */
function firstRead(turns: readonly Turn[], count: number): ReadonlySet<unknown> {
  return new Set(
    byNeed(turns)
      .slice(0, count)
      .map(([, turn]) => turn),
  );
}

/** The next search syncs the index; a flush has no time for it. */
function withoutIndex(memory: Memory): Memory {
  return override(memory, { add: (text, options) => memory.add(text, { ...options, indexing: "later" }) });
}

function toMessage({ role, text, line, at }: Turn) {
  return {
    role: role === "summary" ? ("system" as const) : role,
    content: text,
    line,
    ...(at !== undefined && { timestamp: at }),
  };
}
