import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type LinesRequest, sliceLines } from "./read-lines.ts";

function slice(text: string, request: LinesRequest = {}) {
  return sliceLines(Buffer.from(text), request);
}

test("lines are counted as wc does, and a last line without an end counts too", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["\n", 1],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb\u2028c\vd\fe\u0085\n", 1],
    ["\n\n\n", 3],
  ];
  for (const [text, total] of cases) assert.equal(slice(text).totalLines, total, JSON.stringify(text));
});

test("a range gives those lines, joined by \\n, and where to continue", () => {
  const text = "1\r\n2\n3\n4";
  assert.deepEqual(slice(text), { text: "1\n2\n3\n4", from: 1, lines: 4, totalLines: 4 });
  assert.deepEqual(slice(text, { from: 2, lines: 2 }), {
    text: "2\n3",
    from: 2,
    lines: 2,
    totalLines: 4,
    nextFrom: 4,
  });
  assert.deepEqual(slice(text, { from: 4 }), { text: "4", from: 4, lines: 1, totalLines: 4 });
});

test("a range past the end is empty and has no continuation", () => {
  assert.deepEqual(slice("a\nb\n", { from: 3 }), { text: "", from: 3, lines: 0, totalLines: 2 });
  assert.deepEqual(slice("", { from: 1 }), { text: "", from: 1, lines: 0, totalLines: 0 });
});

test("invalid numbers are clamped to the nearest valid ones", () => {
  const text = "1\n2\n3\n";
  for (const from of [0, -5, Number.NaN, undefined, 1.9, -Infinity])
    assert.equal(slice(text, { from }).from, 1);
  assert.equal(slice(text, { from: Infinity }).from, Number.MAX_SAFE_INTEGER);
  assert.equal(slice(text, { from: 1e300 }).lines, 0);
  for (const lines of [0, -5, 1.5, -Infinity]) assert.equal(slice(text, { lines }).lines, 1);
  for (const lines of [Number.NaN, undefined, 1e300, Infinity]) assert.equal(slice(text, { lines }).lines, 3);
});

test("the defaults are 120 lines and 12,000 characters", () => {
  const many = slice("x\n".repeat(500));
  assert.deepEqual([many.lines, many.nextFrom, many.totalLines], [120, 121, 500]);
  const wide = slice(`${"y".repeat(999)}\n`.repeat(100));
  assert.deepEqual([wide.lines, wide.text.length, wide.nextFrom], [12, 11_999, 13]);
});

test("a line over the limit is cut at a code point, counted as read, and the rest is reported", () => {
  assert.deepEqual(slice("😀😀\nb\n", { maxChars: 3 }), {
    text: "😀",
    from: 1,
    lines: 1,
    totalLines: 2,
    nextFrom: 2,
    omittedChars: 2,
  });
  assert.deepEqual(slice("a\nbbbbb\nc", { maxChars: 3 }), {
    text: "a",
    from: 1,
    lines: 1,
    totalLines: 3,
    nextFrom: 2,
  });
  const cut = slice(`${"z".repeat(50_000)}`);
  assert.deepEqual([cut.text.length, cut.omittedChars, cut.nextFrom], [12_000, 38_000, undefined]);
});

test("only the byte-order mark at the very start of a note is dropped", () => {
  assert.equal(slice("\ufeffa\n\ufeffb").text, "a\n\ufeffb");
});

test("following nextFrom reads every line once, as a plain split would", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "ü", "😀", " ", "\r", "\u2028", "#"), maxLength: 12 });
  const document = fc.tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom("\n", "\r\n"), fc.boolean());
  const request = { lines: fc.integer({ min: 1, max: 5 }), maxChars: fc.integer({ min: 1, max: 30 }) };
  fc.assert(
    fc.property(document, fc.record(request), ([lines, end, isEnded], { lines: count, maxChars }) => {
      const text = lines.join(end) + (isEnded && lines.length > 0 ? end : "");
      const expected = text.split(/\r?\n/);
      if (expected.at(-1) === "") expected.pop();
      const seen: string[] = [];
      for (let from: number | undefined = 1; from !== undefined; ) {
        const result = slice(text, { from, lines: count, maxChars });
        assert.equal(result.totalLines, expected.length);
        assert.ok(result.text.length <= maxChars && result.lines <= count && result.text.isWellFormed());
        const given = result.lines === 0 ? [] : result.text.split("\n");
        assert.equal(given.length, result.lines);
        if (result.omittedChars !== undefined) given[0] = expected[seen.length]!;
        seen.push(...given);
        from = result.nextFrom;
      }
      assert.deepEqual(seen, expected);
    }),
    { seed: 20260301, numRuns: 1000 },
  );
});

test("a note of sixteen million lines, or of one line of 16 MiB, gives its range", () => {
  const short = sliceLines(Buffer.alloc(16 * 1024 * 1024, "\n"), { from: 16_000_000, lines: 2 });
  assert.deepEqual([short.text, short.lines, short.totalLines], ["\n", 2, 16 * 1024 * 1024]);
  const long = sliceLines(Buffer.alloc(16 * 1024 * 1024, "a"), {});
  assert.deepEqual([long.text.length, long.lines, long.omittedChars], [12_000, 1, 16 * 1024 * 1024 - 12_000]);
});
