import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../timing.ts";

/** An event for every page that listens. `docs/http.md` lists the kinds. */
export interface HubEvent {
  readonly kind: "hello" | "progress" | "synced" | "changed" | "watch" | "plan" | "warning";
  readonly data: object;
}

export interface EventHub extends AsyncDisposable {
  publish(event: HubEvent): void;
  /** Keeps the response open and writes events to it until either side ends it. */
  subscribe(response: ServerResponse): Promise<void>;
}

export interface EventHubOptions {
  /** Said to each listener first. */
  readonly hello: object;
  readonly heartbeatMs?: number;
  readonly progressMs?: number;
}

/** A listener that takes nothing any more is let go at this many bytes; it connects again and looks for itself. */
const maxBehindBytes = 1024 * 1024;

/** So long listeners get to take what was sent last. */
const farewellMs = 300;

/** Server-sent events to any number of listeners. */
export function createEventHub({ hello, heartbeatMs = 15_000, progressMs = 100 }: EventHubOptions): EventHub {
  const listeners = new Set<ServerResponse>();
  let lastId = 0;
  let lastProgressMs = Number.NEGATIVE_INFINITY;
  const heartbeat = setInterval(() => send(": still here\n\n"), heartbeatMs);
  heartbeat.unref();

  function send(text: string): void {
    for (const listener of listeners) {
      if (listener.writableLength > maxBehindBytes) listener.destroy();
      else listener.write(text);
    }
  }

  /** A progress that the next one will outdate is not worth sending, but the last one always is. */
  function isTooSoon({ kind, data }: HubEvent): boolean {
    if (kind !== "progress") return false;
    const { completed, total } = data as { completed?: number; total?: number };
    const nowMs = monotonicMs();
    if (nowMs - lastProgressMs < progressMs && completed !== total) return true;
    lastProgressMs = nowMs;
    return false;
  }

  return {
    publish(event) {
      if (listeners.size > 0 && !isTooSoon(event)) send(render(event, ++lastId));
    },
    async subscribe(response) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      // A listener that lost us waits so long before it tries again.
      response.write(`retry: 2000\n${render({ kind: "hello", data: hello }, lastId)}`);
      listeners.add(response);
      await new Promise<void>((resolve) => response.once("close", resolve));
      listeners.delete(response);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat);
      const ended = [...listeners].map((listener) => {
        listener.end();
        return once(listener, "close");
      });
      // One that takes nothing any more is not waited for.
      await Promise.race([Promise.allSettled(ended), sleep(farewellMs, undefined, { ref: false })]);
    },
  };
}

/** JSON has no line ends in it, so it is one line of data. */
function render({ kind, data }: HubEvent, id: number): string {
  return `event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
