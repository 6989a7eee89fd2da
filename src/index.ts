/**
 * `longhand`: what most programs need. Exports for a single task have their own path: `longhand/tools`, `/formats`,
 * `/sessions`, `/flush`, `/entries`, `/sources`, `/stores`, `/embedders`.
 */
export type { PartialConfig as Config } from "./config/options.ts";
export type { RemoteProvider, UnusedServices } from "./config/provider-access.ts";
export type { Project } from "./config/settings.ts";
export type {
  ApplyRequest,
  ApplyResult,
  Change,
  Consolidation,
  Plan,
  PlanRequest,
  Receipt,
  SourceLines,
  Step,
  StepKind,
  SubmitResult,
  SubmittedStep,
  UndoResult,
} from "./consolidate/consolidation.ts";
export type { Generate } from "./consolidate/propose.ts";
export type { PendingRecovery } from "./consolidate/undo-receipt.ts";
export type { BatchTrouble } from "./embedders/batch-jobs/batch-jobs.ts";
export type { Embedder, WordComparison } from "./embedders/embedder.ts";
export type { Fallback } from "./embedders/fallback-chain.ts";
export type {
  BatchStatus,
  EngineStatus,
  PreferredStatus,
  WatcherStatus,
  WatchOptions,
  WorkStatus,
} from "./engines/engine.ts";
export type { Entries, EntriesStatus } from "./entries/entries.ts";
export { type ErrorCode, type ErrorDetails, errorCodes, LonghandError } from "./errors.ts";
export { decideFlush } from "./flush/decide-flush.ts";
export { flushTurn } from "./flush/flush-turn.ts";
export { beforeCompact, runFlush } from "./flush/run-flush.ts";
export type { ForgetOptions, ForgetPassage, ForgetRequest, ForgetResult } from "./forget/forget.ts";
export type { ForgetReceipt } from "./forget/receipt.ts";
export type { IndexLocation } from "./memory/index-locations.ts";
export type {
  ImportedVectors,
  ImportVectorsRequest,
  Memory,
  MemoryLimits,
  MemoryWorkspace,
  OpenMemoryOptions,
} from "./memory/memory.ts";
export type {
  AddOptions,
  AddResult,
  EditNoteRequest,
  EditNoteResult,
  ListedNote,
  ListNotesRequest,
  NoteLinks,
  NoteUsage,
  OutgoingLink,
  ReadFileRequest,
  ReadFileResult,
  ReadNoteRequest,
  TagCount,
  UsageReport,
  UsageRequest,
  WholeNote,
} from "./memory/note-requests.ts";
export { openMemory } from "./memory/open-memory.ts";
export type { SessionStart, StartNote, StartSessionRequest } from "./memory/start-session.ts";
export type { BatchModeStatus, EmbeddingStatus, MemoryStatus, UserLayerStatus } from "./memory/status.ts";
export type { EditResult } from "./notes/edit-file.ts";
export type { LinesResult } from "./notes/read-lines.ts";
export { type OpenSessionStoreOptions, openSessionStore } from "./open-session-store.ts";
export type { ConfidenceLevel } from "./search/confidence.ts";
export type { EmbedderCheck } from "./search/embedder-check.ts";
export type {
  AnswerExplanation,
  HitExplanation,
  HitFlag,
  SearchAnswer,
  SearchHit,
  SearchOptions,
  SupersededBy,
  WhyNot,
} from "./search/search.ts";
export type { SessionStore } from "./sessions/store/session-store.ts";
export type { FormatName } from "./sessions/transcripts/format.ts";
export type { Sessions } from "./sessions/transcripts/sessions.ts";
export type { Source } from "./sources/source.ts";
export type { DocumentSummary, Store, VectorStore } from "./stores/store.ts";
export type { WorkHolder } from "./stores/work-lock.ts";
export type { RefusedTexts } from "./sync/embedding-record.ts";
export type { EmbeddingEstimate } from "./sync/estimate-embedding.ts";
export type { SyncFailure } from "./sync/prepare.ts";
export type { SyncOptions, SyncProgress, SyncReport } from "./sync/sync.ts";
export type { SharingTrouble, SyncRecord } from "./sync/sync-records.ts";
export type { WatchEvent, WatchMode } from "./sync/watch.ts";
export type { Scope, SourceName } from "./text/document.ts";
export type { MemoryLayer } from "./text/layer-path.ts";
export type { Backlink } from "./text/link-graph.ts";
export { type MemoryToolsOptions, memoryTools } from "./tools/memory-tools.ts";
export { memoryPromptSection, type PromptSectionOptions } from "./tools/prompt-section.ts";
export type { MemoryTool } from "./tools/tool.ts";
export type { Difference, DifferenceKind } from "./upkeep/compare-contents.ts";
export type { MigrateReport, MigrateRequest } from "./upkeep/migrate.ts";
export type { EmbeddingProbe, ProbeOptions, VectorProbe } from "./upkeep/probes.ts";
export type { RepairReport, VerifyReport } from "./upkeep/upkeep.ts";
export type { VerifyOptions } from "./upkeep/verify.ts";
