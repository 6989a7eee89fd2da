import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { addressesOf } from "./listen.ts";

test("A server is called by its own address, whatever its case, and by the names of this machine", () => {
  assert.deepEqual(addressesOf("127.0.0.1", 4756), ["127.0.0.1:4756", "localhost:4756", "[::1]:4756"]);
  assert.ok(addressesOf("MyBox.local", 1).includes("mybox.local:1"));
  assert.ok(addressesOf("::1", 1).includes("[::1]:1"));
  assert.ok(addressesOf("127.0.0.1", 80).includes("localhost"));
});

test("On all interfaces it is called by each of the machine's addresses", () => {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  for (const { address, family } of own) {
    const name = family === "IPv6" ? `[${address}]` : address;
    assert.ok(addressesOf("0.0.0.0", 9).includes(`${name}:9`), name);
    assert.ok(!addressesOf("127.0.0.1", 9).includes(`${name}:9`) || /^(?:127|\[::1)/.test(name), name);
  }
});
