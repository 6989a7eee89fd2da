/** `longhand/entries`: small facts beside the notes, `memory.entries`. See docs/entries.md. */
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
} from "../entries/entries.ts";
export { type RecallForPromptOptions, recallForPrompt } from "../tools/recall-section.ts";
