import type { ChildProcess } from "node:child_process";
import { throwIfAborted } from "./errors.ts";

export interface ChildCall<Part, Answer> {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Sends the request. */
  ask(id: number): void;
  /** Called with each part of the answer as it arrives; the call resolves with the whole answer. */
  take(part: Part, resolve: (answer: Answer) => void): void;
  /** Called when the caller stops waiting. */
  onAbort?(id: number): void;
  /** Called at the deadline: ends the process and rejects the pending calls. */
  onLate(): void;
}

/** Pending calls to a child process. */
export interface ChildCalls<Part> {
  begin<Answer>(child: ChildProcess, call: ChildCall<Part, Answer>): Promise<Answer>;
  /** Answers and failures that no caller waits for are ignored. */
  take(id: number, part: Part): void;
  fail(id: number, error: Error): void;
  failAll(error: Error): void;
}

export interface ChildCallsOptions {
  /** False once the process has been abandoned: then it must be neither kept alive nor ended here. */
  readonly isRunning: (child: ChildProcess) => boolean;
}

export function createChildCalls<Part>({ isRunning }: ChildCallsOptions): ChildCalls<Part> {
  const waiting = new Map<number, { take: (part: Part) => void; reject: (error: unknown) => void }>();
  let lastId = 0;

  /** Only a running call may keep the host process alive. */
  function hold(child: ChildProcess): void {
    const how = waiting.size > 0 ? "ref" : "unref";
    child[how]();
    child.channel?.[how]();
  }

  return {
    async begin<Answer>(child: ChildProcess, call: ChildCall<Part, Answer>) {
      const { deadlineMs, signal } = call;
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
        call.onAbort?.(id);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(() => {
        if (isRunning(child)) call.onLate();
      }, deadlineMs);
      call.ask(id);
      try {
        return await promise;
      } catch (error) {
        throwIfAborted(signal);
        throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        waiting.delete(id);
        if (isRunning(child)) hold(child);
      }
    },
    take: (id, part) => waiting.get(id)?.take(part),
    fail: (id, error) => waiting.get(id)?.reject(error),
    failAll(error) {
      for (const { reject } of [...waiting.values()]) reject(error);
    },
  };
}
