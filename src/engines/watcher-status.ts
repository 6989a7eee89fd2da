import type { LocalWorkLock, WorkLock } from "../stores/work-lock.ts";
import type { WatcherStatus, WorkStatus } from "./engine.ts";

/** Which process of this machine watches, as its lock tells. */
export function describeWatcher(lock: LocalWorkLock | undefined): WatcherStatus {
  const holder = lock?.holder() ?? null;
  if (holder === null) return { mode: "none" };
  const { pid, since, doing, silentMs } = holder;
  const isPaused = silentMs > pausedMs;
  return {
    mode: isPaused ? "paused" : doing === "polling" ? "polling" : "watching",
    pid,
    since: since.toISOString(),
  };
}

/** Who holds locks for large work. */
export async function describeWork(locks: readonly (WorkLock | undefined)[]): Promise<WorkStatus[]> {
  const work: WorkStatus[] = [];
  for (const lock of locks) {
    const holder = (await lock?.holder()) ?? null;
    if (holder !== null) {
      work.push({ pid: holder.pid, doing: holder.doing, since: holder.since.toISOString() });
    }
  }
  return work;
}

/** A process that runs is heard of every second or two. */
const pausedMs = 10_000;
