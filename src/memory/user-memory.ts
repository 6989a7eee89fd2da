import { statSync } from "node:fs";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { makeFolder } from "../notes/make-folder.ts";
import { isLongTerm } from "../notes/note-path.ts";
import type { UserLayer } from "../search/layered-searcher.ts";
import type { SearchHit } from "../search/search.ts";
import { toUserPath } from "../text/layer-path.ts";
import type { Memory } from "./memory.ts";
import type { LinkFilter } from "./note-links.ts";
import { openOnce } from "./open-once.ts";
import type { StartNote, StartSessionRequest } from "./start-session.ts";

/** A memory, and its index as a search of another one takes it along. */
export interface OpenedLayer {
  readonly memory: Memory;
  searchLayer(): Promise<UserLayer>;
  /** Its notes that have the tags and links of a search. */
  findPaths(request: LinkFilter): Promise<readonly string[]>;
  /** Counts hits of a search that took this one along, by their paths in this memory. */
  recordUsage(hits: readonly SearchHit[]): Promise<void>;
}

/** The user's memory. It is opened when it is first needed, and costs nothing while its folder is not there. */
export interface UserMemory {
  readonly dir: string;
  /** Null while the folder is not there. */
  get(): Promise<OpenedLayer | null>;
  /** Makes the folder where it is missing. */
  make(): Promise<OpenedLayer>;
  close(): Promise<void>;
}

export function createUserMemory(dir: string, open: () => Promise<OpenedLayer>): UserMemory {
  const opened = openOnce(async () => {
    const layer = await open();
    return { ...layer, [Symbol.asyncDispose]: () => layer.memory.close() };
  });
  return {
    dir,
    get: async () => (isFolder(dir) ? await opened.get() : null),
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

/** The user's long-term memory as a session begins with it. A failure of it must not cost the project its notes. */
export async function readUserNotes(
  user: UserMemory | undefined,
  { indexing, signal }: Pick<StartSessionRequest, "indexing"> & { signal: AbortSignal | undefined },
): Promise<StartNote[]> {
  try {
    const layer = await user?.get();
    const start = await layer?.memory.startSession({
      ...(indexing && { indexing }),
      ...(signal && { signal }),
    });
    const longTerm = (start?.notes ?? []).filter(({ path }) => isLongTerm(path));
    return longTerm.map((note) => ({ ...note, path: toUserPath(note.path) }));
  } catch (error) {
    if (error instanceof LonghandError && error.code !== "aborted") return [];
    throw error;
  }
}

function isFolder(dir: string): boolean {
  try {
    return statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // What may not be looked at cannot be read either.
    return false;
  }
}

function refuseFolder(dir: string, code: string, cause: unknown): LonghandError {
  return new LonghandError(
    "workspace-missing",
    `The folder of the user's memory, ${dir}, could not be made: ${code}.`,
    {
      hint: "Name another folder with: longhand config set layers.user.path DIR",
      cause,
    },
  );
}
