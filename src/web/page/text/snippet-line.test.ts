import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  condense,
  excerptAround,
  findCodeLines,
  isOrnament,
  type Mark,
  parseSnippetLine,
} from "./snippet-line.ts";

test("A line is parsed into its kind and its text without syntax", () => {
  const looks = [
    "## A head",
    "- item",
    "- [ ] open",
    "2. [x] done",
    "> quoted",
    "> [!tip] A title",
    "plain",
  ].map((line) => parseSnippetLine(line, []));
  assert.deepEqual(
    looks.map(({ kind, text }) => [kind, text]),
    [
      ["heading", "A head"],
      ["item", "item"],
      ["task", "open"],
      ["done", "done"],
      ["quote", "quoted"],
      ["quote", "A title"],
      ["text", "plain"],
    ],
  );
  assert.equal(parseSnippetLine("| Wen | nights |", []).text.trim(), "Wen · nights");
});

test("Marks stay on the same letters", () => {
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  const lead = fc.constantFrom("", "# ", "- ", "> ", "- [x] ", "| ", "  - [ ] ");
  fc.assert(
    fc.property(lead, word, word, (signs, before, marked) => {
      const line = `${signs}${before} ${marked}`;
      const start = signs.length + before.length + 1;
      const { text, marks } = parseSnippetLine(line, [[start, start + marked.length]]);
      const [[from, to] = [0, 0]] = marks;
      assert.equal(text.slice(from, to), marked);
    }),
    { seed: 3, numRuns: 200 },
  );
});

test("Fences, rules, conflict markers and the delimiter row of a table have no content", () => {
  const markers = ["<<<<<<< mine", "||||||| base", "=======", ">>>>>>> theirs"];
  for (const line of ["```ts", "~~~", "---", "* * *", "|---|--:|", "--- | ---", ...markers])
    assert.ok(isOrnament(line), line);
  for (const line of ["- item", "a | b", "-- x", "text", ">>> quoted", "| a | b |"])
    assert.ok(!isOrnament(line), line);
});

test("The lines with marked words are kept with their neighbours, in their order", () => {
  const snippet = "one\ntwo\nthree ship\nfour\nfive\nsix Friday ship\nseven";
  const marks = [...snippet.matchAll(/ship|Friday/g)].map(
    ({ 0: word, index }): Mark => [index, index + word.length],
  );
  assert.deepEqual(
    condense(snippet, marks, { maxLines: 3 }).map(
      ({ text, followsGap }) => `${followsGap ? "… " : ""}${text}`,
    ),
    ["… three ship", "… five", "six Friday ship"],
  );
});

test("A short snippet stays whole, without its blank lines", () => {
  assert.deepEqual(condense("a\n\nb", [[0, 1]], { maxLines: 5 }), [
    { index: 0, text: "a", marks: [[0, 1]], followsGap: false },
    { index: 2, text: "b", marks: [], followsGap: false },
  ]);
});

test("Marks stay on the letters that they were on", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 30 }),
      fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (snippet, pairs, maxLines) => {
        const marks = pairs.map(([a, b]): Mark => [Math.min(a, b), Math.max(a, b)]);
        const lines = condense(snippet, marks, { maxLines });
        assert.ok(lines.length <= maxLines);
        for (const { text, marks: own } of lines) {
          assert.ok(snippet.split("\n").includes(text));
          assert.ok(own.every(([from, to]) => 0 <= from && from <= to && to <= text.length));
        }
      },
    ),
    { seed: 8, numRuns: 300 },
  );
});

test("Lines around one keep their numbers", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const excerpt = excerptAround(lines, 10, 2).split("\n");
  assert.equal(excerpt[9], "line 10");
  assert.deepEqual(
    excerpt.filter((line) => line !== ""),
    ["line 8", "line 9", "line 10", "line 11", "line 12"],
  );
  assert.equal(excerptAround(lines, 1, 50), lines.join("\n"));
});

test("Lines in fences are code, even if the snippet begins inside one", () => {
  const find = (...lines: string[]) => [...findCodeLines(lines.join("\n"))];
  assert.deepEqual(find("text", "```sh", "ls", "```", "text"), [2]);
  assert.deepEqual(find("text", "~~~", "ls", "pwd"), [2, 3]);
  assert.deepEqual(find("ls", "```", "text", "```ts", "let a;"), [0, 4]);
  assert.deepEqual(find("text", "more"), []);
});
