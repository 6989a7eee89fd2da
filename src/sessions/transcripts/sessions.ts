import { basename, extname } from "node:path";
import { LonghandError } from "../../errors.ts";
import type { FoundTranscript } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { peekTranscript } from "./formats.ts";
import {
  addImports,
  findImports,
  type ImportCandidate,
  type ImportLocations,
  readImports,
} from "./imports.ts";
import { dropInserted } from "./inserted-text.ts";
import { readTranscript } from "./read-transcript.ts";
import { archivedSession } from "./session-keys.ts";
import { emptyState, parseVersion, type TranscriptState } from "./transcript-state.ts";
import type { Transcripts } from "./transcripts.ts";

export interface SessionSummary {
  /** What `show` takes: the file name without its ending. */
  readonly id: string;
  /** The beginning of the first user message; only where titles were asked for, and there is one. */
  readonly title?: string;
  /** As hits show it. */
  readonly path: string;
  readonly file: string;
  /** Null when the file is no transcript of a known format. */
  readonly format: FormatName | null;
  /** Null while it is not indexed. */
  readonly turns: number | null;
  readonly malformed: number | null;
  readonly date?: string;
  readonly sizeBytes: number;
  readonly scope: "private" | "shared";
  readonly isImported: boolean;
  readonly isIndexed: boolean;
}

export interface ShowRequest {
  /** An id, a file name, or a path as hits show it. */
  readonly id: string;
  /** First line (or message) of the original, 1-based. */
  readonly from?: number | undefined;
  /** Last one, inclusive. */
  readonly to?: number | undefined;
  /** The maximum number of turns. */
  readonly maxTurns?: number | undefined;
}

export interface ShownSession {
  readonly id: string;
  /** The beginning of the first user message, if there is one. */
  readonly title?: string;
  readonly path: string;
  readonly file: string;
  readonly format: FormatName | null;
  readonly date?: string;
  /** Secrets masked, line breaks kept. `line` is that of the original. */
  readonly turns: readonly { readonly line: number; readonly text: string }[];
  /** Where to continue; absent at the end. */
  readonly nextFrom?: number;
}

/** The transcripts of one agent, for people. The files are never changed. */
export interface Sessions {
  /** With `titles` the beginning of each transcript is read, too. */
  list(options?: { readonly titles?: boolean }): Promise<SessionSummary[]>;
  show(request: ShowRequest): Promise<ShownSession>;
  /** The titles of transcripts, by their paths as hits show them; those without a title are left out. */
  titlesOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What could be imported: from these paths, or from where other programs keep their transcripts. */
  candidates(paths?: readonly string[]): Promise<ImportCandidate[]>;
  /** Indexes these files and folders in place. Returns those that are new. */
  import(paths: readonly string[]): Promise<readonly string[]>;
}

export interface SessionsOptions {
  readonly transcripts: Transcripts;
  readonly dayOf: (moment: Date) => string;
  readonly locations: () => ImportLocations;
  /** Runs the work while no one else can change the list of imports. */
  readonly withLock: <T>(work: () => T) => Promise<T>;
  /** Versions of the documents that are indexed, by path. */
  readonly indexed: () => Promise<ReadonlyMap<string, { readonly version: string }>>;
}

const defaultTurns = 40;

export function createSessions(options: SessionsOptions): Sessions {
  const { transcripts, dayOf, locations, withLock, indexed } = options;
  const { sessionsDir } = transcripts;
  const readTitle = createTitleReader(transcripts.literals);
  /** By path, for titles: listing a thousand transcripts takes longer than the search that found one of them. */
  const located = new Map<string, FoundTranscript>();
  const titled = (title: string | null) => (title === null ? {} : { title });
  const dated = (startedAt: number | null | undefined) =>
    startedAt === null || startedAt === undefined ? {} : { date: dayOf(new Date(startedAt)) };

  async function locate(id: string): Promise<FoundTranscript> {
    const wanted = id.replace(/^sessions\//, "");
    const { found } = await transcripts.find();
    const exact = found.filter(({ path }) => nameOf(path) === wanted || idOf(path) === wanted);
    const begun = found.filter(({ path }) => wanted !== "" && idOf(path).startsWith(wanted));
    // Codex and Gemini CLI put a date before the id of a session.
    const named = found.filter(({ path }) => wanted.length >= 6 && idOf(path).includes(`-${wanted}`));
    const matches = [exact, begun, named].find((paths) => paths.length > 0) ?? [];
    if (matches.length === 1) return matches[0]!;
    const shown = JSON.stringify(id.slice(0, 200));
    const names = matches.slice(0, 5).map(({ path }) => nameOf(path));
    throw new LonghandError(
      "session-missing",
      matches.length === 0
        ? `No transcript of this agent is called ${shown}.`
        : `${shown} names more than one transcript: ${names.join(", ")}${matches.length > 5 ? ", …" : ""}.`,
      { hint: "`longhand sessions list` shows them all." },
    );
  }

  return {
    async list({ titles = false } = {}) {
      const { found } = await transcripts.find();
      const versions = await indexed();
      const summaries: SessionSummary[] = [];
      for (const each of found) {
        const { path, file, scope, isImported } = each;
        const version = versions.get(path)?.version;
        const state = version === undefined ? undefined : parseVersion(version)?.state;
        const peeked = state ?? peekTranscript(each);
        summaries.push({
          id: idOf(path),
          ...(titles ? titled(await readTitle(each)) : {}),
          path,
          file,
          format: peeked?.format ?? null,
          turns: state?.turns ?? null,
          malformed: state?.malformed ?? null,
          ...dated(peeked?.startedAt),
          sizeBytes: each.sizeBytes(),
          scope,
          isImported,
          isIndexed: state !== undefined,
        });
      }
      return summaries;
    },
    async show({ id, from = 1, to = Number.POSITIVE_INFINITY, maxTurns = defaultTurns }) {
      const located = await locate(id);
      const { path, file, scope, open } = located;
      using transcript = open();
      if (transcript === null) {
        throw new LonghandError("session-missing", `The transcript ${path} no longer exists.`, {
          hint: "`longhand sessions list` shows them all.",
        });
      }
      const { dev, ino } = transcript.stats();
      let state: TranscriptState = emptyState("", { device: `${dev}`, inode: `${ino}`, scope });
      const turns: { line: number; text: string }[] = [];
      let nextFrom: number | undefined;
      for (let isLast = false; !isLast && nextFrom === undefined; ) {
        const part = await readTranscript(transcript, state, {
          literals: transcripts.literals,
          shown: path,
          keepsLineBreaks: true,
        });
        for (const [index, text] of part.lines.entries()) {
          const line = part.firstLine + index;
          if (text === "" || line < from || line > to) continue;
          if (turns.length < maxTurns) turns.push({ line, text });
          else nextFrom ??= line;
        }
        ({ state, isLast } = part);
        if (state.line >= to) break;
      }
      return {
        id: idOf(path),
        ...titled(await readTitle(located)),
        path,
        file,
        format: state.format,
        ...dated(state.startedAt),
        turns,
        ...(nextFrom === undefined ? {} : { nextFrom }),
      };
    },
    async titlesOf(paths) {
      const titles = new Map<string, string>();
      if (!paths.every((path) => located.has(path))) {
        for (const each of (await transcripts.find()).found) located.set(each.path, each);
      }
      for (const path of new Set(paths)) {
        const found = located.get(path);
        const title = found === undefined ? null : await readTitle(found);
        if (title !== null) titles.set(path, title);
      }
      return titles;
    },
    candidates: async (paths) =>
      findImports({
        locations: locations(),
        paths,
        known: readImports(sessionsDir).paths,
        readDatabase: transcripts.readDatabase,
      }),
    import: (paths) => withLock(() => addImports(sessionsDir, paths)),
  };
}

function nameOf(path: string): string {
  return path.replace(/^sessions\//, "");
}

function idOf(path: string): string {
  const name = basename(path);
  return archivedSession(name) === null ? basename(name, extname(name)) : name.replace(/\.zst$/, "");
}

const maxTitleChars = 120;
/** Read to find the first message: hosts may begin with a long greeting. */
const readChars = 16_000;
/** A file of one JSON value must be read whole, which is not worth it for a title above this size. */
const maxValueBytes = 1024 * 1024;

/** The title of a conversation: the beginning of its first user message, with secrets masked. */
function createTitleReader(literals: readonly string[]): (found: FoundTranscript) => Promise<string | null> {
  // The first message never changes, so it is read once.
  const known = new Map<string, string>();
  return async (found) => {
    try {
      using transcript = found.open();
      if (transcript === null) return null;
      const { dev, ino } = transcript.stats();
      const key = `${found.path}:${dev}:${ino}`;
      const title = known.get(key);
      if (title !== undefined) return title;
      const isOneValue = !/\.jsonl(?:$|\.)/.test(found.path) && transcript.file !== null;
      if (isOneValue && found.sizeBytes() > maxValueBytes) return null;
      const state = emptyState("", { device: `${dev}`, inode: `${ino}`, scope: found.scope });
      const { lines } = await readTranscript(transcript, state, {
        literals,
        shown: found.path,
        partChars: readChars,
      });
      const read = titleOf(lines);
      if (read !== null) known.set(key, read);
      return read;
    } catch (error) {
      // A transcript that cannot be read is still listed.
      if (error instanceof LonghandError) return null;
      throw error;
    }
  };
}

function titleOf(lines: readonly string[]): string | null {
  for (const line of lines) {
    if (!line.startsWith("User: ")) continue;
    const text = dropInserted(line.slice("User: ".length))
      .replace(/^[#>*\s-]+/, "")
      .trim();
    if (text !== "") return cut(text);
  }
  return null;
}

function cut(text: string): string {
  if (text.length <= maxTitleChars) return text;
  const words = text.slice(0, maxTitleChars).replace(/\s+\S*$/, "");
  return `${words.replace(/[\ud800-\udbff]$/, "")} …`;
}
