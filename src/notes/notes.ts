import { lstatSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, throwIfAborted } from "../errors.ts";
import { isSameFile } from "../paths.ts";
import { type AppendResult, appendEntry, type Entry, type NotesLock, prepareEntry } from "./append.ts";
import { createDailyPattern, type DailyPattern, defaultDailyPattern } from "./daily-pattern.ts";
import { type DiscoveredNotes, type DiscoverOptions, discoverNotes } from "./discover.ts";
import { type Edit, type EditResult, editNote } from "./edit-file.ts";
import { cutLines, type ExpectedNote, exchangeText, refuseUnseen, type SeenLines } from "./edit-lines.ts";
import { type ExactNote, exchangeBytes, readExactly, removeEmptyFolders } from "./exchange-bytes.ts";
import { type IgnoreRules, loadIgnoreRules } from "./ignore-rules.ts";
import { localTime } from "./local-time.ts";
import { type Location, locateNote, refusePath } from "./locate.ts";
import { createNoteReader, type Note, refuseBinary, toNote } from "./note.ts";
import { removeAllLeftovers } from "./note-folder.ts";
import { extraLocations, type NoteSelection, ownLocations, resolveWorkspace } from "./note-locations.ts";
import { privatePaths, scopeOf } from "./note-path.ts";
import { type NoteBytes, readNote } from "./read.ts";
import { type LinesRequest, type LinesResult, sliceLines } from "./read-lines.ts";

interface NoteLinesRequest extends LinesRequest {
  readonly path: string;
  /** Refuses private notes: for sessions that others can read. */
  readonly sharedOnly?: boolean | undefined;
}

interface NoteLines extends LinesResult {
  readonly path: string;
}

export interface AppendRequest extends Entry {
  /** `daily` (default), `long-term`, or the path of a note in the workspace. */
  readonly to?: string | undefined;
  /** Refuses private notes: for sessions that others can read. */
  readonly sharedOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface EditRequest {
  /** A note of the workspace's own; those of `extraPaths` are never written to. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

/** The Markdown files of one workspace: the truth that everything else is derived from. */
export interface Notes {
  scan(
    options?: Pick<DiscoverOptions, "signal" | "isWanted" | "marks" | "onProgress">,
  ): Promise<DiscoveredNotes>;
  /** The path of the note of a day, and the day of a note. */
  readonly daily: DailyPattern;
  /** For paths that a scan listed; null when the note no longer exists. */
  read(path: string): Promise<Note | null>;
  /** Any path, as in `readLines`: the whole note, or null when it does not exist. */
  readWhole(request: Pick<NoteLinesRequest, "path" | "sharedOnly">): Promise<Note | null>;
  /** Any path; excluded notes are refused. A missing note, or a range past its end, has no lines. */
  readLines(request: NoteLinesRequest): Promise<NoteLines>;
  /** Durable when it resolves. Calls run in order. */
  append(request: AppendRequest): Promise<AppendResult>;
  /**
   * Removes lines of a note, replaces its text, or deletes it: only if it is still as the caller saw it, else
   * `note-changed`. Atomic, and durable when it resolves.
   */
  removeLines(request: EditRequest & { readonly passages: readonly SeenLines[] }): Promise<EditResult>;
  replace(
    request: EditRequest & { readonly expected: ExpectedNote; readonly text: string },
  ): Promise<EditResult>;
  removeNote(request: EditRequest & { readonly expected: ExpectedNote }): Promise<EditResult>;
  /** When a note was last written; null when it does not exist. For paths that a scan listed. */
  modifiedAt(path: string): Date | null;
  /** The bytes of one of the workspace's own notes; null when there is none. */
  readExact(path: string): Promise<ExactNote | null>;
  /**
   * Replaces all bytes of a note whose SHA-256 is `before`; null means no note, before and after. A new note gets
   * `mode`. As with `replace`, a note in any other state is `note-changed`.
   */
  exchange(
    request: EditRequest & {
      readonly before: string | null;
      readonly after: Buffer | null;
      readonly mode?: number;
    },
  ): Promise<EditResult>;
  /** Removes the folders of a note that no longer exists, as far as they are empty. */
  removeEmptyFolders(path: string): Promise<void>;
  /** Null when a note may be edited, else why not. */
  whyNotEditable(path: string): Promise<string | null>;
  /** Removes the temporary files of killed edits. */
  removeLeftovers(): Promise<number>;
}

/**
 * Keeps all other writers of the same notes out while the work runs. The work is given the lock where other machines
 * write to the notes too.
 */
export type WithLock = <T>(
  work: (shared?: NotesLock) => T,
  options: { signal?: AbortSignal | undefined },
) => Promise<T>;

export interface NotesOptions {
  readonly workspaceDir: string;
  /** Files or folders, absolute or relative to the workspace. */
  readonly extraPaths: readonly string[];
  readonly include?: NoteSelection | undefined;
  /** The path of each day's note; see `daily-pattern.ts`. */
  readonly daily?: string | undefined;
  /** Patterns in gitignore syntax, on paths as hits show them. */
  readonly exclude: readonly string[];
  readonly withLock: WithLock;
  /** Decides which day it is; null means the time zone of the system. */
  readonly timezone: string | null;
  readonly now?: () => Date;
}

export function openNotes(options: NotesOptions): Notes {
  const { workspaceDir, include, exclude, withLock, now = () => new Date() } = options;
  const daily = createDailyPattern(options.daily ?? defaultDailyPattern);
  let lastWrite: Promise<unknown> = Promise.resolve();

  const loadRules = () => loadIgnoreRules(resolveWorkspace(workspaceDir), exclude);

  function locateTarget(to: string, day: string): Location {
    if (to === "daily") return locateNote(options, daily.pathOf(day));
    return locateNote(options, to === "long-term" ? nameLongTerm(workspaceDir) : to);
  }

  /** One write after the other, each under the lock. */
  function inOrder<T>(signal: AbortSignal | undefined, work: (shared?: NotesLock) => T): Promise<T> {
    const locked = () =>
      withLock(
        (shared) => {
          throwIfAborted(signal);
          return work(shared);
        },
        { signal },
      );
    const result = lastWrite.then(locked, locked);
    lastWrite = result;
    return result;
  }

  function locateEditable(path: string, rules: IgnoreRules | null): Location {
    const location = locateNote(options, path);
    refuseReadOnly(location);
    refuseIgnored(location.path, rules);
    return location;
  }

  async function edit({ path, signal }: EditRequest, change: Edit): Promise<EditResult> {
    const rules = await loadRules();
    return await inOrder(signal, () => editNote(locateEditable(path, rules), change, { now }));
  }

  async function readAny({
    path,
    sharedOnly = false,
  }: NoteLinesRequest): Promise<(NoteBytes & { path: string }) | null> {
    const location = locateNote(options, path);
    refuseIgnored(location.path, await loadRules());
    const note = await readNote(location, { now });
    if (sharedOnly) refusePrivate(workspaceDir, location.path, note);
    return note === null ? null : { ...note, path: location.path };
  }

  return {
    async scan({ signal, isWanted, marks, onProgress } = {}) {
      const rules = await loadRules();
      const locations = [...ownLocations(options), ...extraLocations(options)];
      return discoverNotes({ locations, rules, signal, isWanted, marks, onProgress });
    },

    daily,

    read: createNoteReader(options, { now }),

    async readWhole(request) {
      const note = await readAny(request);
      return note === null ? null : toNote(note.path, note);
    },

    async readLines({ path, sharedOnly, ...request }) {
      const note = await readAny({ path, sharedOnly });
      if (note !== null) refuseBinary(note.bytes, path);
      return { path: note?.path ?? path, ...sliceLines(note?.bytes ?? new Uint8Array(), request) };
    },

    async append({ to = "daily", sharedOnly = false, signal, ...entry }) {
      const prepared = prepareEntry(entry);
      const rules = await loadRules();
      if (sharedOnly && to !== "daily") {
        // Before the note is searched for duplicates: even "already there" would reveal its text.
        const location = locateTarget(to, "");
        refusePrivate(workspaceDir, location.path, await readNote(location, { now }));
      }
      return await inOrder(signal, (shared) => {
        // Read inside the lock: at midnight the wait may cross into the next day.
        const { day, time } = localTime(now(), options.timezone);
        const location = locateTarget(to, day);
        refuseReadOnly(location);
        refuseIgnored(location.path, rules);
        const origin = prepared.origin ? `${prepared.origin} ${time}` : undefined;
        return appendEntry(location, { ...prepared, origin }, { shared });
      });
    },

    removeLines: ({ path, passages, signal }) =>
      edit({ path, signal }, (bytes) => cutLines(bytes, passages, path)),

    replace: ({ path, expected, text, signal }) =>
      edit({ path, signal }, (bytes) => exchangeText(bytes, expected, text, path)),

    removeNote: ({ path, expected, signal }) =>
      edit({ path, signal }, (bytes) => {
        refuseUnseen(bytes, expected, path);
        return null;
      }),

    modifiedAt(path) {
      try {
        const { root, relative } = locateNote(options, path);
        return lstatSync(join(root, relative)).mtime;
      } catch {
        // It no longer exists; the next sync removes it.
        return null;
      }
    },

    readExact: async (path) => readExactly(locateEditable(path, await loadRules())),

    async exchange({ path, before, after, mode, signal }) {
      const rules = await loadRules();
      return await inOrder(signal, () =>
        exchangeBytes(locateEditable(path, rules), { before, after, mode, now }),
      );
    },

    removeEmptyFolders: (path) =>
      inOrder(undefined, () => {
        const location = locateNote(options, path);
        refuseReadOnly(location);
        removeEmptyFolders(location);
      }),

    async whyNotEditable(path) {
      try {
        locateEditable(path, await loadRules());
        return null;
      } catch (error) {
        if (error instanceof LonghandError) return error.message;
        throw error;
      }
    },

    removeLeftovers: () =>
      inOrder(undefined, () => removeAllLeftovers(resolveWorkspace(workspaceDir), now(), include)),
  };
}

function refuseReadOnly({ path, isWritable }: Location): void {
  if (isWritable) return;
  const why = "longhand searches extraPaths, and never changes them";
  throw new LonghandError("path-outside-memory", `${path} cannot be changed: ${why}.`, {
    hint: "Edit the file in your editor; the next search finds the change. To add and forget there, run `longhand adopt` in its folder: it becomes a memory of its own.",
  });
}

function refuseIgnored(path: string, rules: IgnoreRules | null): void {
  if (rules?.ignoresFile(path)) throw refusePath(path, "an exclude pattern or .longhandignore leaves it out");
}

/** By device and inode too: a hard link gives a private note a name that looks shared. */
function refusePrivate(workspaceDir: string, path: string, note: NoteBytes | null): void {
  const isPrivate =
    scopeOf(path) === "private" ||
    privatePaths.some((name) => {
      const file = join(resolveWorkspace(workspaceDir), name);
      const stats = note === null ? undefined : lstatSync(file, { bigint: true, throwIfNoEntry: false });
      return isSameFile(stats, note);
    });
  if (!isPrivate) return;
  throw refusePath(path, "it is private, and this session can be read by others", {
    hint: "Use the other notes below memory/ here; private ones are for a main or direct session.",
  });
}

function nameLongTerm(workspaceDir: string): string {
  const root = resolveWorkspace(workspaceDir);
  const isThere = (name: string) => lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
  return !isThere("MEMORY.md") && isThere("memory.md") ? "memory.md" : "MEMORY.md";
}
