import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createChunker } from "./chunk.ts";
import { countUnits } from "./chunk-units.ts";
import type { Chunk } from "./document.ts";
import { sha256 } from "./hash.ts";

const sizeOf = (text: string): number => countUnits(text, 0, text.length);

/** The file's lines as the contract counts them. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "" && text !== "") lines.pop();
  return text === "" ? [] : lines;
}

const isBlank = (line: string): boolean => line.trim() === "";

/** The heading path of every line, and where headings begin: a slow, obvious reference with regular expressions. */
function readHeadings(lines: readonly string[]): { path: string[]; isHeading: boolean }[] {
  const open: { level: number; text: string }[] = [];
  let fence: string | undefined;
  let inList = false;
  let mayOpenParagraph = true;
  const found: { path: string[]; isHeading: boolean }[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const wasOpening = mayOpenParagraph;
    mayOpenParagraph = isBlank(line);
    const isItem = /^\s*([-+*]|\d{1,9}[.)])(\s|$)/.test(line);
    const atx = /^ {0,3}(#{1,6})(\s.*|)$/.exec(line);
    const opening = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    const underline = /^ {0,3}([=-])\1*\s*$/.exec(lines[index + 1] ?? "")?.[1];
    let heading: { level: number; text: string } | undefined;
    if (fence !== undefined) {
      if (/^\s*(`+|~+)\s*$/.exec(line)?.[1]?.startsWith(fence)) fence = undefined;
    } else if (atx) {
      heading = { level: atx[1]!.length, text: atx[2]!.replace(/\s#+\s*$/, "").trim() };
    } else if (!isBlank(line)) {
      if (isItem) inList = true;
      else if (isBlank(lines[index - 1] ?? "") && /^\S/.test(line)) inList = false;
      const isText = /^ {0,3}[^\s>|<]/.test(line) && !/^\s*([-*_])(\s|\1)*$/.test(line) && !inList;
      if (opening && (inList || /^ {0,3}\S/.test(line))) fence = opening;
      else if (wasOpening && isText && underline && line.trim().length <= 200) {
        heading = { level: underline === "=" ? 1 : 2, text: line.trim() };
      }
    }
    if (heading) {
      while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
      open.push(heading);
      inList = false;
      mayOpenParagraph = true;
    }
    const path = open.map(({ text }) => text).filter((text) => text !== "");
    found.push({ path, isHeading: heading !== undefined });
    // The underline is part of its heading.
    if (heading && !atx) index = found.push({ path, isHeading: false }) - 1;
  }
  return found;
}

const word = fc.constantFrom(
  "note",
  "ship",
  "Friday",
  "deploy",
  "我们发布",
  "かな",
  "한국어",
  "ไทย",
  "😀",
  "é",
  "👩‍👩‍👧",
);
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const line = fc.oneof(
  { weight: 6, arbitrary: sentence },
  { weight: 3, arbitrary: fc.constantFrom("", "", " ", "\t", "\u00a0") },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 7 }), word).map(([n, t]) => `${"#".repeat(n)} ${t}`),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom("- ", "  - ", "1. ", "* "), sentence).map((p) => p.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("```", "```js", "~~~", "````", "  ```", "    ```") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("---", "===", "***", "#", "## x ##", "#tag", "    # code", "\t# code"),
  },
  { weight: 1, arbitrary: fc.constantFrom("| a | b |", "> # quote", "<b>", "lone\rreturn", "ends\r") },
  {
    weight: 1,
    arbitrary: fc.array(word, { minLength: 20, maxLength: 90, size: "max" }).map((words) => words.join(" ")),
  },
  {
    weight: 1,
    arbitrary: fc.array(word, { minLength: 20, maxLength: 90, size: "max" }).map((words) => words.join("")),
  },
);
const note = fc
  .tuple(fc.array(line, { maxLength: 60, size: "max" }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, newline, ends]) => lines.join(newline) + (ends ? newline : ""));
const size = fc.record({
  tokens: fc.integer({ min: 8, max: 120 }),
  overlap: fc.integer({ min: 0, max: 40 }),
});

const options = { seed: 20260101, numRuns: 600 };

suite("chunks of any text", () => {
  function forAll(
    check: (text: string, chunks: Chunk[], given: { tokens: number; overlap: number }) => void,
  ): void {
    fc.assert(
      fc.property(note, size, (text, given) => check(text, createChunker(given).chunk(text), given)),
      options,
    );
  }

  test("cover every line that is not blank, in order", () => {
    forAll((text, chunks) => {
      const lines = linesOf(text);
      const covered = new Set<number>();
      let start = 0;
      for (const chunk of chunks) {
        assert.ok(chunk.lines.start >= start && chunk.lines.end >= chunk.lines.start);
        start = chunk.lines.start;
        for (let at = chunk.lines.start; at <= chunk.lines.end; at++) covered.add(at);
      }
      assert.ok(start <= lines.length);
      for (const [index, each] of lines.entries()) assert.ok(isBlank(each) || covered.has(index + 1));
    });
  });

  test("contain exactly the lines they name, or a piece of one line", () => {
    forAll((text, chunks, { tokens }) => {
      const lines = linesOf(text);
      const pieces = new Map<number, string>();
      for (const { lines: range, text: content } of chunks) {
        const whole = lines.slice(range.start - 1, range.end).join("\n");
        if (sizeOf(whole) <= tokens * 4) {
          assert.equal(content, whole);
        } else {
          assert.equal(range.start, range.end);
          pieces.set(range.start, (pieces.get(range.start) ?? "") + content);
        }
      }
      for (const [at, joined] of pieces) assert.equal(joined, lines[at - 1]);
    });
  });

  test("are never over the limit and never blank", () => {
    forAll((_text, chunks, { tokens }) => {
      for (const chunk of chunks) {
        assert.ok(sizeOf(chunk.text) <= tokens * 4);
        assert.ok(!isBlank(chunk.text));
        assert.equal(chunk.hash, sha256(chunk.text));
      }
    });
  });

  test("repeat at most the overlap, always add new text, and repeat no part of another section", () => {
    forAll((text, chunks, { overlap }) => {
      const lines = linesOf(text);
      for (const [index, chunk] of chunks.entries()) {
        const before = chunks[index - 1];
        if (!before || before.lines.end < chunk.lines.start) continue;
        if (before.lines.start === chunk.lines.start) {
          assert.equal(chunk.lines.start, chunk.lines.end);
          continue;
        }
        assert.ok(chunk.lines.end > before.lines.end && chunk.lines.start > before.lines.start);
        const repeated = lines.slice(chunk.lines.start - 1, before.lines.end);
        assert.ok(sizeOf(repeated.join("\n")) <= overlap * 4);
        const headings = readHeadings(lines);
        const next = lines.findIndex((each, at) => at >= before.lines.end && !isBlank(each));
        const crosses = headings.slice(chunk.lines.start, next + 1).some(({ isHeading }) => isHeading);
        assert.ok(!crosses || headings[chunk.lines.start - 1]!.isHeading);
      }
    });
  });

  test("have the headings above and at their first line", () => {
    forAll((text, chunks) => {
      const headings = readHeadings(linesOf(text));
      for (const chunk of chunks) assert.deepEqual(chunk.headings, headings[chunk.lines.start - 1]?.path);
    });
  });

  test("are deterministic", () => {
    forAll((text, chunks, given) => assert.deepEqual(createChunker(given).chunk(text), chunks));
  });

  test("never split a character", () => {
    forAll((_text, chunks, { tokens }) => {
      for (const chunk of chunks) {
        assert.ok(chunk.text.isWellFormed());
        // The family emoji alone is 7 tokens, so a smaller chunk may split it.
        if (tokens < 40) continue;
        assert.doesNotMatch(chunk.text, /\u200d$|^\u200d/);
      }
    });
  });
});

const chunker = createChunker({ tokens: 400, overlap: 80 });
const textLine = (index: number): string => `Line ${index} says something of ordinary length about the work.`;
const textLines = (count: number): string[] => Array.from({ length: count }, (_, index) => textLine(index));
const ranges = (chunks: readonly Chunk[]): number[][] => chunks.map(({ lines }) => [lines.start, lines.end]);

suite("createChunker", () => {
  test("names the algorithm and its numbers in the id", () => {
    assert.notEqual(
      createChunker({ tokens: 400, overlap: 80 }).id,
      createChunker({ tokens: 400, overlap: 40 }).id,
    );
    assert.notEqual(
      createChunker({ tokens: 400, overlap: 80 }).id,
      createChunker({ tokens: 200, overlap: 80 }).id,
    );
  });

  test("gives no chunks for an empty or blank text", () => {
    for (const text of ["", "\n", " \r\n\t\r\n", "\u00a0\n\ufeff"]) assert.deepEqual(chunker.chunk(text), []);
  });

  test("leaves a short note in one chunk, without the blank lines around it", () => {
    const [chunk, ...others] = chunker.chunk("\n\n# Title\n\nText.\n\n");
    assert.deepEqual(others, []);
    assert.deepEqual(chunk?.lines, { start: 3, end: 5 });
    assert.equal(chunk?.text, "# Title\n\nText.");
  });

  test("puts about 1,600 characters of ordinary text into a chunk, with an overlap of up to 320", () => {
    const chunks = chunker.chunk(textLines(200).join("\n"));
    for (const [index, chunk] of chunks.entries()) {
      if (index === chunks.length - 1) continue;
      assert.ok(chunk.text.length > 1500 && chunk.text.length <= 1600);
      const next = chunks[index + 1]!;
      const repeated = textLines(200)
        .slice(next.lines.start - 1, chunk.lines.end)
        .join("\n");
      assert.ok(repeated.length > 240 && repeated.length <= 320);
    }
  });

  test("counts a Chinese character as one token", () => {
    const chunks = chunker.chunk("我们在星期五发布。".repeat(200));
    for (const chunk of chunks) assert.ok(chunk.text.length <= 400 && chunk.text.length >= 300);
  });

  test("ends a line at \\n and \\r\\n but not at a lone \\r", () => {
    assert.equal(chunker.chunk("one\r\ntwo\rstill two\nthree")[0]?.text, "one\ntwo\rstill two\nthree");
    assert.deepEqual(ranges(chunker.chunk("one\r\ntwo\rstill two\nthree")), [[1, 3]]);
  });

  test("begins a chunk at the highest heading in range and repeats nothing from another section", () => {
    const lines = [
      ...textLines(15),
      "## Two",
      ...textLines(3),
      "# One",
      ...textLines(2),
      "### Three",
      ...textLines(20),
    ];
    const chunks = chunker.chunk(lines.join("\n"));
    assert.deepEqual(ranges(chunks).slice(0, 2), [
      [1, 19],
      [20, 43],
    ]);
    assert.deepEqual(chunks[1]?.headings, ["One"]);
  });

  test("repeats a short section before the next, but not the end of a long one", () => {
    const lines = [...textLines(20), "## Question", textLine(1), "## Answer", ...textLines(20)];
    assert.deepEqual(ranges(chunker.chunk(lines.join("\n"))), [
      [1, 22],
      [21, 43],
    ]);
    const long = ["## Question", ...textLines(20), "## Answer", ...textLines(20)];
    assert.deepEqual(ranges(chunker.chunk(long.join("\n"))), [
      [1, 21],
      [22, 42],
    ]);
  });

  test("prefers a paragraph to a list item and a list item to any line", () => {
    const list = [...textLines(18), `- ${textLine(1)}`, ...textLines(30)];
    assert.equal(chunker.chunk(list.join("\n"))[0]?.lines.end, 18);
    const paragraph = [...textLines(16), "", ...textLines(2), `- ${textLine(1)}`, ...textLines(30)];
    assert.equal(chunker.chunk(paragraph.join("\n"))[0]?.lines.end, 16);
  });

  test("fills chunks with short sections", () => {
    const sections = Array.from({ length: 30 }, (_, index) => `## Topic ${index}\n\n${textLine(index)}\n`);
    const chunks = chunker.chunk(sections.join("\n"));
    assert.ok(chunks.length <= 4, `${chunks.length} chunks`);
    for (const chunk of chunks) assert.match(chunk.text, /^## Topic/);
  });

  test("leaves no heading alone at the end of a chunk", () => {
    const lines = [...textLines(24), "## Last", "", ...textLines(20)];
    const chunks = chunker.chunk(lines.join("\n"));
    assert.deepEqual(ranges(chunks)[0], [1, 24]);
    assert.equal(chunks[1]?.lines.start, 25);
  });

  for (const [name, open, inner, close] of [
    ["fenced code", "```js", "const value = compute(the, next, one);", "```"],
    [
      "a table",
      "| name | value | note | more |",
      "| a name | its value | a note | and more |",
      "| - | - | - | - |",
    ],
  ] as const) {
    test(`does not split ${name} that fits into a chunk`, () => {
      for (let before = 1; before < 40; before++) {
        const block = [open, ...Array.from({ length: 30 }, () => inner), close];
        const lines = [...textLines(before), "", ...block, "", ...textLines(30)];
        const first = before + 2;
        const last = first + block.length - 1;
        const holders = chunker
          .chunk(lines.join("\n"))
          .filter(({ lines: range }) => range.start <= last && range.end >= first);
        assert.equal(holders.length, 1, `${before} lines before`);
        assert.ok(holders[0]!.lines.start <= first && holders[0]!.lines.end >= last);
      }
    });
  }

  test("splits fenced code that does not fit, and reads no heading in it", () => {
    const lines = [
      "# Real",
      "```sh",
      ...Array.from({ length: 100 }, () => "# a comment in a script, not a heading"),
      "```",
    ];
    const chunks = chunker.chunk(lines.join("\n"));
    assert.ok(chunks.length >= 3);
    for (const chunk of chunks) assert.deepEqual(chunk.headings, ["Real"]);
  });

  test("reads no heading in front matter and keeps its lines", () => {
    const text = "---\ntitle: A note\n# a comment\n---\n\n# Head\n\nText.";
    const [chunk] = chunker.chunk(text);
    assert.equal(chunk?.text, text);
    assert.deepEqual(chunk?.headings, []);
  });

  test("splits a long line at sentences into pieces of equal size with the same line number", () => {
    const sentences = "This is one sentence of the long line. ".repeat(60);
    const pieces = chunker.chunk(`# Head\n${sentences}\nAfter.`).filter(({ lines }) => lines.start === 2);
    assert.equal(pieces.map((piece) => piece.text).join(""), sentences);
    assert.equal(pieces.length, 2);
    for (const piece of pieces) {
      assert.match(piece.text, /^This.*\. $/);
      assert.deepEqual(piece.lines, { start: 2, end: 2 });
      assert.deepEqual(piece.headings, ["Head"]);
    }
  });

  test("splits a long line after a question or an exclamation, too", () => {
    for (const end of ["?", "!", "."]) {
      const sentence = `Did the pump in the cellar run when the water came${end} `;
      const pieces = createChunker({ tokens: 40, overlap: 0 }).chunk(`${sentence.repeat(12).trim()}\n`);
      assert.ok(pieces.length > 1);
      for (const { text } of pieces) assert.ok(text.trimEnd().endsWith(`came${end}`), text);
    }
  });

  test("drops white space that would be a separate chunk", () => {
    const chunks = chunker.chunk(`a${" ".repeat(20_000)}b`);
    assert.deepEqual(
      chunks.map((chunk) => chunk.text.trim()),
      ["a", "b"],
    );
  });

  test("splits megabytes of anything", () => {
    const size = 2 << 20;
    for (const unit of [
      "a",
      "\n",
      "a\n",
      "# a\n",
      "```\n",
      "`",
      "- ",
      "😀",
      "\u0301",
      "| a |\n",
      "---\n",
      "a: b\n",
    ]) {
      const text = unit.repeat(size / unit.length);
      for (const chunk of chunker.chunk(text)) assert.ok(chunk.text.length <= 1600);
    }
  });
});
