import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findEntries } from "./entries.ts";

const note = `# Title

First paragraph
goes on here.

- one
- two
  of two
  - inner
    of inner

  second paragraph of two
- three
goes on lazily

\`\`\`js
code

# no heading
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

<!-- from: tool 10:00 -->
Written by a tool
on two lines.
last`;

function entryOf(piece: string, text = note): string {
  const line = text.split("\n").findIndex((each) => each.includes(piece)) + 1;
  assert.ok(line > 0, piece);
  const [found, ...more] = findEntries(text, [line]);
  assert.deepEqual(more, []);
  return text
    .split("\n")
    .slice(found!.start - 1, found!.end)
    .join("|");
}

test("a line is extended to its whole entry", () => {
  assert.equal(entryOf("# Title"), "# Title");
  assert.equal(entryOf("goes on here"), "First paragraph|goes on here.");
  assert.equal(entryOf("- one"), "- one");
  const two = "- two|  of two|  - inner|    of inner||  second paragraph of two";
  assert.equal(entryOf("- two"), two);
  assert.equal(entryOf("of two"), two);
  assert.equal(entryOf("second paragraph"), two);
  assert.equal(entryOf("- inner"), "  - inner|    of inner");
  assert.equal(entryOf("of inner"), "  - inner|    of inner");
  assert.equal(entryOf("lazily"), "- three|goes on lazily");
  assert.equal(entryOf("# no heading"), "```js|code||# no heading|```");
  assert.equal(entryOf("| 1 | 2 |"), "| 1 | 2 |");
  assert.equal(entryOf("on two lines"), "<!-- from: tool 10:00 -->|Written by a tool|on two lines.|last");
});

test("front matter is one entry, and a fence in an item belongs to the item", () => {
  assert.equal(entryOf("tags", "---\ntitle: x\ntags: y\n---\n- a\n"), "---|title: x|tags: y|---");
  assert.equal(entryOf("code", "- a\n  ```\n  code\n  ```\n- b\n"), "- a|  ```|  code|  ```");
  assert.equal(entryOf("text", "- a\n\ntext\n"), "text");
  assert.equal(entryOf("- b", "- a\r\n- b\r\n"), "- b\r");
});

test("a heading is an entry, and so is text that only looks like one", () => {
  assert.equal(entryOf("# Head", "# Head\ntext\n"), "# Head");
  assert.equal(entryOf("text", "# Head\ntext\n"), "text");
  assert.equal(entryOf("more", "text\n    # more\n"), "text|    # more");
});

test("adjacent entries form one range, and blank lines form none", () => {
  assert.deepEqual(findEntries("- a\n- b\n\n- c\n", [1, 2, 3, 4, 99]), [
    { start: 1, end: 1 },
    { start: 2, end: 2 },
    { start: 4, end: 4 },
  ]);
  assert.deepEqual(findEntries("- a\n  - b\n", [2, 1]), [{ start: 1, end: 2 }]);
});

test("any line of any text is in its entry, and all lines of an entry give the same entry", () => {
  const line = fc.constantFrom(
    "",
    "text",
    "  text",
    "- item",
    "  - inner",
    "# head",
    "```",
    "| row |",
    "---",
    "a: b",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const text = lines.join("\n");
      for (const [index, each] of lines.entries()) {
        const found = findEntries(text, [index + 1]);
        if (found.length === 0) {
          assert.equal(each.trim(), "");
          continue;
        }
        const [{ start, end }] = found as [{ start: number; end: number }];
        assert.ok(start <= index + 1 && index + 1 <= end);
        for (let inner = start; inner <= end; inner++) {
          const own = findEntries(text, [inner])[0];
          if (own !== undefined) assert.ok(own.end <= end && own.start >= start, text);
        }
      }
    }),
    { seed: 20260301, numRuns: 2000 },
  );
});
