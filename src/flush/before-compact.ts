import { type FlushDecisionInput, isFlushed, refuseFlush } from "./decide-flush.ts";
import { loadSession } from "./flush-session.ts";
import { type FlushOptions, type FlushResult, runFlush } from "./run-flush.ts";

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
