import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createEventHub, type EventHub } from "./event-hub.ts";

/** A client of the hub; a slow one does not read. */
async function openListener(t: TestContext, hub: EventHub, { isReading }: { isReading: boolean }) {
  const { promise: served, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, response) => void hub.subscribe(response).then(resolve));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1" }).end();
  t.after(() => {
    sent.destroy();
    server.close();
    server.closeAllConnections();
  });
  const [response] = await once(sent, "response");
  let text = "";
  if (isReading) {
    response.setEncoding("utf8");
    response.on("data", (part: string) => {
      text = (text + part).slice(-200_000);
    });
  }
  response.on("error", () => {});
  return {
    response,
    /** Resolves when the server has finished the response. */
    served,
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) await once(response, "data");
      return text;
    },
  };
}

test("Listeners get a greeting, events and heartbeats", async (t) => {
  const hub = createEventHub({ hello: { agentId: "main" }, heartbeatMs: 5 });
  const listener = await openListener(t, hub, { isReading: true });
  await listener.until('event: hello\nid: 0\ndata: {"agentId":"main"}\n\n');
  hub.publish({ kind: "warning", data: { message: "two\nlines" } });
  await listener.until('event: warning\nid: 1\ndata: {"message":"two\\nlines"}\n\n');
  await listener.until(": still here\n\n");
  const ended = once(listener.response, "end");
  await hub[Symbol.asyncDispose]();
  await ended;
});

test("Progress is throttled, but its end is always sent", async (t) => {
  const hub = createEventHub({ hello: {}, progressMs: 60_000 });
  const listener = await openListener(t, hub, { isReading: true });
  await listener.until("hello");
  for (let completed = 1; completed <= 100; completed++) {
    hub.publish({ kind: "progress", data: { completed, total: 100, label: "" } });
  }
  const text = await listener.until('"completed":100');
  assert.equal(text.match(/event: progress/g)?.length, 2);
  await hub[Symbol.asyncDispose]();
});

test("A listener that reads nothing is disconnected, and the others are not", async (t) => {
  const hub = createEventHub({ hello: {} });
  const stuck = await openListener(t, hub, { isReading: false });
  const awake = await openListener(t, hub, { isReading: true });
  let isGone = false;
  stuck.served.then(() => {
    isGone = true;
  });
  const message = "x".repeat(100_000);
  for (let count = 0; !isGone; count++) {
    hub.publish({ kind: "warning", data: { message, count } });
    await awake.until(`"count":${count}}`);
    assert.ok(count < 1000, "it was never let go");
  }
  await hub[Symbol.asyncDispose]();
});
