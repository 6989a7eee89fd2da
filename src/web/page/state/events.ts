import { effect, signal } from "@preact/signals";
import { followChange, isSignedOut, loadStatus } from "./memory-state.ts";
import { showToast } from "./toasts.ts";

export interface Progress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

/** The progress of indexing; null when idle. */
export const progress = signal<Progress | null>(null);
/** Whether the event stream is connected. */
export const connection = signal<"waiting" | "live" | "lost">("waiting");

/** Progress disappears when no update arrives for this long. */
const progressTimeoutMs = 3000;
/** How long completed progress stays visible. */
const completedProgressMs = 500;
/** The delay before a refused connection is retried. */
const retryMs = 2000;

/**
 * Listens to the server's events while the page is visible and signed in. A browser opens at most six connections to a
 * server: if hidden tabs kept theirs, the seventh tab would never get a response.
 */
export function followEvents(): void {
  const isVisible = signal(!document.hidden);
  document.addEventListener("visibilitychange", () => {
    isVisible.value = !document.hidden;
  });
  effect(() => (isVisible.value && !isSignedOut.value ? listen() : undefined));
}

/** Returns a function that stops listening. */
function listen(): () => void {
  let source: EventSource;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;
  const open = (): void => {
    source = new EventSource("/api/events");
    on("hello", () => {
      // Changes before the first greeting are covered by the initial loads; changes between two greetings were missed.
      if (connection.peek() !== "waiting") void followChange("all");
      connection.value = "live";
    });
    source.addEventListener("error", () => {
      connection.value = "lost";
      progress.value = null;
      // A browser reconnects by itself after a network error, and gives up after an HTTP error.
      if (source.readyState === EventSource.CLOSED) void reconnect();
    });
    on<Progress>("progress", (state) => {
      progress.value = state;
      clearTimeout(hideTimer);
      const isDone = state.completed >= state.total;
      hideTimer = setTimeout(
        () => {
          progress.value = null;
        },
        isDone ? completedProgressMs : progressTimeoutMs,
      );
    });
    on("synced", () => {
      progress.value = null;
      void followChange([]);
    });
    on<{ paths: readonly string[]; isListChanged: boolean }>("changed", ({ paths, isListChanged }) => {
      void followChange(paths, { isListChanged });
    });
    on<{ message: string }>("warning", ({ message }) => showToast(message));
  };
  const on = <T>(kind: string, handle: (data: T) => void): void =>
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => handle(JSON.parse(data) as T));
  const reconnect = async (): Promise<void> => {
    // Reveals whether the browser session has ended; if so, listening stops.
    await loadStatus();
    setTimeout(() => {
      if (!isDisposed) open();
    }, retryMs);
  };
  open();
  return () => {
    isDisposed = true;
    source.close();
  };
}
