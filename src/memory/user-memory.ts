import { LonghandError, systemErrorCode, unlessRefused } from "../errors.ts";
import { makeFolder } from "../files.ts";
import { refusePath } from "../notes/locate.ts";
import { isLongTerm } from "../notes/note-path.ts";
import { isFolder } from "../paths.ts";
import type { UserLayer } from "../search/layered-searcher.ts";
import type { SearchAnswer, SearchHit, SearchOptions } from "../search/search.ts";
import { inUserLayer } from "../text/layer-path.ts";
import { isSharedSession } from "../text/session-key.ts";
import type { Memory } from "./memory.ts";
import type { LinkFilter } from "./note-links.ts";
import { openOnce } from "./open-once.ts";
import type { StartNote, StartSessionRequest } from "./start-session.ts";

/** A memory, with its index for a search that combines layers. */
export interface OpenedLayer {
  readonly memory: Memory;
  searchLayer(): Promise<UserLayer>;
  /** Its notes that match the tags and links of a search. */
  findPaths(request: LinkFilter): Promise<readonly string[]>;
  /** Counts hits of a combined search, by their paths in this memory. */
  recordUsage(hits: readonly SearchHit[]): Promise<void>;
}

/** The user's memory, opened on first use; free while its folder does not exist. */
export interface UserMemory {
  readonly dir: string;
  /** Null while the folder does not exist. */
  get(): Promise<OpenedLayer | null>;
  /** Creates the folder if it is missing. */
  make(): Promise<OpenedLayer>;
  close(): Promise<void>;
}

export function createUserMemory(dir: string, open: () => Promise<OpenedLayer>): UserMemory {
  const opened = openOnce(async () => {
    const layer = await open();
    return { ...layer, [Symbol.asyncDispose]: () => layer.memory.close() };
  });
  /** A folder that cannot be inspected cannot be read either. */
  const isThere = (): boolean =>
    unlessRefused(
      () => isFolder(dir),
      () => false,
    );
  return {
    dir,
    get: async () => (isThere() ? await opened.get() : null),
    async make() {
      try {
        makeFolder(dir, 0o700);
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        throw refuseFolder(dir, code, error);
      }
      return await opened.get();
    },
    close: opened.close,
  };
}

/** The user's long-term memory for the start of a session. Its failure must not affect the project's notes. */
export async function readUserNotes(
  user: UserMemory | undefined,
  { indexing, signal }: Pick<StartSessionRequest, "indexing"> & { signal: AbortSignal | undefined },
): Promise<StartNote[]> {
  try {
    const layer = await user?.get();
    const start = await layer?.memory.startSession({ indexing, signal });
    const longTerm = (start?.notes ?? []).filter(({ path }) => isLongTerm(path));
    return longTerm.map(inUserLayer);
  } catch (error) {
    if (error instanceof LonghandError && error.code !== "aborted") return [];
    throw error;
  }
}

function refuseFolder(dir: string, code: string, cause: unknown): LonghandError {
  return new LonghandError(
    "workspace-missing",
    `The folder of the user's memory, ${dir}, could not be created: ${code}.`,
    { hint: "Name another folder with: longhand config set layers.user.path DIR", cause },
  );
}

/** Decides who may reach the user's memory: its owner, and never a session that others can read. */
export function createUserAccess(project: Memory, user: UserMemory) {
  /** Null if there is none, or the session may not see it. */
  async function memoryFor(sessionKey: string | undefined): Promise<Memory | null> {
    if (isSharedSession(sessionKey)) return null;
    return (await user.get())?.memory ?? null;
  }

  async function openFor(path: string, sessionKey: string | undefined): Promise<Memory> {
    checkPrivate(path, sessionKey);
    const layer = await user.get();
    if (layer !== null) return layer.memory;
    throw refusePath(path, `there is no user's memory in ${user.dir}`, {
      hint: "Start one with: longhand add --scope user TEXT",
    });
  }

  function checkPrivate(path: string, sessionKey: string | undefined): void {
    if (sessionKey !== undefined) project.checkSession(sessionKey);
    if (!isSharedSession(sessionKey)) return;
    throw refusePath(path, "the user's memory is private, and this session can be read by others", {
      hint: "Use the project's notes here; the user's are for a main or direct session.",
    });
  }

  return { memoryFor, openFor, checkPrivate };
}

/** Lets an error say that it is about the user's memory. */
export async function named<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof LonghandError) || error.code === "aborted") throw error;
    const { code, hint, retryable } = error;
    throw new LonghandError(code, `In the user's memory: ${error.message}`, {
      hint,
      retryable,
      cause: error,
    });
  }
}

export function noUserMemory({ sessionKey }: SearchOptions, dir: string): SearchAnswer {
  const why = isSharedSession(sessionKey)
    ? "this session can be read by others, and the user's memory is private"
    : `there is no user's memory in ${dir} yet; longhand add --scope user TEXT starts one`;
  return {
    ...{ results: [], confidence: 0, confidenceLevel: "low", mode: "keyword" },
    ...{ provider: "none", model: null, degraded: [why], stale: false },
  };
}
