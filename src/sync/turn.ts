import { setTimeout as sleep } from "node:timers/promises";
import { throwIfAborted } from "../errors.ts";
import type { HeldWork, WorkHolder, WorkLock } from "../stores/work-lock.ts";
import type { SyncOptions } from "./sync.ts";

export interface TurnOptions {
  readonly doing: string;
  /** Waits until the other process is done, as long as it moves. Otherwise the answer is `busy`. */
  readonly waits: boolean;
  /** Told again and again while waiting. */
  readonly progress: SyncOptions["progress"];
  readonly signal: AbortSignal | undefined;
  readonly silentLimitMs?: number | undefined;
}

export type Turn =
  | { readonly kind: "held"; readonly work: HeldWork; readonly waited: boolean }
  /** The holder has not moved for long, so the work is done beside it. */
  | { readonly kind: "beside"; readonly holder: WorkHolder | null }
  | { readonly kind: "busy"; readonly holder: WorkHolder | null };

/**
 * The turn of this process to do what others would do as well. The lock saves work and nothing else: each write is a
 * transaction of the store, whoever makes it. So a holder that was paused (Ctrl-Z, a container that sleeps) is not
 * waited for beyond a limit: it keeps its lock, and when it goes on it finds less to do.
 */
export async function takeTurn(lock: WorkLock, options: TurnOptions): Promise<Turn> {
  const { doing, waits, progress, signal, silentLimitMs = defaultSilentLimitMs } = options;
  const beganMs = performance.now();
  for (let waited = false; ; waited = true) {
    throwIfAborted(signal);
    const work = await lock.tryTake(doing);
    if (work !== null) return { kind: "held", work, waited };
    const holder = await lock.holder();
    const silentMs = holder?.silentMs ?? performance.now() - beganMs;
    if (silentMs > silentLimitMs) return { kind: "beside", holder };
    if (!waits) return { kind: "busy", holder };
    tellWaiting(progress, holder);
    await sleep(retryMs);
  }
}

function tellWaiting(progress: SyncOptions["progress"], holder: WorkHolder | null): void {
  const label = holder === null ? "waiting for another process" : `waiting for process ${holder.pid}`;
  progress?.({ completed: 0, total: 0, label, ...(holder && { waitingFor: holder }) });
}

const defaultSilentLimitMs = 30_000;
const retryMs = 100;
