import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hitAddress, noteAddress, parseRoute, resolveNoteLink, sessionAddress } from "./routes.ts";

test("Every view has an address of its own", () => {
  assert.deepEqual(parseRoute("/"), { view: "search" });
  assert.deepEqual(parseRoute("/notes"), { view: "notes" });
  assert.deepEqual(parseRoute("/notes/memory/2026-03-02.md"), { view: "note", path: "memory/2026-03-02.md" });
  assert.deepEqual(parseRoute("/sessions/a~1f.jsonl"), { view: "session", id: "a~1f.jsonl" });
  assert.deepEqual(parseRoute("/review"), { view: "review" });
  assert.deepEqual(parseRoute("/health"), { view: "health" });
  assert.deepEqual(parseRoute("/health/x"), { view: "unknown", pathname: "/health/x" });
  assert.deepEqual(parseRoute("/nowhere"), { view: "unknown", pathname: "/nowhere" });
});

test("Any note path survives a round trip through an address", () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !text.includes("/") && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const path = names.join("/");
      assert.deepEqual(parseRoute(noteAddress(path)), { view: "note", path });
      assert.deepEqual(parseRoute(sessionAddress(path)), { view: "session", id: path });
    }),
    { seed: 9, numRuns: 300 },
  );
  assert.deepEqual(parseRoute("/notes/50%.md"), { view: "note", path: "50%.md" });
});

test("A hit leads to its lines, in a note or in a transcript", () => {
  assert.equal(
    hitAddress({ path: "memory/a b.md", source: "memory" }, "#L5-L7"),
    "/notes/memory/a%20b.md#L5-L7",
  );
  assert.equal(hitAddress({ path: "sessions/s1.jsonl", source: "sessions" }, "#L3"), "/sessions/s1.jsonl#L3");
});

test("Links between notes are resolved relative to their note, and never leave the memory", () => {
  assert.equal(resolveNoteLink("memory/a.md", "b.md#L2"), "/notes/memory/b.md#L2");
  assert.equal(resolveNoteLink("memory/x/a.md", "../b.md"), "/notes/memory/b.md");
  assert.equal(resolveNoteLink("memory/a.md", "/MEMORY.md"), "/notes/MEMORY.md");
  for (const href of ["../../b.md", "javascript:b.md", "//host/b.md", "b.html", "#L2", "b.md?x=1"]) {
    assert.equal(resolveNoteLink("memory/a.md", href), null, href);
  }
});
