/** `longhand/flush`: saves what is about to be compacted away. See docs/flush.md. */
export {
  decideFlush,
  type FlushDecision,
  type FlushDecisionInput,
  type FlushReason,
} from "../flush/decide-flush.ts";
export type { FlushMessage, FlushRecord, FlushSession } from "../flush/flush-session.ts";
export { type FlushPrompts, type FlushTurn, flushTurn, isSilentReply } from "../flush/flush-turn.ts";
export {
  type BeforeCompactOptions,
  beforeCompact,
  type FlushOptions,
  type FlushResult,
  type RunTurn,
  runFlush,
  type TurnRequest,
} from "../flush/run-flush.ts";
