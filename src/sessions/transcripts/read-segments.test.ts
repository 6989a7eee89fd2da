import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readSegments } from "./read-segments.ts";

const line = (number: number) =>
  JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content: `Message ${number}` } });

/** The turns since the last compaction. */
const readRecentTurns = (path: string, maxBytes?: number) =>
  readSegments(path, { maxBytes })?.at(-1)?.turns ?? [];

test("the end of a long transcript is read, with the lines of the whole file", (t) => {
  const folder = makeTemporaryFolder(t);
  const lines = Array.from({ length: 500 }, (_, index) => line(index + 1));
  const file = folder.write("a.jsonl", `${lines.join("\n")}\n`);
  assert.equal(readRecentTurns(file).length, 500);
  for (const maxBytes of [1, 100, 999, 5000]) {
    const turns = readRecentTurns(file, maxBytes);
    assert.ok(turns.length < 500);
    for (const turn of turns) assert.equal(turn.text, `Message ${turn.line}`);
    if (maxBytes > 100) assert.equal(turns.at(-1)?.line, 500);
  }
});

test("a segment begins after the summary of a compaction; a title is not one", (t) => {
  const folder = makeTemporaryFolder(t);
  const said = (content: string, more: object = {}) => ({
    type: "user",
    uuid: "u",
    message: { role: "user", content },
    ...more,
  });
  const file = folder.write(
    "t.jsonl",
    [
      said("before"),
      said("This session is continued.", { isCompactSummary: true }),
      said("after"),
      { type: "summary", summary: "Another conversation", leafUuid: "x" },
      said("last"),
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  assert.deepEqual(
    readRecentTurns(file).map(({ text, line }) => [text, line]),
    [
      ["after", 3],
      ["last", 5],
    ],
  );
});

test("a partial last line, broken lines and other files give neither turns nor errors", (t) => {
  const folder = makeTemporaryFolder(t);
  const file = folder.write("a.jsonl", `not json\n[1]\n${line(3)}\n${line(4).slice(0, 20)}`);
  assert.deepEqual(readRecentTurns(file), [{ role: "user", text: "Message 3", line: 3 }]);
  assert.deepEqual(readRecentTurns(folder.write("b.txt", "hello\n")), []);
  assert.deepEqual(readRecentTurns(folder.write("c.jsonl", "")), []);
  assert.deepEqual(readRecentTurns(folder.at("missing.jsonl")), []);
});

test("a complete last line without a line break is read once, and the next line has its own number", (t) => {
  const folder = makeTemporaryFolder(t);
  const first = `${line(1)}\n${line(2)}`;
  const file = folder.write("a.jsonl", first);
  const [segment] = readSegments(file)!;
  assert.deepEqual(
    segment!.turns.map(({ text, line }) => [text, line]),
    [
      ["Message 1", 1],
      ["Message 2", 2],
    ],
  );
  assert.deepEqual(readSegments(file, { from: segment!.end })![0]!.turns, []);
  folder.write("a.jsonl", `${first}\n${line(3)}\n`);
  assert.deepEqual(readSegments(file, { from: segment!.end })![0]!.turns, [
    { role: "user", text: "Message 3", line: 3 },
  ]);
});
