import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSubscriptions, pathOfUri, uriOfNote } from "./subscriptions.ts";

test("A client is notified with the URI that it subscribed with, however that is spelled", () => {
  const subscriptions = createSubscriptions();
  assert.equal(subscriptions.add("memory://notes/memory/my%20day.md"), true);
  assert.equal(subscriptions.add("memory://notes/memory/b c.md"), true);
  assert.equal(subscriptions.addressOf("memory/my day.md"), "memory://notes/memory/my%20day.md");
  assert.equal(subscriptions.addressOf("memory/b c.md"), "memory://notes/memory/b c.md");
  assert.equal(subscriptions.addressOf("memory/other.md"), null);
  subscriptions.remove("memory://notes/memory/b%20c.md");
  assert.equal(subscriptions.addressOf("memory/b c.md"), null);
});

test("Subscriptions are limited, and the same note counts once", () => {
  const subscriptions = createSubscriptions();
  for (let i = 0; i < 1000; i++) assert.ok(subscriptions.add(`memory://notes/memory/${i}.md`));
  assert.equal(subscriptions.add("memory://notes/memory/one-more.md"), false);
  assert.equal(subscriptions.add("memory://notes/memory/7.md"), true);
});

test("Every path survives a round trip through its URI", () => {
  const path = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(path, (text) => assert.equal(pathOfUri(uriOfNote(text)), text)),
    { seed: 7 },
  );
});

test("A URI is readable if the path is", () => {
  assert.equal(uriOfNote("memory/2026-03-02.md"), "memory://notes/memory/2026-03-02.md");
});

test("A URI that does not name a note gives null", () => {
  for (const uri of [
    "memory://notes/",
    "memory://other/MEMORY.md",
    "file:///etc/passwd",
    "memory://notes/%E0%A4%A",
    "",
  ]) {
    assert.equal(pathOfUri(uri), null, uri);
  }
});
