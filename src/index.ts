/**
 * `longhand`: what most programs need. What belongs to one task has a path of its own: `longhand/tools`, `/formats`,
 * `/sessions`, `/flush`, `/entries`, `/sources`, `/stores`, `/embedders`.
 */
export type { PartialConfig as Config } from "./config/options.ts";
export type {
  ApplyRequest,
  ApplyResult,
  Consolidation,
  PlanRequest,
  Receipt,
  SubmitResult,
  SubmittedStep,
  UndoResult,
} from "./consolidate/consolidation.ts";
export type { Change, Plan, SourceLines, Step, StepKind } from "./consolidate/plan.ts";
export type { Generate } from "./consolidate/propose.ts";
export type { Embedder } from "./embedders/embedder.ts";
export type { WatcherStatus, WatchOptions } from "./engines/engine.ts";
export type { ErrorCode } from "./errors.ts";
export { errorCodes, LonghandError } from "./errors.ts";
export { beforeCompact } from "./flush/before-compact.ts";
export { decideFlush } from "./flush/decide-flush.ts";
export { flushTurn } from "./flush/flush-turn.ts";
export { runFlush } from "./flush/run-flush.ts";
export type { ForgetOptions, ForgetPassage, ForgetRequest, ForgetResult } from "./forget/forget.ts";
export type { ForgetReceipt } from "./forget/receipt.ts";
export type { Memory, MemoryLimits, MemoryWorkspace, OpenMemoryOptions } from "./memory/memory.ts";
export type {
  AddOptions,
  AddResult,
  EditNoteRequest,
  EditNoteResult,
  ListedNote,
  ListNotesRequest,
  ReadFileRequest,
  ReadFileResult,
  ReadNoteRequest,
  WholeNote,
} from "./memory/note-requests.ts";
export { openMemory } from "./memory/open-memory.ts";
export type { SessionStart, StartNote, StartSessionRequest } from "./memory/start-session.ts";
export type { MemoryStatus } from "./memory/status.ts";
export { openSessionStore } from "./open-session-store.ts";
export type {
  AnswerExplanation,
  HitExplanation,
  SearchAnswer,
  SearchHit,
  SearchOptions,
  SupersededBy,
  WhyNot,
} from "./search/search.ts";
export type { Source } from "./sources/source.ts";
export type { DocumentSummary, Store, VectorStore } from "./stores/store.ts";
export type { WorkHolder } from "./stores/work-lock.ts";
export type { SyncOptions, SyncProgress, SyncReport } from "./sync/sync.ts";
export type { SyncRecord } from "./sync/sync-history.ts";
export type { WatchEvent, WatchMode } from "./sync/watch.ts";
export type { Scope, SourceName } from "./text/document.ts";
export { memoryTools } from "./tools/memory-tools.ts";
export { memoryPromptSection } from "./tools/prompt-section.ts";
export type { Difference, DifferenceKind } from "./upkeep/compare-contents.ts";
export type { MigrateReport, MigrateRequest } from "./upkeep/migrate.ts";
export type { EmbeddingProbe, ProbeOptions, VectorProbe } from "./upkeep/probes.ts";
export type { RepairReport, VerifyReport } from "./upkeep/upkeep.ts";
export type { VerifyOptions } from "./upkeep/verify.ts";
