import type { DatabaseSync } from "node:sqlite";
import { LonghandError, messageOf } from "../../errors.ts";
import { createTaskQueue } from "../../task-queue.ts";
import { createSlices, type Slices } from "../../timing.ts";
import type { Repair } from "../quarantined.ts";
import { closedIndexError } from "../running-calls.ts";
import { newerError } from "./connection.ts";
import { rebuildFullText } from "./full-text.ts";
import type { Sqlite } from "./load-sqlite.ts";
import { failuresThatProve, quarantineIfProven } from "./open-database.ts";
import { salvageCache } from "./salvage-cache.ts";
import { isNewerSchema } from "./schema.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";
import {
  classifyFailure,
  DamagedVectors,
  ExchangedFile,
  explainFailure,
  isDiskError,
  isFullTextDamage,
  isStatementError,
} from "./sqlite-failure.ts";
import { inTransaction } from "./transaction.ts";
import { dropVectors } from "./vectors-write.ts";
import type { Writing } from "./write.ts";

export interface IndexFileOptions extends SessionOptions {
  /** How long a write waits for other processes before it fails. */
  readonly writeWaitMs: number;
  /** Runs before the first write to each database at the path, in its own transaction. */
  readonly isSettled: (session: Session) => boolean;
  readonly settle: (session: Session, slices: Slices) => Promise<void>;
}

/**
 * The index file at a path. If it was deleted, it is created again; if it is damaged, it is quarantined, or only its
 * tokens are rebuilt or its vectors dropped, and the operation is repeated. The index may then be empty or lack
 * vectors; the next sync fills it. A failed operation is first repeated on a new connection, because a transient read
 * error looks like damage.
 */
export interface IndexFile {
  read<T>(work: (session: Session) => T): Promise<T>;
  /** One at a time, each in a transaction. The work may pause; readers see its changes only after the commit. */
  write<T>(work: (writing: Writing, session: Session, slices: Slices) => T | Promise<T>): Promise<T>;
  /** Work that cannot be done in a transaction, on the writing connection. No write of this process runs meanwhile. */
  maintain<T>(work: (db: DatabaseSync, session: Session) => T | Promise<T>): Promise<T>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The history of one call. */
interface Attempts {
  readonly failures: number;
  /** Parts of the index that were rebuilt for it. */
  readonly rebuilt: Set<string>;
}

const sliceMs = 12;

export async function openIndexFile(sqlite: Sqlite, options: IndexFileOptions): Promise<IndexFile> {
  const { path, tokens, writeWaitMs } = options;
  const queue = createTaskQueue();
  // One for all writes: many short transactions in a row block the thread as much as a long one.
  const slices = createSlices(sliceMs);
  const settled = new WeakSet<Session>();
  /** Quarantined files that may still contain paid vectors. */
  const damaged: string[] = [];
  const onRepair = (repair: Repair): void => {
    damaged.push(repair.movedTo);
    options.onRepair(repair);
  };
  let session: Session | null = null;
  /** Refuses new calls; the session closes once running ones are done. */
  let isClosed = false;
  let isOver = false;

  const intact = (): Session | null => (session?.isIntact() ? session : null);

  /** This and the functions below that change `session` run only in the queue, so never during a write. */
  const ensure = async (): Promise<Session> => {
    if (isOver) throw closedIndexError();
    const current = intact();
    if (current !== null) return current;
    session?.close();
    session = null;
    session = await openSession(sqlite, { ...options, onRepair });
    if (session.readOnlyReason === null) await salvage(session);
    return session;
  };

  const salvage = async (current: Session): Promise<void> => {
    for (const moved of damaged.splice(0)) {
      try {
        const { db } = current.writer();
        await inWriteOf(db, () => salvageCache(sqlite, moved, db, slices));
      } catch {
        // Busy or full: the index works without them, and lost vectors are embedded again. The next write reports why.
      }
    }
  };

  /** An index that was read-only when it was opened may have become writable. */
  const ensureWritable = async (): Promise<Session> => {
    let current = await ensure();
    if (current.readOnlyReason === null) return current;
    current.close();
    session = null;
    current = await ensure();
    if (current.readOnlyReason !== null) throw readOnlyError(path, current.readOnlyReason);
    return current;
  };

  const inWriteOf = <T>(db: DatabaseSync, work: () => T | Promise<T>): Promise<T> =>
    inTransaction(db, writeWaitMs, () => {
      if (isNewerSchema(db)) throw newerError(path);
      return work();
    });

  const settle = async (current: Session): Promise<void> => {
    if (settled.has(current) || current.readOnlyReason !== null) return;
    if (!options.isSettled(current)) {
      await inWriteOf(current.writer().db, () => options.settle(current, slices));
    }
    settled.add(current);
  };

  const recover = async (failed: Session, error: unknown, { failures, rebuilt }: Attempts): Promise<void> => {
    if (session !== failed) return;
    const part = partToRebuild(error);
    if (failures > 1 && part !== null && !rebuilt.has(part)) {
      rebuilt.add(part);
      if (await rebuild(failed, part)) return;
    }
    session = null;
    failed.close();
    const isGuess = isStatementError(error);
    if (classifyFailure(error) !== "damaged" && !isGuess) return;
    // A read-only file may be changing under the connection, and could not be moved either.
    if (failed.readOnlyReason !== null) return;
    const reason = messageOf(error);
    const counted = isGuess ? Math.min(failures, failuresThatProve - 1) : failures;
    await quarantineIfProven(path, { identity: failed.identity, reason }, { failures: counted, onRepair });
  };

  const rebuild = async (failed: Session, part: "words" | "vectors"): Promise<boolean> => {
    try {
      const { db } = failed.writer();
      await inWriteOf(db, () => (part === "words" ? rebuildFullText(db, tokens, slices) : dropVectors(db)));
      return true;
    } catch (error) {
      if (classifyFailure(error) !== "damaged") throw error;
      return false;
    }
  };

  const explained = async <T>(action: string, work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw closedIndexError();
    try {
      return await work();
    } catch (error) {
      throw explainFailure(error, action, path);
    }
  };

  /** Repeats work that met damage or a replaced file, each time after a repair. */
  const repeated = async <T>(
    obtain: () => Promise<Session>,
    work: (current: Session) => T | Promise<T>,
    recoverFrom: typeof recover,
  ): Promise<T> => {
    const rebuilt = new Set<string>();
    for (let failures = 1; ; failures++) {
      const current = await obtain();
      try {
        return await work(current);
      } catch (error) {
        const mayPass = isDiskError(error) && failures === 1;
        if (!(isCurable(error) || mayPass) || failures > failuresThatProve) throw error;
        await recoverFrom(current, error, { failures, rebuilt });
      }
    }
  };

  const queued = <T>(
    action: string,
    obtain: () => Promise<Session>,
    work: (current: Session) => Promise<T>,
  ): Promise<T> =>
    explained(action, () =>
      queue.run(async () => {
        if (slices.isOver()) await slices.next();
        return await repeated(obtain, work, recover);
      }),
    );

  const file: IndexFile = {
    read: (work) =>
      explained("read", () =>
        repeated(
          async () => intact() ?? (await queue.run(ensure)),
          (current) => {
            // The next task in the queue may have closed it, because its file was deleted again.
            if (current !== session) throw new ExchangedFile("the file was exchanged");
            return work(current);
          },
          (...failure) => queue.run(() => recover(...failure)),
        ),
      ),
    write: (work) =>
      queued("write to", ensureWritable, async (current) => {
        await settle(current);
        const writer = current.writer();
        return inWriteOf(writer.db, () => work(writer.writing, current, slices));
      }),
    maintain: (work) =>
      queued("write to", ensureWritable, async (current) => work(current.writer().db, current)),
    settle: async () => {
      const current = intact();
      if (current === null || !settled.has(current)) await queued("read", ensure, settle);
    },
    close: async () => {
      isClosed = true;
      await queue.run(() => {
        isOver = true;
        session?.close();
        session = null;
      });
    },
  };
  await explained("open", () => queue.run(ensure));
  return file;
}

/**
 * A statement that failed may have met damage, or tables that a newer longhand has changed, both of which a new
 * connection finds out. If it is a mistake of ours instead, it only fails later.
 */
function isCurable(error: unknown): boolean {
  const kind = classifyFailure(error);
  return kind === "damaged" || kind === "moved" || isStatementError(error);
}

/** Damage in one part of the file that can be rebuilt from the rest. */
function partToRebuild(error: unknown): "words" | "vectors" | null {
  if (error instanceof DamagedVectors) return "vectors";
  return isFullTextDamage(error) ? "words" : null;
}

function readOnlyError(path: string, reason: string): LonghandError {
  return new LonghandError("index-unusable", `Could not write to the index ${path}: ${reason}.`, {
    hint: `Make ${path} and its folder writable and see that the disk has room, or set \`store.path\` to another place.`,
    retryable: true,
  });
}
