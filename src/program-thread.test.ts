import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { answerInOrder } from "./program-thread.ts";

test("Answers arrive in the order of the requests, even if a later one is ready earlier", async (t) => {
  const { port1: here, port2: there } = new MessageChannel();
  t.after(() => here.close());
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  answerInOrder(there, "ready", async (request: string) => {
    begun.push(request);
    if (request === "slow") await first.promise;
    return { message: `${request} answer`, transfer: [] };
  });
  const heard: string[] = [];
  here.on("message", (message: string) => {
    heard.push(message);
    // By now both requests have arrived.
    if (message === "ready") here.postMessage("let go");
  });
  for (const request of ["slow", "quick"]) here.postMessage(request);
  there.on("message", (request) => request === "let go" && first.resolve());
  while (heard.length < 4) await once(here, "message");
  assert.deepEqual(heard, ["ready", "slow answer", "quick answer", "let go answer"]);
  assert.deepEqual(begun, ["slow", "quick", "let go"]);
});
