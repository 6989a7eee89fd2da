import type { PartialConfig } from "../config/options.ts";
import type { Settings } from "../config/settings.ts";
import type { Consolidation } from "../consolidate/consolidation.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { WatchOptions } from "../engines/engine.ts";
import type { Entries } from "../entries/entries.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import type { LinesResult } from "../notes/read-lines.ts";
import type { SearchAnswer, SearchOptions } from "../search/search.ts";
import type { Sessions } from "../sessions/transcripts/sessions.ts";
import type { Source } from "../sources/source.ts";
import type { DocumentSummary, Store } from "../stores/store.ts";
import type { SyncOptions, SyncReport } from "../sync/sync.ts";
import type { Scope, SourceName } from "../text/document.ts";
import type { MemoryLayer } from "../text/layer-path.ts";
import type { Backlink } from "../text/link-graph.ts";
import type { MigrateReport, MigrateRequest } from "../upkeep/migrate.ts";
import type { EmbeddingProbe, ProbeOptions, VectorProbe } from "../upkeep/probes.ts";
import type { RepairReport, VerifyReport } from "../upkeep/upkeep.ts";
import type { VerifyOptions } from "../upkeep/verify.ts";
import type { SessionStart, StartSessionRequest } from "./start-session.ts";
import type { MemoryStatus } from "./status.ts";
export interface OpenMemoryOptions {
  readonly workspace?: string;
  readonly agent?: string;
  /**
   * The folder of the user's memory, searched together with the workspace; false for none. Defaults to the
   * configuration, which is `<state>/user` if it exists. A program that serves several people passes a folder for
   * each.
   */
  readonly user?: string | false;
  /** `agent:<id>:…` opens the memory of that agent, if it is configured and `agent` is not given. */
  readonly sessionKey?: string;
  /** The path of a configuration file, or the configuration itself. */
  readonly config?: string | PartialConfig;
  readonly stateDir?: string;
  /** Your own index, instead of the configured one. It is closed with the memory. */
  readonly store?: Store;
  /** Your own embedder, instead of the configured one. It is closed with the memory. */
  readonly embedder?: Embedder;
  /**
   * Your own sources, indexed along with the notes and transcripts. If a program opens the memory without them, their
   * documents stay in the index until a sync with `force`.
   */
  readonly sources?: readonly Source[];
  /**
   * False makes tools and prompt sections mark everything they quote as possibly written by strangers. A program
   * that opens a workspace has chosen it, so this is true by default; the command line asks whether the user has
   * trusted it.
   */
  readonly trusted?: boolean;
  readonly now?: () => Date;
}

export interface ReadFileRequest {
  readonly relPath: string;
  /** First line, 1-based. */
  readonly from?: number;
  readonly lines?: number;
  /** At most this many characters (default 12,000), in whole lines where possible. */
  readonly maxChars?: number;
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

export interface ReadFileResult extends LinesResult {
  readonly path: string;
}

export interface AddOptions {
  /** Whose memory it belongs to: the project's (default), or the user's, which is searched in every project. */
  readonly scope?: MemoryLayer;
  /** `daily` (default), `long-term` (default of the user's memory), or the path of a note. */
  readonly to?: string;
  /** Put the entry at the end of this section, which is created if it is missing. */
  readonly heading?: string;
  /** Treat each list item of the text as an entry, and leave out those that are already there. */
  readonly onlyNewItems?: boolean;
  /** Where the text came from, such as `tool` or `flush`; recorded in a comment next to it. Omit it for a person. */
  readonly origin?: string;
  /** The session that writes. A group or channel, or one of unknown kind, cannot write to private notes. */
  readonly sessionKey?: string;
  /** Write it even if a line already says this. */
  readonly force?: boolean;
  /** `later` leaves indexing to the next sync, which every search starts with; for callers that are short of time. */
  readonly indexing?: "now" | "later";
  readonly signal?: AbortSignal;
}

export interface AddResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The text, or a line that says the same, already exists; the result names it, and nothing was written. */
  readonly duplicate: boolean;
  /** True if the existing line says the same in other words; `force` writes anyway. */
  readonly nearDuplicate?: boolean;
  /** An older line that this one contradicts. */
  readonly supersedes?: { readonly path: string; readonly line: number };
  /** False when the note is written but the index could not follow yet; a later sync will. */
  readonly indexed: boolean;
  /** Why it could not, in one sentence; absent when it did. */
  readonly indexProblem?: string;
}

export interface ListNotesRequest {
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

export interface ListedNote {
  readonly path: string;
  /** The day the note is about, `YYYY-MM-DD`. */
  readonly date?: string;
  /** Changes whenever the content does. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  readonly scope: Scope;
  /** The layer it is in; absent if there is only the project's. */
  readonly layer?: MemoryLayer;
}

export interface NoteLinks {
  readonly path: string;
  /** There is no such note; other notes may link to it nevertheless. */
  readonly missing?: true;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly links: readonly OutgoingLink[];
  /** The `links` that lead to no note. */
  readonly broken: readonly OutgoingLink[];
  readonly backlinks: readonly Backlink[];
}

export interface OutgoingLink {
  /** As written: a name or a path. */
  readonly target: string;
  /** The note it leads to; absent if there is none. */
  readonly path?: string;
  readonly line: number;
  readonly heading?: string;
  readonly title?: string;
  /** The note is embedded, not only linked. */
  readonly isEmbed?: boolean;
}

export interface UsageRequest extends ListNotesRequest {
  /** Only this note. */
  readonly path?: string;
}

export interface UsageReport {
  /** False if `memorySearch.usage.enabled` is off. */
  readonly enabled: boolean;
  /** The day of the first count, `YYYY-MM-DD`; null if there is none. */
  readonly since: string | null;
  readonly notes: readonly NoteUsage[];
}

export interface NoteUsage {
  readonly path: string;
  readonly recalled: readonly {
    readonly startLine: number;
    readonly endLine: number;
    readonly recalls: number;
    /** `YYYY-MM-DD`. */
    readonly lastRecalled: string;
  }[];
  /** Lines that were part of no answer, without blank lines and headings. */
  readonly never: readonly { readonly startLine: number; readonly endLine: number }[];
}

export interface TagCount {
  readonly tag: string;
  readonly notes: number;
}

export interface ReadNoteRequest {
  readonly path: string;
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

/** A whole note as it is on disk, unmasked. */
export interface WholeNote {
  readonly path: string;
  readonly text: string;
  /** SHA-256 of its bytes; pass it to `editNote`. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  /** Why it cannot be edited; absent if it can. */
  readonly readOnly?: string;
}

export interface EditNoteRequest extends ReadNoteRequest {
  readonly text: string;
  /** The hash from `readNote`. A note that has changed since is left alone, with `note-changed`. */
  readonly expectedHash: string;
}

export interface EditNoteResult {
  readonly path: string;
  /** SHA-256 of its bytes before and now. */
  readonly before: string;
  readonly hash: string;
  /** False when the note is written but the index could not follow yet; a later sync will. */
  readonly indexed: boolean;
  /** Why it could not, in one sentence; absent when it did. */
  readonly indexProblem?: string;
}

/** The settings that an interface needs to serve a memory. */
export interface MemoryLimits {
  /** Maximum characters that one answer may add to an agent's context. */
  readonly maxInjectedChars: number;
  /** Default number of hits. */
  readonly maxResults: number;
  /** Agents may remove lines of notes. */
  readonly offersForget: boolean;
  /** Agents may propose steps of a consolidation. */
  readonly offersPlan: boolean;
  /** Where hits carry citations; `auto` leaves them out of groups and channels. */
  readonly citations: "auto" | "on" | "off";
}

/** The folder with the notes. */
export interface MemoryWorkspace {
  readonly dir: string;
  /** No workspace was chosen, so it is the default in the state folder. */
  readonly isDefault: boolean;
  /** Whether its notes may reach an agent unasked, and without a warning that strangers may have written them. */
  readonly isTrusted: boolean;
  /** The path of a day's note (`YYYY-MM-DD`), according to `notes.daily`. */
  dailyNoteOf(day: string): string;
}

export interface ImportVectorsRequest {
  /** SQLite files of OpenClaw; missing ones are skipped. */
  readonly from: readonly string[];
  readonly signal?: AbortSignal;
}

export interface ImportedVectors {
  /** Texts that got a vector from the import, and texts that still lack one. */
  readonly imported: number;
  readonly missing: number;
  /** The provider that embeds texts here. */
  readonly provider: string;
  readonly model?: string;
  /** The vectors that were found, by provider and model. */
  readonly made: readonly { readonly provider: string; readonly model: string; readonly vectors: number }[];
  /** Why nothing could be imported. */
  readonly reason?: string;
}

export interface Memory extends AsyncDisposable {
  readonly agentId: string;
  /** Throws `session-foreign` for a session key of another agent, like every call that takes one. */
  checkSession(sessionKey: string): void;
  readonly limits: MemoryLimits;
  readonly workspace: MemoryWorkspace;
  /** The sources that a search can be limited to. */
  readonly sources: readonly SourceName[];
  /** The folder of the user's memory, whether it exists yet or not; null if it is switched off. */
  readonly userDir: string | null;
  /** The transcripts of this agent, whether or not they are indexed. */
  readonly sessions: Sessions;
  /** Small facts in addition to the notes; null unless `plugins.slots.memory` is `memory-lancedb`. */
  readonly entries: Entries | null;
  /** Proposed cleanups of the notes, to be reviewed, applied and undone. */
  readonly consolidation: Consolidation;
  /** Determines the current day. */
  readonly timezone: string;
  /** The configuration of compaction and the flush before it. */
  readonly compaction: Settings["compaction"];
  /** Masks likely secrets, and the keys of the configuration, as `[redacted:<kind>]`. */
  maskSecrets(text: string): string;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  readFile(request: ReadFileRequest): Promise<ReadFileResult>;
  /** What an agent should read first: the long-term memory, and the notes of yesterday and today. */
  startSession(request?: StartSessionRequest): Promise<SessionStart>;
  /** The notes on disk, ordered by path, whether they are indexed yet or not. */
  listNotes(request?: ListNotesRequest): Promise<ListedNote[]>;
  /** Null if there is no such note. */
  readNote(request: ReadNoteRequest): Promise<WholeNote | null>;
  /** Replaces the text of a note if it has not changed since it was read. It is on disk when this resolves. */
  editNote(request: EditNoteRequest): Promise<EditNoteResult>;
  /** The path of the note that `[[name]]` leads to: by path, file name or alias. Null if there is none. */
  findNote(name: string, options?: ListNotesRequest): Promise<string | null>;
  /** The tags, links and backlinks of a note; links to missing notes are `broken`. */
  links(path: string, options?: ListNotesRequest): Promise<NoteLinks>;
  /** Every tag, with the number of notes that have it. */
  tags(options?: ListNotesRequest): Promise<readonly TagCount[]>;
  /** Which lines of notes were part of answers, and which never were. Counted only in the index. */
  usage(request?: UsageRequest): Promise<UsageReport>;
  /** The indexed notes and transcripts, without their text; null if the store cannot list them. */
  listIndexed(): Promise<readonly DocumentSummary[] | null>;
  add(text: string, options?: AddOptions): Promise<AddResult>;
  /** Removes text from notes and every trace of it from the index; see docs/forget.md. */
  forget(request: ForgetRequest): Promise<ForgetResult>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Keeps the index fresh until it is disposed of, or the memory is closed. Resolves at once; the first sync follows
   * and is reported as an event.
   */
  watch(options?: WatchOptions): Promise<AsyncDisposable>;
  status(): Promise<MemoryStatus>;
  /** Compares the index with a fresh build from the same notes. No service is called. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** Problems of the index file itself, one sentence each. Faster than `verify`, but less thorough. */
  checkIndex(): Promise<readonly string[]>;
  /** Makes the index equal to the notes again, cleans up its files, and reports what was done. */
  repair(options?: VerifyOptions): Promise<RepairReport>;
  /**
   * Builds an index of the same notes in another store and copies what was paid for. This index is only read, and
   * stays; the configuration decides which one is used.
   */
  migrate(request: MigrateRequest): Promise<MigrateReport>;
  /**
   * Indexes the notes without embedding them, and imports the vectors that OpenClaw's indexes have for the same
   * provider, model and text. Those indexes are only read, and nothing is sent anywhere.
   */
  importVectors(request: ImportVectorsRequest): Promise<ImportedVectors>;
  /** Embeds one word, to check whether texts can be embedded now. */
  probeEmbeddingAvailability(options?: ProbeOptions): Promise<EmbeddingProbe>;
  /** Searches with one word's vector, to check whether vectors can be searched now. */
  probeVectorAvailability(options?: ProbeOptions): Promise<VectorProbe>;
  close(): Promise<void>;
}
