import { effect, signal } from "@preact/signals";
import { followChange, isSignedOut, loadStatus } from "./memory-state.ts";
import { tell } from "./toasts.ts";

export interface Progress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

/** How far the index is, while it is being made; null at rest. */
export const progress = signal<Progress | null>(null);
/** Whether the server can be heard. */
export const connection = signal<"waiting" | "live" | "lost">("waiting");

/** Progress that nothing follows for so long has come to its end. */
const quietMs = 3000;
/** So long is seen that it is complete. */
const doneMs = 500;
/** So long after it was refused, listening is tried again. */
const retryMs = 2000;

/**
 * Listens to the server's events while the page is visible and signed in. A browser opens only six connections to a server:
 * if hidden tabs kept theirs, the seventh tab would never get an answer.
 */
export function followEvents(): void {
  const isSeen = signal(!document.hidden);
  document.addEventListener("visibilitychange", () => {
    isSeen.value = !document.hidden;
  });
  effect(() => (isSeen.value && !isSignedOut.value ? listen() : undefined));
}

/** Returns what ends it. */
function listen(): () => void {
  let source: EventSource;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const open = (): void => {
    source = new EventSource("/api/events");
    on("hello", () => {
      // What happened before the first greeting is loaded as it is needed; what happened between two was missed.
      if (connection.peek() !== "waiting") void followChange("all");
      connection.value = "live";
    });
    source.addEventListener("error", () => {
      connection.value = "lost";
      progress.value = null;
      // A browser retries by itself when there is no answer, and gives up when it is refused.
      if (source.readyState === EventSource.CLOSED) void askAgain();
    });
    on<Progress>("progress", (state) => {
      progress.value = state;
      clearTimeout(quiet);
      const isDone = state.completed >= state.total;
      quiet = setTimeout(
        () => {
          progress.value = null;
        },
        isDone ? doneMs : quietMs,
      );
    });
    on("synced", () => {
      progress.value = null;
      void followChange([]);
    });
    on<{ paths: readonly string[]; isListChanged: boolean }>("changed", ({ paths, isListChanged }) => {
      void followChange(paths, { isListChanged });
    });
    on<{ message: string }>("warning", ({ message }) => tell(message));
  };
  const on = <T>(kind: string, take: (data: T) => void): void =>
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => take(JSON.parse(data) as T));
  const askAgain = async (): Promise<void> => {
    // This shows that the session has ended, and then no events are received.
    await loadStatus();
    setTimeout(() => {
      if (!isOver) open();
    }, retryMs);
  };
  open();
  return () => {
    isOver = true;
    source.close();
  };
}
