/** `longhand/sessions`: the conversations that longhand keeps for a host. See docs/session-store.md. */
export { type OpenSessionStoreOptions, openSessionStore } from "../open-session-store.ts";
export type { CompactRequest } from "../sessions/store/history-file.ts";
export type {
  CompactedPart,
  EntryChange,
  EntryDraft,
  ListedSession,
  NewMessage,
  SessionEntry,
  SessionHistory,
  SessionMessage,
  SessionRepair,
  SessionStore,
  SkillsSnapshot,
  SystemPromptReport,
} from "../sessions/store/session-store.ts";
export type { ImportCandidate } from "../sessions/transcripts/imports.ts";
export type {
  SessionSummary,
  Sessions,
  ShownSession,
  ShowRequest,
} from "../sessions/transcripts/sessions.ts";
