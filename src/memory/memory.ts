import type { PartialConfig } from "../config/options.ts";
import type { Settings } from "../config/settings.ts";
import type { Consolidation } from "../consolidate/consolidation.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { WatchOptions } from "../engines/engine.ts";
import type { Entries } from "../entries/entries.ts";
import type { ForgetRequest, ForgetResult } from "../forget/forget.ts";
import type { SearchAnswer, SearchOptions } from "../search/search.ts";
import type { Sessions } from "../sessions/transcripts/sessions.ts";
import type { Source } from "../sources/source.ts";
import type { DocumentSummary, Store } from "../stores/store.ts";
import type { SyncOptions, SyncReport } from "../sync/sync.ts";
import type { SourceName } from "../text/document.ts";
import type { MigrateReport, MigrateRequest } from "../upkeep/migrate.ts";
import type { EmbeddingProbe, ProbeOptions, VectorProbe } from "../upkeep/probes.ts";
import type { RepairReport, VerifyReport } from "../upkeep/upkeep.ts";
import type { VerifyOptions } from "../upkeep/verify.ts";
import type {
  AddOptions,
  AddResult,
  EditNoteRequest,
  EditNoteResult,
  ListedNote,
  ListNotesRequest,
  NoteLinks,
  ReadFileRequest,
  ReadFileResult,
  ReadNoteRequest,
  TagCount,
  UsageReport,
  UsageRequest,
  WholeNote,
} from "./note-requests.ts";
import type { SessionStart, StartSessionRequest } from "./start-session.ts";
import type { MemoryStatus } from "./status.ts";

export interface OpenMemoryOptions {
  readonly workspace?: string | undefined;
  readonly agent?: string | undefined;
  /**
   * The folder of the user's memory, searched together with the workspace; false for none. Defaults to the
   * configuration, which is `<state>/user` if it exists. A program that serves several people passes a folder for
   * each.
   */
  readonly user?: string | false | undefined;
  /** `agent:<id>:…` opens the memory of that agent, if it is configured and `agent` is not given. */
  readonly sessionKey?: string | undefined;
  /** The path of a configuration file, or the configuration itself. */
  readonly config?: string | PartialConfig | undefined;
  readonly stateDir?: string | undefined;
  /** Your own index, instead of the configured one. It is closed with the memory. */
  readonly store?: Store | undefined;
  /** Your own embedder, instead of the configured one. It is closed with the memory. */
  readonly embedder?: Embedder | undefined;
  /**
   * Your own sources, indexed along with the notes and transcripts. If a program opens the memory without them, their
   * documents stay in the index until a sync with `force`.
   */
  readonly sources?: readonly Source[] | undefined;
  /**
   * False makes tools and prompt sections mark everything they quote as possibly written by strangers. A program
   * that opens a workspace has chosen it, so this is true by default; the command line asks whether the user has
   * trusted it.
   */
  readonly trusted?: boolean | undefined;
  readonly now?: (() => Date) | undefined;
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
  readonly signal?: AbortSignal | undefined;
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
