export interface FlushDecisionInput {
  /** Current tokens of the conversation. */
  readonly totalTokens?: number | undefined;
  readonly contextWindow?: number | undefined;
  readonly reserveTokensFloor?: number | undefined;
  readonly softThresholdTokens?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly compactionCount?: number | undefined;
  /** The `compactionCount` of the last flush. */
  readonly memoryFlushCompactionCount?: number | undefined;
  /** A run that was not started by a person. */
  readonly heartbeat?: boolean | undefined;
  /** The model runs in a program that keeps its own context. */
  readonly cliProvider?: boolean | undefined;
  /** The workspace is read-only. */
  readonly readOnly?: boolean | undefined;
  /** False if the tokens were counted before the conversation last changed. */
  readonly totalsFresh?: boolean | undefined;
}

export type FlushReason =
  | "threshold-reached"
  | "disabled"
  | "heartbeat"
  | "cli-provider"
  | "read-only"
  | "totals-stale"
  | "totals-unknown"
  | "no-room"
  | "already-flushed"
  | "below-threshold";

export interface FlushDecision {
  readonly flush: boolean;
  readonly reason: FlushReason;
  /** Tokens from which a flush is due; null if it never is. */
  readonly threshold: number | null;
}

/** Whether to flush now, before the conversation is compacted. */
export function decideFlush(input: FlushDecisionInput = {}): FlushDecision {
  const { totalTokens, contextWindow, reserveTokensFloor = 20_000, softThresholdTokens = 4_000 } = input;
  const limit = Number(contextWindow) - reserveTokensFloor - softThresholdTokens;
  const threshold = limit > 0 ? limit : null;
  const no = (reason: FlushReason): FlushDecision => ({ flush: false, reason, threshold });
  const refusal = refuseFlush(input);
  if (refusal !== null) return no(refusal);
  if (input.totalsFresh === false) return no("totals-stale");
  if (!isCount(totalTokens) || !isCount(contextWindow)) return no("totals-unknown");
  if (threshold === null) return no("no-room");
  if (totalTokens < threshold) return no("below-threshold");
  if (isFlushed(input)) return no("already-flushed");
  return { flush: true, reason: "threshold-reached", threshold };
}

/** Why such a run never flushes, however full the context is. */
export function refuseFlush(
  input: Pick<FlushDecisionInput, "enabled" | "heartbeat" | "cliProvider" | "readOnly">,
): FlushReason | null {
  if (input.enabled === false) return "disabled";
  if (input.heartbeat) return "heartbeat";
  if (input.cliProvider) return "cli-provider";
  if (input.readOnly) return "read-only";
  return null;
}

/** Whether there was a flush since the last compaction. */
export function isFlushed(
  input: Pick<FlushDecisionInput, "compactionCount" | "memoryFlushCompactionCount">,
): boolean {
  return input.memoryFlushCompactionCount === (input.compactionCount || 0);
}

function isCount(value: number | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
