import { mkdirSync } from "node:fs";
import { LonghandError } from "../../errors.ts";
import { withFileLock } from "../lock.ts";
import { createTaskQueue } from "../task-queue.ts";
import { classifyFailure, explainFailure } from "./failure.ts";
import type { LancePlace } from "./place.ts";
import { reachStorage } from "./reach-storage.ts";
import { type OpenSessionOptions, openSession, type Session } from "./session.ts";
import { type Repair, setAsideUnsound } from "./set-aside.ts";

export interface LanceIndexOptions extends Omit<OpenSessionOptions, "whileLocked"> {
  readonly viaProxy: boolean;
  readonly onRepair: (repair: Repair) => void;
  /** How long a write waits for other processes before it gives up. */
  readonly writeWaitMs: number;
  /** Runs before the first write in each session. */
  readonly settle: (session: Session) => Promise<void>;
}

/**
 * The index at a place, whatever happens to it: deleted, it is made anew; a damaged table is set aside, and the work
 * that met the damage is repeated. What comes back may then be an empty index; the next sync fills it.
 */
export interface LanceIndex {
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** One at a time in a process and, in a folder, on the machine. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T>;
  settle(): Promise<void>;
  close(): Promise<void>;
  /** Whether nobody else can write meanwhile: what was read at the beginning of a write is then still true at its end. */
  readonly isExclusive: boolean;
}

const mostAttempts = 4;

export async function openLanceIndex(options: LanceIndexOptions): Promise<LanceIndex> {
  const { place, writeWaitMs, onRepair } = options;
  /** In a folder the lock of all processes of the machine; elsewhere there is none, and LanceDB notices conflicts. */
  const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
    place.folder === null ? work() : withFileLock(`${place.folder}.lock`, { timeoutMs: writeWaitMs }, work);
  const sessionOptions: OpenSessionOptions = { ...options, whileLocked };
  const queue = createTaskQueue();
  const settled = new WeakSet<Session>();
  let opening: Promise<Session> | null = null;
  let session: Session | null = null;
  let isClosed = false;
  const running = new Set<Promise<unknown>>();

  const obtain = async (): Promise<Session> => {
    if (session?.isIntact()) return session;
    opening ??= open().finally(() => {
      opening = null;
    });
    return await opening;
  };

  async function open(): Promise<Session> {
    session?.close();
    session = null;
    if (place.folder !== null) mkdirSync(place.folder, { recursive: true, mode: 0o700 });
    else if (!options.viaProxy) await reachStorage(place, options.storageOptions);
    session = await openSession(sessionOptions);
    return session;
  }

  /** What failed is tried again with fresh tables, and, when that fails too, without those that are damaged. */
  const repeated = async <T>(work: (current: Session) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      let current: Session | null = null;
      try {
        current = await obtain();
        return await work(current);
      } catch (error) {
        if (error instanceof LonghandError || attempt >= mostAttempts) throw error;
        const kind = classifyFailure(error);
        if (kind === "unusable" || kind === "unreachable" || kind === "refused") throw error;
        if (session === current) {
          session?.close();
          session = null;
        }
        if (attempt > 1 && kind !== "busy" && place.folder !== null) {
          const { folder } = place;
          for (const repair of await whileLocked(() => setAsideUnsound(options.lance, folder)))
            onRepair(repair);
        }
      }
    }
  };

  const explained = async <T>(action: string, work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw refuseClosed(place);
    const task = work();
    running.add(task);
    try {
      return await task;
    } catch (error) {
      throw explainFailure(error, action, place.shown);
    } finally {
      running.delete(task);
    }
  };

  const settle = async (current: Session): Promise<void> => {
    if (settled.has(current)) return;
    await options.settle(current);
    settled.add(current);
  };

  const write = <T>(work: (current: Session) => Promise<T>): Promise<T> =>
    explained("write to", () =>
      queue.run(() =>
        repeated(async () => {
          // Opened first, because opening may take the same lock.
          await obtain();
          return await whileLocked(async () => {
            const current = session?.isIntact() ? session : null;
            if (current === null) throw new Error("the folder was not found");
            await settle(current);
            return await work(current);
          });
        }),
      ),
    );

  await explained("open", () => repeated(async () => {}));
  return {
    read: (work) => explained("read", () => repeated(work)),
    write,
    settle: () => write(async () => {}),
    isExclusive: place.folder !== null,
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
      session?.close();
      session = null;
    },
  };
}

function refuseClosed({ shown }: LancePlace): LonghandError {
  return new LonghandError("internal", `The index ${shown} was used after it had been closed.`, {
    hint: "Open the memory again before using it.",
  });
}
