import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { throwIfAborted } from "./errors.ts";

export interface ChildHostOptions<Received> {
  /** Starts the process and sends it what it needs first. Throws if it must not be started. */
  start(): ChildProcess;
  receive(message: Received): void;
  /** The process ended by itself, or could not be started: ends the pending calls. */
  onExit(why: string): void;
  kill(child: ChildProcess): void;
  /** The error of calls during and after closing. */
  closed(): Error;
}

export interface ChildCall<Part, Answer> {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** The message of the request. */
  ask(id: number): object;
  /** Called with each part of the answer as it arrives; the call resolves with the whole answer. */
  take(part: Part, resolve: (answer: Answer) => void): void;
  /** The message to send when the caller stops waiting. */
  cancel?(id: number): object;
  /** Called at the deadline: ends the process and rejects the pending calls. */
  onLate(): void;
}

/**
 * A child process that is started by the first call and answers calls by their ids. Only a pending call keeps the host
 * process alive. After a crash or a timeout, the next call starts another.
 */
export interface ChildHost<Part> extends AsyncDisposable {
  /** The id of the running process; null before the first call and after it has ended. */
  readonly pid: number | null;
  call<Answer>(call: ChildCall<Part, Answer>): Promise<Answer>;
  /** Answers and failures that no caller waits for are ignored. */
  take(id: number, part: Part): void;
  fail(id: number, error: Error): void;
  /** Ends the process, and every pending call. */
  end(error: Error): void;
}

export function createChildHost<Received, Part>(options: ChildHostOptions<Received>): ChildHost<Part> {
  const waiting = new Map<number, { take: (part: Part) => void; reject: (error: unknown) => void }>();
  let running: ChildProcess | null = null;
  let isClosed = false;
  let lastId = 0;

  function start(): ChildProcess {
    const child = options.start();
    running = child;
    const stop = (why: string): void => {
      if (running === child) options.onExit(why);
    };
    child.on("message", (message: Received) => {
      if (running === child) options.receive(message);
    });
    child.once("error", (error) => stop(error.message));
    child.once("exit", (code, signal) => stop(signal ?? `exit code ${code}`));
    return child;
  }

  function hold(child: ChildProcess): void {
    const how = waiting.size > 0 ? "ref" : "unref";
    child[how]();
    child.channel?.[how]();
  }

  function end(error: Error): void {
    if (running !== null) options.kill(running);
    running = null;
    for (const { reject } of [...waiting.values()]) reject(error);
  }

  return {
    get pid() {
      return running?.pid ?? null;
    },
    async call<Answer>({ deadlineMs, signal, ...call }: ChildCall<Part, Answer>) {
      throwIfAborted(signal);
      if (isClosed) throw options.closed();
      const child = running ?? start();
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const take = (part: Part): void => {
        try {
          call.take(part, resolve);
        } catch (error) {
          reject(error);
        }
      };
      waiting.set(id, { take, reject });
      hold(child);
      const onAbort = (): void => {
        if (call.cancel !== undefined) sendTo(child, call.cancel(id));
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(() => {
        if (running === child) call.onLate();
      }, deadlineMs);
      sendTo(child, call.ask(id));
      try {
        return await promise;
      } catch (error) {
        throwIfAborted(signal);
        throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        waiting.delete(id);
        if (running === child) hold(child);
      }
    },
    take: (id, part) => waiting.get(id)?.take(part),
    fail: (id, error) => waiting.get(id)?.reject(error),
    end,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const child = running;
      if (child === null) return;
      child.ref();
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      end(options.closed());
      await ended;
    },
  };
}

export function sendTo(child: ChildProcess, message: object): void {
  // A process that has just exited cannot be written to; its exit is reported separately.
  if (child.connected) child.send(message, () => {});
}
