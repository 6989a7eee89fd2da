import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createRandom } from "../../eval/compare.ts";
import { createChunker } from "../../text/chunk.ts";
import { sha256 } from "../../text/hash.ts";
import type { IndexedDocument } from "../store.ts";
import { repeatedStart } from "./stored-chunk.ts";

const chunker = createChunker({ tokens: 40, overlap: 16 });

function cut(path: string, lines: readonly string[]): IndexedDocument {
  const text = lines.join("\n");
  return {
    document: {
      source: "memory",
      path,
      version: sha256(text),
      hash: sha256(text),
      sizeBytes: text.length,
      modifiedAt: new Date(0),
      scope: "shared",
    },
    chunks: chunker.chunk(text),
  };
}

/** Rows of the view and of the table, in order. */
function rowsOf(path: string) {
  const db = new DatabaseSync(path);
  const shown = db.prepare("SELECT path, text, hash FROM chunks ORDER BY path, position").all();
  const stored = db.prepare("SELECT text, repeated FROM chunk_rows ORDER BY key").all();
  db.close();
  return { shown, stored };
}

test("the lines that a chunk repeats are found", () => {
  const before = { lines: { start: 1, end: 4 }, text: "a\nb\nc\nd" };
  const starts = (start: number, text: string) => repeatedStart(before, { lines: { start, end: 9 }, text });
  assert.equal(starts(3, "c\nd\ne"), "c\nd");
  assert.equal(starts(3, "c\nd\n\ne"), "c\nd");
  assert.equal(starts(5, "e"), "");
  assert.equal(starts(5, "d"), "");
  const blank = { lines: { start: 1, end: 3 }, text: "a\n\nb" };
  assert.equal(repeatedStart(blank, { lines: { start: 2, end: 4 }, text: "\nb\nc" }), "\nb");
  assert.equal(starts(7, "e\nf"), "");
  assert.equal(starts(4, "d"), "", "nothing would remain");
  assert.equal(starts(3, "c\nother\ne"), "", "its text does not match its lines");
  assert.equal(repeatedStart({ ...before, text: "d" }, { lines: { start: 3, end: 5 }, text: "c\nd\ne" }), "");
});

test("chunks that share lines are read back whole, whatever is edited, moved or removed", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const random = createRandom(7);
  const pick = (count: number) => Math.floor(random() * count);
  const line = () =>
    pick(6) === 0
      ? ["", "# Überschrift", "日本語の行。", "a\0b"][pick(4)]!
      : `word${pick(999)} `.repeat(1 + pick(9));
  const notes = new Map<string, string[]>();
  let repeatedRows = 0;
  await using store = await openAt(path);
  for (let round = 0; round < 60; round++) {
    const name = `${pick(3)}.md`;
    const lines = [...(notes.get(name) ?? Array.from({ length: 30 }, line))];
    for (let edits = 1 + pick(3); edits > 0; edits--) {
      const removed = lines.splice(pick(lines.length), pick(4));
      lines.splice(pick(lines.length), 0, ...(pick(2) === 0 ? removed : [line(), line()]));
    }
    if (pick(8) === 0) {
      notes.delete(name);
      await store.remove("memory", [name]);
    } else {
      notes.set(name, lines);
      await store.put([cut(name, lines)], chunker.id);
    }
    const { shown, stored } = rowsOf(path);
    const expected = [...notes]
      .toSorted()
      .flatMap(([each, its]) => cut(each, its).chunks.map(({ text, hash }) => ({ path: each, text, hash })));
    assert.deepEqual(
      shown.map((row) => ({ ...row })),
      expected,
    );
    for (const each of notes.keys())
      assert.deepEqual(
        (await store.chunksOf("memory", each)).map(({ text }) => text),
        expected.filter((chunk) => chunk.path === each).map(({ text }) => text),
      );
    repeatedRows += stored.filter((row) => (row["repeated"] as number) > 0).length;
  }
  assert.ok(repeatedRows > 100, `${repeatedRows}`);
});

test("a text that two chunks share is in the file once, and not at all after its removal", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const lines = Array.from({ length: 12 }, (_, number) => `Sentence number ${number} of this note.`);
  const shared = cut("a.md", lines).chunks[0]!.text.split("\n").at(-1)!;
  const countIn = () => readFileSync(path).toString("latin1").split(shared).length - 1;
  {
    await using store = await openAt(path);
    await store.put([cut("a.md", lines)], chunker.id);
  }
  assert.ok(cut("a.md", lines).chunks[1]!.text.includes(shared));
  assert.equal(countIn(), 1);
  {
    await using store = await openAt(path);
    await store.put(
      [
        cut(
          "a.md",
          lines.filter((each) => each !== shared),
        ),
      ],
      chunker.id,
    );
  }
  assert.equal(countIn(), 0);
});
