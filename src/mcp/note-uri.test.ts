import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pathOfUri, uriOfNote } from "./note-uri.ts";

test("Every path comes back from its address", () => {
  const path = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(path, (text) => assert.equal(pathOfUri(uriOfNote(text)), text)),
    { seed: 7 },
  );
});

test("An address is readable where the path is", () => {
  assert.equal(uriOfNote("memory/2026-03-02.md"), "memory://notes/memory/2026-03-02.md");
});

test("What names no note is null", () => {
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
