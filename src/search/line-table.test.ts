import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import { createLineTable } from "./line-table.ts";

const first = makeChunk({ id: 1, text: "one\ntwo\nthree" });
const second = makeChunk({ id: 2, text: "three\nfour\nfive" }, 3);
const far = makeChunk({ id: 3, text: "nine\nten" }, 9);
const elsewhere = makeChunk({ id: 4, path: "memory/b.md", text: "other four\nother five" }, 4);

suite("createLineTable", () => {
  const { lineText, connected } = createLineTable([first, second, far, elsewhere]);

  test("gives the lines of a chunk, and beyond its edge those of its neighbours", () => {
    assert.equal(lineText(first, 2), "two");
    assert.equal(lineText(first, 5), "five");
    assert.equal(lineText(second, 1), "one");
    assert.equal(lineText(elsewhere, 4), "other four");
  });

  test("reads a missing line as blank", () => {
    for (const line of [0, 6, 8, 11]) assert.equal(lineText(first, line), "");
    assert.equal(lineText(elsewhere, 1), "");
    assert.equal(createLineTable([]).lineText(first, 1), "");
  });

  test("distinguishes documents of the same path in two sources", () => {
    const session = makeChunk({ id: 5, source: "sessions", text: "spoken\nspoken too" });
    const table = createLineTable([first, session]);
    assert.equal(table.lineText(first, 1), "one");
    assert.equal(table.lineText(session, 3), "");
  });

  test("connects lines as far as their text is certain, and stays inside the hit", () => {
    assert.deepEqual(connected(first, { start: 2, end: 2 }, { start: 1, end: 10 }), { start: 1, end: 5 });
    assert.deepEqual(connected(far, { start: 10, end: 10 }, { start: 1, end: 10 }), { start: 9, end: 10 });
    assert.deepEqual(connected(first, { start: 2, end: 2 }, { start: 2, end: 4 }), { start: 2, end: 4 });
    assert.deepEqual(connected(elsewhere, { start: 4, end: 4 }, { start: 1, end: 9 }), { start: 4, end: 5 });
  });

  test("reads a piece of a long line from its own chunk, and connects it with nothing", () => {
    const before = makeChunk({ id: 6, text: "one\ntwo" });
    const pieces = ["long line, beginning", "long line, end"].map((text, i) =>
      makeChunk({ id: 7 + i, text }, 3),
    );
    const after = makeChunk({ id: 9, text: "four\nfive" }, 4);
    const table = createLineTable([before, ...pieces, after]);
    assert.equal(table.lineText(pieces[0]!, 3), "long line, beginning");
    assert.equal(table.lineText(pieces[1]!, 3), "long line, end");
    const all = { start: 1, end: 5 };
    assert.deepEqual(table.connected(pieces[0]!, { start: 3, end: 3 }, all), { start: 3, end: 3 });
    assert.deepEqual(table.connected(before, { start: 1, end: 1 }, all), { start: 1, end: 2 });
    assert.deepEqual(table.connected(after, { start: 4, end: 4 }, all), { start: 4, end: 5 });
  });
});
