import { signal } from "@preact/signals";
import { followChange } from "./memory-state.ts";
import { tell } from "./toasts.ts";

export interface Progress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

/** How far the index is, while it is being made; null at rest. */
export const progress = signal<Progress | null>(null);
/** Whether the server can be heard. */
export const isLive = signal(false);

/** Progress that nothing follows for so long has come to its end. */
const quietMs = 3000;

/** Listens to what the server tells. Returns what ends it. */
export function followEvents(): () => void {
  const source = new EventSource("/api/events");
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const on = <T>(kind: string, take: (data: T) => void): void =>
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => take(JSON.parse(data) as T));
  source.addEventListener("open", () => {
    isLive.value = true;
  });
  source.addEventListener("error", () => {
    isLive.value = false;
  });
  on<Progress>("progress", (state) => {
    progress.value = state;
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      progress.value = null;
    }, quietMs);
  });
  on("synced", () => {
    progress.value = null;
    void followChange([]);
  });
  on<{ paths: readonly string[]; isListChanged: boolean }>("changed", ({ paths, isListChanged }) => {
    void followChange(paths, { isListChanged });
  });
  on<{ message: string }>("warning", ({ message }) => tell(message));
  return () => source.close();
}
