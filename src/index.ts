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
export { type AiSdkEmbeddingModel, type FromAiSdkOptions, fromAiSdk } from "./embedders/ai-sdk-model.ts";
export type {
  EmbedDocumentsOptions,
  EmbeddedText,
  Embedder,
  EmbedderUsage,
  EmbedOptions,
  RefusedText,
  TextVectors,
} from "./embedders/embedder.ts";
export {
  type EmbeddingProvider,
  type FromEmbeddingProviderOptions,
  fromEmbeddingProvider,
} from "./embedders/embedding-provider.ts";
export type { WatcherStatus, WatchOptions } from "./engines/engine.ts";
export type {
  CaptureResult,
  CaptureTurn,
  Entries,
  Entry,
  EntryAccess,
  EntryCategory,
  ForgetEntryRequest,
  ForgetEntryResult,
  PlacedEntry,
  RecallAnswer,
  RecalledEntry,
  RecallOptions,
  StoreRequest,
  StoreResult,
} from "./entries/entries.ts";
export type { ErrorCode } from "./errors.ts";
export { errorCodes, LonghandError } from "./errors.ts";
export { type BeforeCompactOptions, beforeCompact } from "./flush/before-compact.ts";
export {
  decideFlush,
  type FlushDecision,
  type FlushDecisionInput,
  type FlushReason,
} from "./flush/decide-flush.ts";
export type { FlushMessage, FlushRecord, FlushSession } from "./flush/flush-session.ts";
export { type FlushPrompts, type FlushTurn, flushTurn, isSilentReply } from "./flush/flush-turn.ts";
export {
  type FlushOptions,
  type FlushResult,
  type RunTurn,
  runFlush,
  type TurnRequest,
} from "./flush/run-flush.ts";
export type { ForgetOptions, ForgetPassage, ForgetRequest, ForgetResult } from "./forget/forget.ts";
export type { ForgetReceipt } from "./forget/receipt.ts";
export type {
  AddOptions,
  AddResult,
  EditNoteRequest,
  EditNoteResult,
  ListedNote,
  ListNotesRequest,
  Memory,
  MemoryLimits,
  MemoryWorkspace,
  OpenMemoryOptions,
  ReadFileRequest,
  ReadFileResult,
  ReadNoteRequest,
  WholeNote,
} from "./memory/memory.ts";
export { openMemory } from "./memory/open-memory.ts";
export type { SessionStart, StartNote, StartSessionRequest } from "./memory/start-session.ts";
export type { MemoryStatus } from "./memory/status.ts";
export { type OpenSessionStoreOptions, openSessionStore } from "./open-session-store.ts";
export type {
  AnswerExplanation,
  HitExplanation,
  SearchAnswer,
  SearchHit,
  SearchOptions,
  WhyNot,
} from "./search/search.ts";
export type { CompactRequest } from "./sessions/store/compact-history.ts";
export type {
  CompactedPart,
  SessionEntry,
  SessionHistory,
  SessionMessage,
  SkillsSnapshot,
  SystemPromptReport,
} from "./sessions/store/session-entry.ts";
export type {
  EntryChange,
  EntryDraft,
  ListedSession,
  NewMessage,
  SessionRepair,
  SessionStore,
} from "./sessions/store/session-store.ts";
export type { ImportCandidate } from "./sessions/transcripts/look-for-imports.ts";
export type { SessionSummary, Sessions, ShownSession, ShowRequest } from "./sessions/transcripts/sessions.ts";
export type {
  ChunkFilter,
  DocumentSummary,
  IndexedDocument,
  IndexedVersion,
  Store,
  StoredChunk,
  StoreStatistics,
} from "./stores/store.ts";
export type { WorkHolder } from "./stores/work-lock.ts";
export type { SyncOptions, SyncProgress, SyncReport } from "./sync/sync.ts";
export type { SyncRecord } from "./sync/sync-history.ts";
export type { WatchEvent, WatchMode } from "./sync/watch.ts";
export type { Chunk, Document, LineRange, Scope, SourceName } from "./text/document.ts";
export { answerToolCall, type RequestedCall } from "./tools/answer-tool-call.ts";
export { type MemoryToolsOptions, memoryTools } from "./tools/memory-tools.ts";
export { memoryPromptSection, type PromptSectionOptions } from "./tools/prompt-section.ts";
export { type RecallForPromptOptions, recallForPrompt } from "./tools/recall-section.ts";
export {
  anthropicTools,
  geminiTools,
  mcpTools,
  openAiResponsesTools,
  openAiTools,
} from "./tools/schema-formats.ts";
export { type StartSectionOptions, startPromptSection } from "./tools/start-section.ts";
export type { MemoryTool, ObjectSchema, ToolAnnotations, ToolCall, ToolFailure } from "./tools/tool.ts";
export type { Difference, DifferenceKind } from "./upkeep/compare-contents.ts";
export type { MigrateReport, MigrateRequest } from "./upkeep/migrate.ts";
export type { EmbeddingProbe, ProbeOptions, VectorProbe } from "./upkeep/probes.ts";
export type { RepairReport, VerifyReport } from "./upkeep/upkeep.ts";
export type { VerifyOptions } from "./upkeep/verify.ts";
