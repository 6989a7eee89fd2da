import { LonghandError } from "../errors.ts";
import { refusePath } from "../notes/locate.ts";
import type { SearchAnswer, SearchOptions } from "../search/search.ts";
import { isSharedSession } from "../text/session-key.ts";
import type { Memory } from "./memory.ts";
import type { UserMemory } from "./user-memory.ts";

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

/** Prefixes the paths in errors of the user's memory. */
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
