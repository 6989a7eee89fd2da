import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { addressesOf, listen } from "./listen.ts";

test("A server accepts its own address in any case, and the loopback names", () => {
  assert.deepEqual(addressesOf("127.0.0.1", 4756), ["127.0.0.1:4756", "localhost:4756", "[::1]:4756"]);
  assert.ok(addressesOf("MyBox.local", 1).includes("mybox.local:1"));
  assert.ok(addressesOf("::1", 1).includes("[::1]:1"));
  assert.ok(addressesOf("127.0.0.1", 80).includes("localhost"));
});

test("On all interfaces it accepts each of the machine's addresses", () => {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  for (const { address, family } of own) {
    const name = family === "IPv6" ? `[${address}]` : address;
    assert.ok(addressesOf("0.0.0.0", 9).includes(`${name}:9`), name);
    assert.ok(!addressesOf("127.0.0.1", 9).includes(`${name}:9`) || /^(?:127|\[::1)/.test(name), name);
  }
});

test("A client that is refused may send its whole body, and sees the answer at once", async (t) => {
  const server = await listen({
    port: 0,
    host: "127.0.0.1",
    tokenOf: () => "the-token",
    routeOf: () => null,
    onProblem: (problem) => assert.fail(problem),
  });
  t.after(() => server[Symbol.asyncDispose]());
  const sizeBytes = 16 * 1024 * 1024;
  for (const [authorization, status] of [
    ["Bearer wrong", 401],
    ["Bearer the-token", 404],
  ] as const) {
    const socket = connect(server.port, "127.0.0.1");
    const lines = [
      "POST /none HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: ${authorization}`,
    ];
    socket.write(
      [...lines, "Content-Type: application/json", `Content-Length: ${sizeBytes}`, "", ""].join("\r\n"),
    );
    const [answer] = await once(socket, "data");
    assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} `));
    socket.end(Buffer.alloc(sizeBytes));
    await once(socket, "close");
  }
});
