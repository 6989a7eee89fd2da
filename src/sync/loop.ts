import { LonghandError, throwIfAborted } from "../errors.ts";
import type { SyncOptions, SyncProgress } from "./sync.ts";

interface SyncLoop<Report> extends AsyncDisposable {
  /** Resolves with a sync that began after this call, so whatever was on disk before the call is in its result. */
  request(options?: SyncOptions): Promise<Report>;
  /** Accepts no more requests, cancels those whose sync has not begun, and waits for the running sync. */
  close(): Promise<void>;
}

/**
 * Runs syncs one at a time, however many ask.
 *
 * A request never joins the sync that is running. That sync may have listed the folder already, so a note written a
 * moment ago could be missing from it, and the caller (a search that must see its own `add`) would believe that the
 * index is up to date when it is not. Instead the request waits for the next sync. One next sync is enough for all
 * waiting callers: it begins after all of them asked. So there are never more than two syncs, the running one and the
 * next, and a change can be late by one sync but not lost. There is no dirty flag to keep correct: each sync compares
 * for itself.
 *
 * A sync begins a microtask after the first request for it, so that requests made together share it. Its options are
 * merged: forced if any caller forces, in the background if all agree, with every reason, and with progress for every
 * caller. A caller that cancels is answered at once, but the sync stops only when no caller is left: a search that gave
 * up waiting must not cancel the `index` of another caller. A cancelled or failed sync does not keep the next one from running.
 */
export function createSyncLoop<Report>(run: (options: SyncOptions) => Promise<Report>): SyncLoop<Report> {
  let running: Pass<Report> | undefined;
  let next: Pass<Report> | undefined;
  let isClosed = false;
  let idle: Promise<void> = Promise.resolve();

  /** Runs the syncs that are asked for until there is none. */
  async function runAll(): Promise<void> {
    await null;
    while (next && !isClosed) {
      running = next;
      next = undefined;
      if (running.size > 0) await running.run(run);
      running = undefined;
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    next?.fail(closedError());
    await idle;
  }

  return {
    request(options = {}) {
      return new Promise((resolve, reject) => {
        if (isClosed) throw closedError();
        throwIfAborted(options.signal);
        const isIdle = !running && !next;
        next ??= createPass<Report>();
        next.join({ options, resolve, reject });
        if (isIdle) idle = runAll();
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Request<Report> {
  readonly options: SyncOptions;
  readonly resolve: (report: Report) => void;
  readonly reject: (error: unknown) => void;
}

type Pass<Report> = ReturnType<typeof createPass<Report>>;

/** One sync and its callers. */
function createPass<Report>() {
  /** Null until the sync begins. */
  let controller: AbortController | undefined;
  /** Each request with the function that removes its abort listener. */
  const requests = new Map<Request<Report>, () => void>();

  function leave(request: Request<Report>): void {
    requests.get(request)?.();
    requests.delete(request);
  }

  function giveUp(request: Request<Report>, error: unknown): void {
    leave(request);
    request.reject(error);
    if (requests.size === 0) controller?.abort(error);
  }

  function settle(answer: (request: Request<Report>) => void): void {
    for (const request of [...requests.keys()]) {
      leave(request);
      answer(request);
    }
  }

  function tellProgress(progress: SyncProgress): void {
    for (const request of [...requests.keys()]) {
      try {
        request.options.progress?.(progress);
      } catch (error) {
        // A listener that throws must not affect the others.
        giveUp(request, error);
      }
    }
  }

  function fail(error: unknown): void {
    settle((request) => request.reject(error));
  }

  return {
    get size(): number {
      return requests.size;
    },
    join(request: Request<Report>): void {
      const { signal } = request.options;
      const onAbort = (): void => giveUp(request, abortError(signal!));
      signal?.addEventListener("abort", onAbort, { once: true });
      requests.set(request, () => signal?.removeEventListener("abort", onAbort));
    },
    fail,
    async run(run: (options: SyncOptions) => Promise<Report>): Promise<void> {
      const all = [...requests.keys()].map(({ options }) => options);
      const reasons = [...new Set(all.flatMap(({ reason }) => reason ?? []))];
      controller = new AbortController();
      try {
        const report = await run({
          force: all.some(({ force }) => force),
          background: all.every(({ background }) => background),
          whenBusy: all.every(({ whenBusy }) => whenBusy === "leave") ? "leave" : "wait",
          ...(reasons.length > 0 && { reason: reasons.join(", ") }),
          progress: tellProgress,
          signal: controller.signal,
        });
        settle((request) => request.resolve(report));
      } catch (error) {
        fail(error);
      }
    },
  };
}

function abortError(signal: AbortSignal): LonghandError {
  return new LonghandError("aborted", "The sync was cancelled by its caller.", {
    hint: "Call again when the result is wanted. What was indexed until now is kept.",
    cause: signal.reason,
  });
}

function closedError(): LonghandError {
  return new LonghandError("aborted", "The sync was not begun: the memory is being closed.", {
    hint: "Open the memory again; what is missing in the index is added by its next sync.",
  });
}
