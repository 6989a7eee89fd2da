import { throwIfAborted } from "../errors.ts";
import { openWatcher, type Watcher, type WatcherParts } from "../sync/watch.ts";
import { maxTimerMs } from "../timing.ts";
import type { WatchOptions } from "./engine.ts";

/** `sync.watch`, `sync.watchDebounceMs` and `sync.intervalMinutes` of the configuration. */
export interface WatchingOptions {
  readonly isConfigured: boolean;
  readonly debounceMs: number;
  readonly intervalMinutes: number;
}

const defaultWatching: WatchingOptions = { isConfigured: true, debounceMs: 1500, intervalMinutes: 0 };

/** How late a change may be noticed if the system does not report it. */
const maxUnseenMs = 60_000;

/** Opens a watcher and registers it with the engine until it is disposed. */
export function watchAsConfigured(
  { watchers, ...parts }: WatcherParts & { readonly watchers: Set<Watcher> },
  { isConfigured, debounceMs, intervalMinutes }: WatchingOptions = defaultWatching,
  { when = "always", onEvent = () => {}, signal }: WatchOptions,
): AsyncDisposable {
  throwIfAborted(signal);
  const watchesFolders = when === "always" || isConfigured;
  if (!watchesFolders && intervalMinutes === 0) return { async [Symbol.asyncDispose]() {} };
  const intervalMs = intervalMinutes > 0 ? intervalMinutes * 60_000 : maxTimerMs;
  const sweepMs = Math.min(intervalMs, watchesFolders ? maxUnseenMs : maxTimerMs);
  const watcher = openWatcher(parts, { debounceMs, sweepMs, watchesFolders, onEvent });
  watchers.add(watcher);
  const close = async (): Promise<void> => {
    watchers.delete(watcher);
    signal?.removeEventListener("abort", close);
    await watcher[Symbol.asyncDispose]();
  };
  signal?.addEventListener("abort", close);
  return { [Symbol.asyncDispose]: close };
}
