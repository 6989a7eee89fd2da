import { LonghandError } from "../errors.ts";
import { createFolderList } from "../notes/folder-list.ts";
import { versionOf, versionWhenRead } from "../notes/read.ts";
import type { FoundTranscript } from "../sessions/transcripts/find-transcripts.ts";
import type { OpenTranscript, TranscriptStats } from "../sessions/transcripts/open-transcript.ts";
import {
  type ReadOptions,
  readTranscript,
  type TranscriptPart,
} from "../sessions/transcripts/read-transcript.ts";
import {
  emptyState,
  formatVersion,
  isContinued,
  isGrownEnough,
  parseVersion,
  type TranscriptState,
} from "../sessions/transcripts/transcript-state.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";
import type { Document } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import type { Source } from "./source.ts";

export interface SessionsSourceOptions {
  readonly transcripts: Transcripts;
  /** How much a known transcript must have grown before a background sync reads it. */
  readonly deltaBytes: number;
  readonly deltaMessages: number;
  /** The day of a moment where the user lives, `YYYY-MM-DD`. */
  readonly dayOf: (moment: Date) => string;
  readonly now: () => Date;
  /** See `readTranscript`. */
  readonly partChars?: number;
  /** Called with the number of bytes of every read. */
  readonly onBytes?: (count: number) => void;
}

/** A background sync waits this long after it first saw a transcript grow. */
const restMs = 5000;
const maxAttempts = 3;

/**
 * Transcripts as documents. One that was only appended to is read from where the last read stopped: that position is in
 * the document's version, so it is stored with the chunks and changes together with them.
 */
export function createSessionsSource(options: SessionsSourceOptions): Source {
  const { transcripts, deltaBytes, deltaMessages, dayOf, now, partChars, onBytes } = options;
  const reader = transcripts.readerId;
  let files: ReadonlyMap<string, FoundTranscript> = new Map();
  /** When a transcript was first seen to have grown enough. */
  const grownAt = new Map<string, number>();

  async function find(): Promise<Awaited<ReturnType<Transcripts["find"]>>> {
    const listing = await transcripts.find();
    files = new Map(listing.found.map((found) => [found.path, found]));
    return listing;
  }

  /**
   * How long a background sync may postpone a known transcript: not at all when it was replaced, until it grows further
   * when it has grown only a little, and a short while when the conversation may still be going on.
   */
  function waitOf({ path, stats, open }: FoundTranscript, state: TranscriptState): number {
    const grown = { stats, state, open: () => open({ onBytes }) };
    const isGrown = isGrownEnough(grown, { deltaBytes, deltaMessages });
    if (isGrown === "exchanged") return 0;
    if (!isGrown) {
      grownAt.delete(path);
      return Number.POSITIVE_INFINITY;
    }
    const nowMs = now().getTime();
    const since = grownAt.get(path) ?? nowMs;
    grownAt.set(path, since);
    // A clock that was set back must not extend the wait.
    return Math.max(0, since + restMs - Math.max(since, nowMs));
  }

  return {
    specificationVersion: 1,
    name: "sessions",
    listedAs: (version) => parseVersion(version)?.stamp ?? version,
    async list({ known, background = false } = {}) {
      const { found, skipped, folders } = await find();
      const waits: number[] = [];
      const entries = found.map((each) => {
        const version = known?.get(each.path)?.version;
        const before = version === undefined ? null : parseVersion(version);
        const isUsable = before?.state.reader === reader && before.state.scope === each.scope;
        const isSame = isUsable && before.stamp === versionOf(each.stats);
        const waitMs = isUsable && !isSame && background ? waitOf(each, before.state) : 0;
        if (waitMs > 0) waits.push(waitMs);
        return { path: each.path, version: isSame || waitMs > 0 ? version! : versionOf(each.stats) };
      });
      const watched = createFolderList();
      for (const folder of folders) watched.addTree(folder.path, folder.stats);
      // Postponed transcripts are not indexed, so the listing is not complete.
      const hidesChanges = waits.length > 0 || folders.length === 0;
      return { entries, skipped, folders: watched.all(), hidesChanges, againInMs: Math.min(...waits) };
    },
    async read(path, { since } = {}) {
      if (!files.has(path)) await find();
      const found = files.get(path);
      if (found === undefined) return null;
      for (let attempt = 1; ; attempt++) {
        try {
          return await readDocument(found, since);
        } catch (error) {
          const isPassing = error instanceof LonghandError && error.retryable;
          if (!isPassing || attempt === maxAttempts) throw error;
        }
      }
    },
  };

  async function readDocument(found: FoundTranscript, since: string | undefined): Promise<Document | null> {
    const { path, scope, open } = found;
    using transcript = open({ onBytes });
    if (transcript === null) return null;
    const readAt = now();
    const stats = transcript.stats();
    const stamp = versionWhenRead(stats, readAt);
    const before = since === undefined ? null : parseVersion(since);
    const state = before && canFollow(transcript, before.state, scope) ? before.state : null;
    const options: ReadOptions = { literals: transcripts.literals, shown: path, partChars };
    const part = await readTranscript(transcript, state ?? fresh(stats, scope), options);
    grownAt.delete(path);
    return toDocument(path, { part, stats, stamp, follows: state === null ? undefined : since });
  }

  /** Only files of lines are appended to; a file of one value is rewritten. */
  function canFollow(
    transcript: OpenTranscript,
    state: TranscriptState,
    scope: TranscriptState["scope"],
  ): boolean {
    const isOurs = state.reader === reader && state.scope === scope;
    return (
      isOurs && state.offset > 0 && transcripts.isGrowing(state.format) && isContinued(transcript, state)
    );
  }

  function fresh({ dev, ino }: TranscriptStats, scope: TranscriptState["scope"]): TranscriptState {
    return emptyState(reader, { device: `${dev}`, inode: `${ino}`, scope });
  }

  function toDocument(path: string, read: ReadPart): Document {
    const { part, stats, stamp, follows } = read;
    const { state, firstLine, lines, isLast } = part;
    const before = follows === undefined ? null : parseVersion(follows);
    const date = state.startedAt === null ? undefined : dayOf(new Date(state.startedAt));
    return {
      source: "sessions",
      path,
      version: formatVersion(stamp, state),
      text: lines.join("\n"),
      // The scope and the day are indexed too.
      hash: sha256(`${state.hash}:${state.scope}:${date}`),
      // Of everything indexed, however many reads it took.
      sizeBytes: state.sizeBytes,
      modifiedAt: stats.mtime,
      ...(date === undefined ? {} : { date }),
      scope: state.scope,
      part: {
        firstLine,
        ...(before === null ? {} : { follows: { version: follows!, openLine: before.state.openLine } }),
        isLast,
      },
    };
  }
}

interface ReadPart {
  readonly part: TranscriptPart;
  readonly stats: TranscriptStats;
  readonly stamp: string;
  readonly follows: string | undefined;
}
