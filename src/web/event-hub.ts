import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { monotonicMs, settleWithin } from "../timing.ts";

/** An event sent to every connected page. `docs/http.md` lists the kinds. */
interface HubEvent {
  readonly kind: "hello" | "progress" | "synced" | "changed" | "watch" | "plan" | "warning";
  readonly data: object;
}

export interface EventHub extends AsyncDisposable {
  publish(event: HubEvent): void;
  /** Keeps the response open and writes events to it until either side ends it. */
  subscribe(response: ServerResponse): Promise<void>;
}

interface EventHubOptions {
  /** Creates the first event for each listener. */
  readonly hello: object;
  readonly heartbeatMs?: number;
  readonly progressMs?: number;
}

/** A listener that falls this far behind is disconnected; it reconnects and reloads. */
const maxBehindBytes = 1024 * 1024;

/** How long listeners may take to receive the last events when the server closes. */
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

  /** Progress is throttled, except for its last event. */
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
      // The reconnection delay.
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
      // A listener that does not read is not waited for.
      await settleWithin(farewellMs, Promise.allSettled(ended));
    },
  };
}

/** JSON contains no raw line breaks, so it fits on one `data:` line. */
function render({ kind, data }: HubEvent, id: number): string {
  return `event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
