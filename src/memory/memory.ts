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
   * The folder of the user's memory, searched beside the workspace; false for none. By default what the configuration
   * says, which is `<state>/user` where that is there. A program that serves several people names a folder for each.
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
   * Your own sources, indexed beside the notes and transcripts. What they had indexed stays when a program opens the
   * memory without them, until a sync with `force`.
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
  /** Where the text came from, such as `tool` or `flush`; noted in a comment beside it. A person needs none. */
  readonly origin?: string;
  /** Whose conversation it is. A group or channel, or one of unknown kind, writes to no private note. */
  readonly sessionKey?: string;
  /** Write it even if a line already says this. */
  readonly force?: boolean;
  /** `later` leaves the index to the next sync, which every search starts with; for callers in a hurry. */
  readonly indexing?: "now" | "later";
  readonly signal?: AbortSignal;
}

export interface AddResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The same text, or a line that says the same, was there already: that is the place here, and nothing was written. */
  readonly duplicate: boolean;
  /** True where the line that is there says the same in other words; `force` writes all the same. */
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
  /** The day that the note is about, `YYYY-MM-DD`. */
  readonly date?: string;
  /** Differs whenever the content does. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  readonly scope: Scope;
  /** The layer it is in; absent if there is only the project's. */
  readonly layer?: MemoryLayer;
}

export interface NoteLinks {
  readonly path: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly links: readonly OutgoingLink[];
  /** Those of `links` that lead to no note. */
  readonly broken: readonly OutgoingLink[];
  readonly backlinks: readonly Backlink[];
}

export interface OutgoingLink {
  /** As it is written: a name or a path. */
  readonly target: string;
  /** The note that it leads to; absent where there is none. */
  readonly path?: string;
  readonly line: number;
  readonly heading?: string;
  readonly title?: string;
  /** The note is shown in place, not only linked. */
  readonly isEmbed?: boolean;
}

export interface UsageRequest extends ListNotesRequest {
  /** Only this note. */
  readonly path?: string;
}

export interface UsageReport {
  /** False where `memorySearch.usage.enabled` is. */
  readonly enabled: boolean;
  /** The day of the first count, `YYYY-MM-DD`; null while there is none. */
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
  /** Lines that were part of no answer; blank lines and headings are not named. */
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

/** A whole note as it is on disk: nothing in it is masked. */
export interface WholeNote {
  readonly path: string;
  readonly text: string;
  /** SHA-256 of its bytes; `editNote` wants it back. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string;
  /** Why it cannot be edited; absent when it can. */
  readonly readOnly?: string;
}

export interface EditNoteRequest extends ReadNoteRequest {
  readonly text: string;
  /** What `readNote` gave. A note that is another one by now is left alone, with `note-changed`. */
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

/** The settings that a surface needs to serve a memory. */
export interface MemoryLimits {
  /** How much one answer may put into an agent's context. */
  readonly maxInjectedChars: number;
  /** Hits of a search that names no number. */
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
  /** None was chosen, so it is the default below the state folder. */
  readonly isDefault: boolean;
  /** Whether its notes may reach an agent unasked, and without a word that strangers may have written them. */
  readonly isTrusted: boolean;
  /** The path of the note of a day (`YYYY-MM-DD`), as `notes.daily` says. */
  dailyNoteOf(day: string): string;
}

/** Notes and an engine: what every surface is given. */
export interface ImportVectorsRequest {
  /** SQLite files of OpenClaw; those that are not there are passed over. */
  readonly from: readonly string[];
  readonly signal?: AbortSignal;
}

export interface ImportedVectors {
  /** Texts that have their vector by this, and those that still lack one. */
  readonly imported: number;
  readonly missing: number;
  /** Who turns text into vectors here. */
  readonly provider: string;
  readonly model?: string;
  /** What was found, by who made it. */
  readonly made: readonly { readonly provider: string; readonly model: string; readonly vectors: number }[];
  /** Why nothing could be taken over. */
  readonly reason?: string;
}

export interface Memory extends AsyncDisposable {
  readonly agentId: string;
  /** Throws `session-foreign` for a session key of another agent, as every call that takes one does. */
  checkSession(sessionKey: string): void;
  readonly limits: MemoryLimits;
  readonly workspace: MemoryWorkspace;
  /** The sources that a search can be limited to. */
  readonly sources: readonly SourceName[];
  /** The folder of the user's memory, whether it exists yet or not; null if it is switched off. */
  readonly userDir: string | null;
  /** The transcripts of this agent, whether or not they are indexed. */
  readonly sessions: Sessions;
  /** Small facts beside the notes; null unless `plugins.slots.memory` is `memory-lancedb`. */
  readonly entries: Entries | null;
  /** Proposals that tidy the notes, to be reviewed, applied and undone. */
  readonly consolidation: Consolidation;
  /** Decides which day it is. */
  readonly timezone: string;
  /** What the configuration says about compaction and the flush before it. */
  readonly compaction: Settings["compaction"];
  /** Masks likely secrets, and the keys of the configuration, as `[redacted:<kind>]`. */
  maskSecrets(text: string): string;
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  readFile(request: ReadFileRequest): Promise<ReadFileResult>;
  /** What an agent should read first: the long-term memory, and the notes of yesterday and today. */
  startSession(request?: StartSessionRequest): Promise<SessionStart>;
  /** The notes on disk, ordered by path, whether they are indexed yet or not. */
  listNotes(request?: ListNotesRequest): Promise<ListedNote[]>;
  /** Null when there is no such note. */
  readNote(request: ReadNoteRequest): Promise<WholeNote | null>;
  /** Replaces the text of a note if it has not changed since it was read. It is on disk when this resolves. */
  editNote(request: EditNoteRequest): Promise<EditNoteResult>;
  /** The tags, links and backlinks of a note; links to missing notes are `broken`. */
  links(path: string, options?: ListNotesRequest): Promise<NoteLinks>;
  /** Every tag, with the number of notes that have it. */
  tags(options?: ListNotesRequest): Promise<readonly TagCount[]>;
  /** Which lines of notes were part of answers, and which never were. Counted in the index alone. */
  usage(request?: UsageRequest): Promise<UsageReport>;
  /** The indexed notes and transcripts, without their text; null if the store cannot list them. */
  listIndexed(): Promise<readonly DocumentSummary[] | null>;
  add(text: string, options?: AddOptions): Promise<AddResult>;
  /** Removes text from notes and every trace of it from the index; see docs/forget.md. */
  forget(request: ForgetRequest): Promise<ForgetResult>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  /**
   * Keeps the index fresh until it is disposed of, or the memory is closed. It is there at once; the first pass follows
   * and is told as an event.
   */
  watch(options?: WatchOptions): Promise<AsyncDisposable>;
  status(): Promise<MemoryStatus>;
  /** Compares the index with a fresh build from the same notes. No service is asked for anything. */
  verify(options?: VerifyOptions): Promise<VerifyReport>;
  /** Problems of the index file itself, one sentence each. Faster than `verify`, but less thorough. */
  checkIndex(): Promise<readonly string[]>;
  /** Makes the index equal to the notes again, cleans up its files, and says what was done. */
  repair(options?: VerifyOptions): Promise<RepairReport>;
  /**
   * Makes an index of the same notes in another store and takes along what was paid for. This one is only read, and stays;
   * the configuration decides which is used.
   */
  migrate(request: MigrateRequest): Promise<MigrateReport>;
  /**
   * Indexes the notes without embedding any, and gives their texts the vectors that indexes of OpenClaw have for the same
   * provider, model and text. Those indexes are only read, and nothing is sent anywhere.
   */
  importVectors(request: ImportVectorsRequest): Promise<ImportedVectors>;
  /** Embeds one word, to see whether texts can be embedded now. */
  probeEmbeddingAvailability(options?: ProbeOptions): Promise<EmbeddingProbe>;
  /** Searches with one word's vector, to see whether vectors can be searched now. */
  probeVectorAvailability(options?: ProbeOptions): Promise<VectorProbe>;
  close(): Promise<void>;
}
