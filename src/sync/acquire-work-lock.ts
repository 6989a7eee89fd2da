import { setTimeout as sleep } from "node:timers/promises";
import { throwIfAborted } from "../errors.ts";
import type { HeldLock, WorkHolder, WorkLock } from "../stores/work-lock.ts";
import { monotonicMs } from "../timing.ts";
import type { SyncOptions } from "./sync.ts";

interface AcquireOptions {
  readonly doing: string;
  /** Waits until the other process is done, while it shows signs of life. Otherwise the result is `busy`. */
  readonly waits: boolean;
  /** Called at intervals while waiting. */
  readonly progress: SyncOptions["progress"];
  readonly signal: AbortSignal | undefined;
  readonly silentLimitMs?: number | undefined;
}

export type Acquired =
  | { readonly kind: "held"; readonly work: HeldLock; readonly waited: boolean }
  /** The holder has had no heartbeat for too long, so the work is done in parallel with it. */
  | { readonly kind: "beside"; readonly holder: WorkHolder | null }
  | { readonly kind: "busy"; readonly holder: WorkHolder | null };

/**
 * Acquires the lock for work that other processes would do as well. It saves work and nothing else: each write is a
 * transaction of the store, with or without it. So a holder that was paused (Ctrl-Z, a container that sleeps) is not
 * waited for beyond a limit: it keeps its lock, and finds less to do when it resumes.
 */
export async function acquireWorkLock(lock: WorkLock, options: AcquireOptions): Promise<Acquired> {
  const { doing, waits, progress, signal, silentLimitMs = defaultSilentLimitMs } = options;
  const beganMs = monotonicMs();
  for (let waited = false; ; waited = true) {
    throwIfAborted(signal);
    const work = await lock.tryAcquire(doing);
    if (work !== null) return { kind: "held", work, waited };
    const holder = await lock.holder();
    const silentMs = holder?.silentMs ?? monotonicMs() - beganMs;
    if (silentMs > silentLimitMs) return { kind: "beside", holder };
    if (!waits) return { kind: "busy", holder };
    reportWaiting(progress, holder);
    await sleep(retryMs);
  }
}

function reportWaiting(progress: SyncOptions["progress"], holder: WorkHolder | null): void {
  const label = holder === null ? "waiting for another process" : `waiting for process ${holder.pid}`;
  progress?.({ completed: 0, total: 0, label, ...(holder && { waitingFor: holder }) });
}

const defaultSilentLimitMs = 30_000;
const retryMs = 100;
