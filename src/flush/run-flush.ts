import { adviceOf, LonghandError } from "../errors.ts";
import { checkMemory } from "../memory/check-options.ts";
import type { Memory } from "../memory/memory.ts";
import type { AddResult } from "../memory/note-requests.ts";
import { localTime } from "../notes/local-time.ts";
import { shiftDay } from "../text/day.ts";
import { runWithin } from "../timing.ts";
import type { MemoryTool } from "../tools/tool.ts";
import { askModel } from "./ask-model.ts";
import { usableOptions } from "./check-flush.ts";
import { type FlushDecisionInput, isFlushed, refuseFlush } from "./decide-flush.ts";
import {
  type FlushRecord,
  type FlushSession,
  type LoadedSession,
  loadSession,
  recordFlush,
} from "./flush-session.ts";
import { type FlushPrompts, type FlushTurn, isSilentReply } from "./flush-turn.ts";
import { writeExtract } from "./write-memories.ts";

/** What the host needs to run the silent turn with its model. */
export interface TurnRequest extends FlushTurn {
  /** The only tools of the turn: read, and append to today's note. */
  readonly tools: readonly MemoryTool[];
  /** Aborted if the turn times out. Tools that are called after that, or after the turn, write nothing. */
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
  /** Timeout of the host's turn, and of reading and recording the session (at least two seconds); 120 seconds. */
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
  return await neverRejecting("beforeCompact", options, flushIfDue);
}

async function flushIfDue(options: BeforeCompactOptions): Promise<FlushResult> {
  const enabled = options.enabled ?? options.memory.compaction?.memoryFlush.enabled;
  const refusal = refuseFlush({ ...options, enabled });
  if (refusal !== null) return skipped(refusal);
  const loading = loadInTime(options);
  const loaded = await loading.catch(() => null);
  const isAsked = loaded === null || !isFlushed(loaded);
  const fallback = options.fallback ?? options.memory.compaction?.memoryFlush.fallback ?? "off";
  if (!isAsked && fallback === "off") return skipped("already-flushed");
  return await flush(isAsked ? options : { ...options, runTurn: undefined }, loading);
}

function skipped(reason: string): FlushResult {
  return { flushed: false, reason, silent: true, written: [], unread: 0, problems: [] };
}

/**
 * Lets the model write down what is about to be compacted away, and records that. Never rejects: failures are in the
 * result, because neither the host's turn nor the compaction may fail because of them.
 */
export async function runFlush(options: FlushOptions): Promise<FlushResult> {
  return await neverRejecting("runFlush", options, async (usable) => await flush(usable, loadInTime(usable)));
}

/** Types only protect TypeScript: a call that makes no sense must not fail the host's compaction either. */
async function neverRejecting<Options extends FlushOptions>(
  call: string,
  options: Options | undefined,
  work: (usable: Options) => Promise<FlushResult>,
): Promise<FlushResult> {
  try {
    checkMemory(call, options?.memory as Memory);
    if (typeof options?.session?.key !== "string") {
      throw new LonghandError("not-supported", `${call} needs a session with a key.`, {
        hint: 'Pass the conversation: { session: { key: "agent:main:main", … }, memory }. See docs/flush.md.',
      });
    }
    const { usable, problems } = usableOptions(call, options);
    const result = await work(usable);
    if (problems.length === 0) return result;
    const reason = result.reason === "nothing-to-run" ? "failed" : result.reason;
    return { ...result, reason, problems: [...problems, ...result.problems] };
  } catch (error) {
    return { ...skipped("failed"), problems: [adviceOf(error)] };
  }
}

const defaultTimeoutMs = 120_000;

/** Undefined if it cannot be one. */
function timeoutOf({ timeoutMs = defaultTimeoutMs }: FlushOptions): number | undefined {
  return typeof timeoutMs === "number" && timeoutMs >= 0 ? timeoutMs : undefined;
}

/** A short timeout is meant for the model; longhand's own files may take a moment on a busy machine. */
const minSessionMs = 2000;

async function inTime<T>(options: FlushOptions, work: () => Promise<T>): Promise<T> {
  const ms = Math.max(timeoutOf(options) ?? defaultTimeoutMs, minSessionMs);
  const done = await runWithin(ms, async () => ({ result: await work() }));
  if (done === undefined) throw new Error(`it took longer than ${ms} ms`);
  return done.result;
}

async function loadInTime(options: FlushOptions): Promise<LoadedSession> {
  return await inTime(options, () => loadSession(options.session));
}

async function flush(options: FlushOptions, loading: Promise<LoadedSession>): Promise<FlushResult> {
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

  const timeoutMs = timeoutOf(options) ?? defaultTimeoutMs;
  const keepLast = keepLastOf(options);
  if (timeoutOf(options) === undefined) {
    problems.push(`timeoutMs cannot be ${String(options.timeoutMs)}; it was taken for ${timeoutMs}.`);
  }
  if (keepLast === undefined) {
    problems.push(`keepLast cannot be ${String(options.keepLast)}; all messages were read.`);
  }
  const loaded = await attempt("The session could not be read", () => loading);
  if (loaded === undefined)
    return { flushed: false, reason: "session-unreadable", silent: true, written, unread, problems };

  if (options.runTurn) {
    const reply = await attempt("The turn failed", () => askModel(options, { timeoutMs, written }));
    if (reply !== undefined) {
      isDone = true;
      isSilent = isSilentReply(reply);
    }
  }
  const fallback = options.fallback ?? memory.compaction?.memoryFlush.fallback ?? "off";
  if (fallback === "extract") {
    const isWritten = await attempt("The sentences could not be copied", async () => {
      const { added, unread: left } = await writeExtract(memory, {
        turns: lostTurns(loaded, keepLast),
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
    await inTime(options, () => recordFlush(session, record));
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

/** Undefined if it cannot be a count: then a summary may replace any of the messages. */
function keepLastOf({ keepLast = 0 }: FlushOptions): number | undefined {
  const isCount = Number.isInteger(keepLast) || keepLast === Number.POSITIVE_INFINITY;
  return isCount && keepLast >= 0 ? keepLast : undefined;
}

function lostTurns({ turns }: LoadedSession, keepLast = 0): LoadedSession["turns"] {
  return turns.slice(0, Math.max(0, turns.length - keepLast));
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
  const today = localTime(now, timezone).day;
  const days = Array.from({ length: count }, (_, age) => shiftDay(today, -age));
  return days.map(dailyNoteOf).concat("MEMORY.md");
}

/** A conversation of months must not read months of notes at each compaction. */
const maxKnownDays = 31;
