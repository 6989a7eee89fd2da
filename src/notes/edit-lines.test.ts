import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutLines, exchangeText } from "./edit-lines.ts";
import { sliceLines } from "./read-lines.ts";

function cut(note: string | Buffer, startLine: number, endLine: number, text: string): string {
  return cutLines(Buffer.from(note as string), [{ startLine, endLine, text }], "memory/a.md").toString(
    "latin1",
  );
}

test("lines are removed with their line ends, and every other byte stays", () => {
  assert.equal(cut("a\nb\nc\n", 2, 2, "b"), "a\nc\n");
  assert.equal(cut("a\nb\nc\n", 1, 3, "a\nb\nc"), "");
  assert.equal(cut("a\nb\nc", 3, 3, "c"), "a\nb\n");
  assert.equal(cut("a\r\nb\r\nc\n", 1, 2, "a\nb"), "c\n");
  assert.equal(cut("a\r\nb\r\nc\n", 1, 2, "a\r\nb\r\n"), "c\n");
  assert.equal(cut(Buffer.from("\xff\xfe\na\n\xe9", "latin1"), 2, 2, "a"), "\xff\xfe\n\xe9");
});

test("a byte-order mark stays even if the first line is removed", () => {
  assert.equal(cut("\ufeffa\nb\n", 1, 1, "a"), "\xef\xbb\xbfb\n");
  assert.equal(cut("\ufeffa\nb\n", 1, 1, "\ufeffa"), "\xef\xbb\xbfb\n");
  assert.equal(cut("\ufeffa\nb\n", 2, 2, "b"), "\xef\xbb\xbfa\n");
});

test("several passages are removed at once, in whatever order they are named", () => {
  const passages = [
    { startLine: 4, endLine: 5, text: "d\ne" },
    { startLine: 1, endLine: 1, text: "a" },
  ];
  assert.equal(cutLines(Buffer.from("a\nb\nc\nd\ne\nf\n"), passages, "a.md").toString(), "b\nc\nf\n");
  assert.throws(
    () => cutLines(Buffer.from("a\nb\n"), [passages[1]!, { startLine: 1, endLine: 2, text: "a\nb" }], "a.md"),
    { code: "note-changed", message: /named twice/ },
  );
});

test("lines that have changed since they were seen are not removed", () => {
  const refused: [number, number, string, RegExp][] = [
    [2, 2, "x", /line 2 is not/],
    [1, 2, "a", /lines 1-2 are not/],
    [2, 2, "b ", /line 2 is not as it was seen/],
    [2, 2, "B", /line 2 is not as it was seen/],
    [3, 4, "c\nd", /has 3 lines/],
  ];
  for (const [startLine, endLine, text, message] of refused) {
    assert.throws(() => cut("a\nb\nc\n", startLine, endLine, text), { code: "note-changed", message }, text);
  }
  for (const [from, to] of [
    [0, 1],
    [2, 1],
    [1.5, 2],
    [Number.NaN, 1],
  ]) {
    assert.throws(() => cut("a\nb\nc\n", from!, to!, "a"), { code: "usage" });
  }
});

test("any passage of any note is removed exactly as by a naive implementation", () => {
  const piece = fc.constantFrom("a", "é", "\n", "\r\n", "\r", "\ufeff", "- item", " ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(12), fc.nat(6), (pieces, first, more) => {
      const bytes = Buffer.from(pieces.join(""));
      const lines = pieces.join("").match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const [from, to] = [first + 1, first + 1 + more];
      if (to > lines.length) return;
      const { text } = sliceLines(bytes, { from, lines: more + 1 });
      const result = cutLines(bytes, [{ startLine: from, endLine: to, text }], "a.md");
      const rest = [...lines.slice(0, from - 1), ...lines.slice(to)].join("");
      const marked = from === 1 && bytes.toString().startsWith("\ufeff") ? `\ufeff${rest}` : rest;
      assert.deepEqual(result, Buffer.from(marked));
    }),
    { seed: 20260301, numRuns: 2000 },
  );
});

test("replaced text keeps the note's byte-order mark and kind of line end", () => {
  const exchange = (old: string, seen: string, text: string) =>
    exchangeText(Buffer.from(old), { text: seen }, text, "a.md").toString();
  assert.equal(exchange("a\nb\n", "a\nb\n", "a\nc\n"), "a\nc\n");
  assert.equal(exchange("\ufeffa\r\nb", "a\nb", "x\ny\n"), "\ufeffx\r\ny\r\n");
  assert.throws(() => exchange("a\n", "b\n", "c\n"), { code: "note-changed" });
  assert.throws(() => exchange("a\n", "a\n", "c\ud800"), { code: "entry-invalid" });
  assert.throws(() => exchangeText(Buffer.from([0x61, 0xff]), { text: "a\ufffd" }, "b", "a.md"), {
    code: "note-unwritable",
    message: /not valid UTF-8/,
  });
});
