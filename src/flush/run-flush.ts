import { adviceOf } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { AddResult } from "../memory/note-requests.ts";
import { localTime } from "../notes/local-time.ts";
import { runWithin } from "../timing.ts";
import { createAddTool } from "../tools/add-tool.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import type { MemoryTool } from "../tools/tool.ts";
import { type FlushDecisionInput, isFlushed, refuseFlush } from "./decide-flush.ts";
import {
  type FlushRecord,
  type FlushSession,
  type LoadedSession,
  loadSession,
  recordFlush,
} from "./flush-session.ts";
import { type FlushPrompts, type FlushTurn, flushTurn, isSilentReply } from "./flush-turn.ts";
import { addItems, writeExtract } from "./write-memories.ts";

/** What the host needs to run the silent turn with its model. */
export interface TurnRequest extends FlushTurn {
  /** The only tools of the turn: read, and append to today's note. */
  readonly tools: readonly MemoryTool[];
  /** Aborted if the turn times out. */
  readonly signal: AbortSignal;
}

/** Runs one turn of the conversation, hidden from the user, and returns the model's final text. */
export type RunTurn = (request: TurnRequest) => Promise<string | { readonly text: string }>;

export interface FlushOptions {
  readonly session: FlushSession;
  readonly memory: Memory;
  /** If absent, only the fallback runs. */
  readonly runTurn?: RunTurn | undefined;
  /** Overrides the tools of the memory. */
  readonly tools?: readonly MemoryTool[] | undefined;
  readonly prompts?: FlushPrompts | undefined;
  /** `extract` also writes sentences that the model left out; defaults to the configuration. */
  readonly fallback?: "off" | "extract" | undefined;
  /** How many of the last messages are kept; the fallback reads those before them. */
  readonly keepLast?: number | undefined;
  /** Stops the fallback, which reads the latest user messages first; what it found is written. */
  readonly readUntil?: AbortSignal | undefined;
  /** Timeout of the host's turn and of the compaction's wait. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => Date) | undefined;
}

export interface FlushResult {
  /** True if it is done for this compaction and recorded. */
  readonly flushed: boolean;
  /** Why there was no flush, or how it went, as a code. */
  readonly reason: string;
  /** The model had nothing to write, or was not asked. */
  readonly silent: boolean;
  /** What was written to the notes. */
  readonly written: readonly AddResult[];
  readonly record?: FlushRecord;
  /** Messages that the fallback had no time for. */
  readonly unread: number;
  /** Failures, in plain words; the host continues. */
  readonly problems: readonly string[];
}

export interface BeforeCompactOptions
  extends FlushOptions,
    Pick<FlushDecisionInput, "enabled" | "heartbeat" | "cliProvider" | "readOnly"> {}

/**
 * Call it on every path on which a host compacts: on request, when the window is full, or after a request overflowed
 * (then without `runTurn`, for which there is no room). Flushes unless that has happened since the last compaction;
 * the fallback also reads what was said since. Never rejects.
 */
export async function beforeCompact(options: BeforeCompactOptions): Promise<FlushResult> {
  const enabled = options.enabled ?? options.memory.compaction?.memoryFlush.enabled;
  const refusal = refuseFlush({ ...options, enabled });
  if (refusal !== null) return skipped(refusal);
  const loaded = await loadSession(options.session).catch(() => null);
  const isAsked = loaded === null || !isFlushed(loaded);
  const fallback = options.fallback ?? options.memory.compaction?.memoryFlush.fallback ?? "off";
  if (!isAsked && fallback === "off") return skipped("already-flushed");
  return await runFlush(isAsked ? options : { ...options, runTurn: undefined });
}

function skipped(reason: string): FlushResult {
  return { flushed: false, reason, silent: true, written: [], unread: 0, problems: [] };
}

/**
 * Lets the model write down what is about to be compacted away, and records that. Never rejects: failures are in the
 * result, because neither the host's turn nor the compaction may fail because of them.
 */
export async function runFlush(options: FlushOptions): Promise<FlushResult> {
  const written: AddResult[] = [];
  const problems: string[] = [];
  const { session, memory, now = () => new Date(), signal } = options;
  let isSilent = true;
  let isDone = false;
  let unread = 0;

  async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      problems.push(`${what}: ${adviceOf(error)}`);
      return undefined;
    }
  }

  const loaded = await attempt("The session could not be read", () => loadSession(session));
  if (loaded === undefined)
    return { flushed: false, reason: "session-unreadable", silent: true, written, unread, problems };

  if (options.runTurn) {
    const reply = await attempt("The turn failed", () => askModel(options, written));
    if (reply !== undefined) {
      isDone = true;
      isSilent = isSilentReply(reply);
    }
  }
  const fallback = options.fallback ?? memory.compaction?.memoryFlush.fallback ?? "off";
  if (fallback === "extract") {
    const isWritten = await attempt("The sentences could not be copied", async () => {
      const { added, unread: left } = await writeExtract(memory, {
        turns: lostTurns(loaded, options.keepLast),
        sessionId: loaded.sessionId,
        knownPaths: knownNotes({
          now: now(),
          since: loaded.since,
          timezone: memory.timezone,
          dailyNoteOf: (day) => memory.workspace.dailyNoteOf(day),
        }),
        until: options.readUntil,
        signal,
      });
      if (added !== null && !added.duplicate) written.push(added);
      unread = left;
      if (unread > 0) problems.push(`${unread} messages were not read for lack of time.`);
      return true;
    });
    if (isWritten) isDone = true;
  }
  if (!isDone) {
    const reason = problems.length > 0 ? "failed" : "nothing-to-run";
    return { flushed: false, reason, silent: isSilent, written, unread, problems };
  }
  const record = { memoryFlushAt: now().getTime(), memoryFlushCompactionCount: loaded.compactionCount };
  const isRecorded = await attempt("The flush could not be recorded", async () => {
    await recordFlush(session, record);
    return true;
  });
  return {
    flushed: isRecorded === true,
    reason: isRecorded ? (written.length > 0 ? "written" : "nothing-to-write") : "not-recorded",
    silent: isSilent,
    written,
    ...(isRecorded && { record }),
    unread,
    problems,
  };
}

/** One turn of the host's model; ends at the timeout, whether the host honours the signal or not. */
async function askModel(options: FlushOptions, written: AddResult[]): Promise<string> {
  const { session, memory, prompts, timeoutMs = 120_000, now = () => new Date(), signal } = options;
  const configured = memory.compaction?.memoryFlush;
  const turn = flushTurn({
    now: now(),
    timezone: memory.timezone,
    dailyNoteOf: (day) => memory.workspace.dailyNoteOf(day),
    prompts: {
      systemPrompt: configured?.systemPrompt,
      prompt: configured?.prompt,
      ...dropUndefined(prompts),
    },
  });
  const tools = options.tools ?? appendOnlyTools(memory, { sessionKey: session.key, written });
  const runTurn = async (limited: AbortSignal) =>
    (await options.runTurn!({ ...turn, tools, signal: limited })) ?? "";
  const reply = await runWithin(timeoutMs, runTurn, { signal });
  if (reply === undefined) throw new Error(`it took longer than ${timeoutMs} ms`);
  return typeof reply === "string" ? reply : String(reply.text ?? "");
}

/** The tools of the memory; the one that writes can only append to today's note. */
function appendOnlyTools(
  memory: Memory,
  { sessionKey, written }: { sessionKey: string; written: AddResult[] },
): MemoryTool[] {
  const addToToday: Memory["add"] = async (text, { origin, signal } = {}) => {
    const added = await addItems(memory, text, { origin, signal });
    if (!added.duplicate) written.push(added);
    return added;
  };
  return [
    ...memoryTools(memory, { sessionKey, access: "read" }),
    createAddTool(memory, { origin: `flush ${sessionKey}`, sessionKey, addToToday }),
  ];
}

function lostTurns({ turns }: LoadedSession, keepLast = 0): LoadedSession["turns"] {
  return turns.slice(0, Math.max(0, turns.length - Math.max(0, keepLast)));
}

/**
 * Notes that may already say the same: today's, yesterday's, those since the conversation began (an earlier flush may
 * have written to them) and the long-term memory.
 */
function knownNotes({
  now,
  since,
  timezone,
  dailyNoteOf,
}: {
  now: Date;
  since?: number | undefined;
  timezone: string;
  dailyNoteOf: (day: string) => string;
}): string[] {
  const dayMs = 86_400_000;
  const ageMs = Math.max(0, now.getTime() - (since ?? now.getTime()));
  const count = Math.min(maxKnownDays, Math.ceil(ageMs / dayMs) + 2);
  const days = Array.from(
    { length: count },
    (_, age) => localTime(new Date(now.getTime() - age * dayMs), timezone).day,
  );
  return [...new Set(days)].map(dailyNoteOf).concat("MEMORY.md");
}

/** A conversation of months must not read months of notes at each compaction. */
const maxKnownDays = 31;

function dropUndefined(prompts: FlushPrompts = {}): FlushPrompts {
  return Object.fromEntries(Object.entries(prompts).filter(([, text]) => text !== undefined));
}
