import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isOrnament, lookAtLine } from "./snippet-line.ts";

test("A line is shown by what it is, without its signs", () => {
  const looks = [
    "## A head",
    "- item",
    "- [ ] open",
    "2. [x] done",
    "> quoted",
    "> [!tip] A title",
    "plain",
  ].map((line) => lookAtLine(line, []));
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
  assert.equal(lookAtLine("| Wen | nights |", []).text.trim(), "Wen · nights");
});

test("Marks stay on the same letters", () => {
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  const lead = fc.constantFrom("", "# ", "- ", "> ", "- [x] ", "| ", "  - [ ] ");
  fc.assert(
    fc.property(lead, word, word, (signs, before, marked) => {
      const line = `${signs}${before} ${marked}`;
      const start = signs.length + before.length + 1;
      const { text, marks } = lookAtLine(line, [[start, start + marked.length]]);
      const [[from, to] = [0, 0]] = marks;
      assert.equal(text.slice(from, to), marked);
    }),
    { seed: 3, numRuns: 200 },
  );
});

test("Fences, rules and the second line of a table say nothing", () => {
  for (const line of ["```ts", "~~~", "---", "* * *", "|---|--:|", "--- | ---"])
    assert.ok(isOrnament(line), line);
  for (const line of ["- item", "a | b", "-- x", "text"]) assert.ok(!isOrnament(line), line);
});
