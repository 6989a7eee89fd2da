import { once } from "node:events";
import { connect } from "node:net";
import { LonghandError, messageOf } from "../../errors.ts";
import { makeFolder } from "../../files.ts";
import { createTaskQueue } from "../../task-queue.ts";
import { withFileLock } from "../lock.ts";
import type { Repair } from "../quarantined.ts";
import { createRunningCalls } from "../running-calls.ts";
import { classifyFailure, explainFailure } from "./failure.ts";
import type { LanceLocation } from "./location.ts";
import { quarantineUnsound } from "./quarantine.ts";
import { type OpenSessionOptions, openSession, type Session } from "./session.ts";

export interface LanceIndexOptions extends Omit<OpenSessionOptions, "whileLocked"> {
  readonly viaProxy: boolean;
  readonly onRepair: (repair: Repair) => void;
  /** How long a write waits for other processes before it fails. */
  readonly writeWaitMs: number;
  /** Runs before the first write in each session. */
  readonly settle: (session: Session) => Promise<void>;
}

/**
 * The index at a location. If it was deleted, it is created again; a damaged table is quarantined and the operation
 * repeated. The index may then be empty; the next sync fills it.
 */
export interface LanceIndex {
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** One at a time in a process and, in a folder, on the machine. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

const maxAttempts = 4;

export async function openLanceIndex(options: LanceIndexOptions): Promise<LanceIndex> {
  const { location, writeWaitMs, onRepair } = options;
  /**
   * In a folder, a lock across all processes of the machine; remote storage has none, and LanceDB detects conflicts.
   */
  const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
    location.folder === null
      ? work()
      : withFileLock(`${location.folder}.lock`, { timeoutMs: writeWaitMs }, work);
  const sessionOptions: OpenSessionOptions = { ...options, whileLocked };
  const queue = createTaskQueue();
  const settled = new WeakSet<Session>();
  let opening: Promise<Session> | null = null;
  let session: Session | null = null;
  const calls = createRunningCalls();

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
    if (location.folder !== null) makeFolder(location.folder, 0o700);
    else if (!options.viaProxy) await reachStorage(location, options.storageOptions);
    session = await openSession(sessionOptions);
    return session;
  }

  /** Retries with fresh tables and, if that fails too, without the damaged ones. */
  const repeated = async <T>(work: (current: Session) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      let current: Session | null = null;
      try {
        current = await obtain();
        return await work(current);
      } catch (error) {
        if (error instanceof LonghandError || attempt >= maxAttempts) throw error;
        const kind = classifyFailure(error);
        if (kind === "unusable" || kind === "unreachable" || kind === "refused") throw error;
        if (session === current) {
          session?.close();
          session = null;
        }
        if (attempt > 1 && kind !== "busy" && location.folder !== null) {
          const { folder } = location;
          for (const repair of await whileLocked(() => quarantineUnsound(options.lance, folder)))
            onRepair(repair);
        }
      }
    }
  };

  const explained = async <T>(action: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await calls.run(work);
    } catch (error) {
      throw explainFailure(error, action, location.shown);
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
    async close() {
      await calls.close();
      session?.close();
      session = null;
    },
  };
}

const connectLimitMs = 5000;

/**
 * Checks that remote storage can be reached before LanceDB tries, which retries for 15 seconds and cannot be cancelled.
 */
async function reachStorage(
  { shown, storageOptions }: LanceLocation,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const { host, port } = whereIs({ ...given, ...storageOptions });
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(connectLimitMs) });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "AbortError";
    const why = isLate ? `${host}:${port} gave no answer in ${connectLimitMs / 1000} s` : reasonOf(error);
    throw new LonghandError("store-unreachable", `Could not reach the storage ${shown}: ${why}.`, {
      hint: "Check the network, and endpoint and region in store.url; then try again. Notes can be read and written meanwhile, and a later sync indexes them.",
      retryable: true,
      cause: error,
    });
  } finally {
    socket.destroy();
  }
}

function whereIs(options: Readonly<Record<string, string>>): { host: string; port: number } {
  const endpoint = options["endpoint"] ?? options["aws_endpoint"];
  if (endpoint !== undefined && URL.canParse(endpoint)) {
    const { hostname, port, protocol } = new URL(endpoint);
    return {
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (protocol === "http:" ? 80 : 443),
    };
  }
  const region = options["region"] ?? options["aws_region"] ?? options["aws_default_region"];
  return { host: region === undefined ? "s3.amazonaws.com" : `s3.${region}.amazonaws.com`, port: 443 };
}

/** A host with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? messageOf(error.errors[0]) : messageOf(error);
}
