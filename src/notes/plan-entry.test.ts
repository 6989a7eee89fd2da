import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanEntry } from "./entry-text.ts";
import { type EntryRequest, findEntry, planEntry } from "./plan-entry.ts";

function append(existing: string, text: string, request: Partial<EntryRequest> = {}): string {
  const plan = planEntry(existing, { path: "memory/topic.md", text, ...request });
  assert.equal(plan.kind, "append");
  return plan.kind === "append" ? existing + plan.addition : "";
}

test("plain lines become a list below the title of the day", () => {
  const path = "memory/2026-03-01.md";
  const first = append("", "One.", { path });
  assert.equal(first, "# 2026-03-01\n\n- One.\n");
  assert.equal(append(first, "Two.", { path }), "# 2026-03-01\n\n- One.\n- Two.\n");
});

test("a new long-term note is titled, a new topic is not", () => {
  assert.equal(append("", "One.", { path: "MEMORY.md" }), "# Memory\n\n- One.\n");
  assert.equal(append("", "One.", { path: "memory/team.md" }), "- One.\n");
  assert.equal(append("", "One.", { path: "memory/2026-03-01-plan.md" }), "- One.\n");
  assert.equal(append(" \n\n", "One.", { path: "MEMORY.md" }), " \n\n# Memory\n\n- One.\n");
});

test("Markdown and text of several lines stay as they are, with a blank line around them", () => {
  const texts = ["# Title", "```js\ncode\n```", "> quote", "| a | b |", "<div>", "---", "two\nlines"];
  for (const text of texts) {
    const once = append("- item\n", text);
    assert.equal(once, `- item\n\n${text}\n`);
    assert.equal(append(once, "next"), `- item\n\n${text}\n\n- next\n`);
  }
  assert.equal(append("- item\n", "- own item"), "- item\n- own item\n");
  assert.equal(append("- item\n", "1. first\n2. second"), "- item\n1. first\n2. second\n");
  assert.equal(append("", "#tag is not a heading"), "- #tag is not a heading\n");
});

test("an entry begins on a line of its own and never adds a second blank line", () => {
  assert.equal(append("text", "a"), "text\n\n- a\n");
  assert.equal(append("text\n", "a"), "text\n\n- a\n");
  assert.equal(append("text\n\n", "a"), "text\n\n- a\n");
  assert.equal(append("- item", "a"), "- item\n- a\n");
  assert.equal(append("- item\n  more of it\n", "a"), "- item\n  more of it\n- a\n");
});

test("a note with Windows line ends keeps them", () => {
  assert.equal(append("# A\r\n\r\n- x\r\n", "a"), "# A\r\n\r\n- x\r\n- a\r\n");
  assert.equal(append("# A\r\nx", "a\nb"), "# A\r\nx\r\n\r\na\r\nb\r\n");
});

test("an entry for the last section goes to its end; for another one the heading is repeated", () => {
  const heading = { text: "Decisions" };
  assert.equal(append("", "a", { heading }), "## Decisions\n\n- a\n");
  assert.equal(append("# T\n\n## Decisions\n\n- x\n", "a", { heading }), "# T\n\n## Decisions\n\n- x\n- a\n");
  assert.equal(append("## decisions ##\n", "a", { heading }), "## decisions ##\n\n- a\n");
  const old = "### Decisions\n\n- x\n\n### Other\n\n- y\n";
  assert.equal(append(old, "a", { heading }), `${old}\n### Decisions\n\n- a\n`);
  assert.equal(append(old, "a", { heading: { level: 1, text: "Other" } }), `${old}\n# Other\n\n- a\n`);
  const fenced = "## Decisions\n\n```\n## Not a heading\n```\n";
  assert.equal(append(fenced, "a", { heading }), `${fenced}\n- a\n`);
  const path = "memory/2026-03-01.md";
  assert.equal(append("", "a", { heading, path }), "# 2026-03-01\n\n## Decisions\n\n- a\n");
});

test("the origin of an entry is beside a list item and above a block", () => {
  assert.equal(append("", "a", { origin: "cli 14:05" }), "- a <!-- from: cli 14:05 -->\n");
  assert.equal(append("", "```\nb\n```", { origin: "web 9" }), "<!-- from: web 9 -->\n```\nb\n```\n");
  assert.equal(
    append("", "- a\n  more\n- b <!-- from: x -->", { origin: "web 9" }),
    "- a <!-- from: web 9 -->\n  more\n- b <!-- from: x -->\n",
  );
  // After the code of an item, a comment would be far from the item's text.
  const withCode = "- a\n  ```\n  b\n  ```\n- c";
  assert.equal(append("", withCode, { origin: "web 9" }), `<!-- from: web 9 -->\n${withCode}\n`);
});

test("an unclosed code fence is closed before the entry, which it would swallow", () => {
  assert.equal(append("# T\n\n```js\ncode\n", "a"), "# T\n\n```js\ncode\n```\n\n- a\n");
  assert.equal(append("~~~~\ncode", "a"), "~~~~\ncode\n~~~~\n\n- a\n");
  assert.equal(append("```\r\ncode\r\n", "a"), "```\r\ncode\r\n```\r\n\r\n- a\r\n");
  const heading = { text: "Decisions" };
  assert.equal(append("```\n# no\n", "a", { heading }), "```\n# no\n```\n\n## Decisions\n\n- a\n");
  assert.equal(append("```\ncode\n```\n", "a"), "```\ncode\n```\n\n- a\n");
});

test("the same text is found again whatever its spacing, bullet, width or origin", () => {
  const note = "# T\r\n\r\n* We  ship on Ｆridays. <!-- from: cli 10:00 -->\r\n- two\n\n  lines\n- last";
  const find = (text: string) => {
    const plan = planEntry(note, { path: "memory/x.md", text });
    return plan.kind === "duplicate" ? [plan.lines.start, plan.lines.end] : null;
  };
  assert.deepEqual(find("We ship on Fridays."), [3, 3]);
  assert.deepEqual(find("- We ship  on Fridays."), [3, 3]);
  assert.deepEqual(find("two\nlines"), [4, 6]);
  assert.deepEqual(find("last"), [7, 7]);
  for (const other of ["we ship on fridays.", "We ship", "lines\ntwo", "T", "two\nlines\nlast\nmore"]) {
    assert.equal(find(other), null, other);
  }
});

test("numbered entries with different numbers are different facts", () => {
  assert.equal(planEntry("1. place: Ann\n", { path: "a.md", text: "2. place: Ann" }).kind, "append");
});

test("the same text under another heading is another entry", () => {
  const note = "## A\n\n- done\n\n### Sub\n\n- deep\n\n## B\n\n- open\n";
  const kind = (text: string, heading: string) =>
    planEntry(note, { path: "a.md", text, heading: { text: heading } }).kind;
  assert.equal(kind("done", "A"), "duplicate");
  assert.equal(kind("deep", "a"), "duplicate");
  assert.equal(kind("done", "B"), "append");
  assert.equal(kind("done", "C"), "append");
});

test("a planned entry is found again at exactly the planned lines", () => {
  const line = fc.constantFrom(
    "text",
    "- item",
    "  deep",
    "",
    "# Head",
    "## Two",
    "```",
    "1. one",
    "> q",
    "ümlaut 😀",
  );
  const note = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
    .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));
  const entry = fc.array(fc.oneof(line, fc.constantFrom("new", "- new", "# new")), {
    minLength: 1,
    maxLength: 4,
  });
  const heading = fc.option(fc.constantFrom({ text: "Head" }, { level: 2, text: "Two" }, { text: "Else" }), {
    nil: undefined,
  });
  const origin = fc.option(fc.constant("test 10:00"), { nil: undefined });
  fc.assert(
    fc.property(note, entry, heading, origin, (existing, lines, head, from) => {
      const joined = lines.join("\n");
      if (joined.trim() === "") return;
      const request = { path: "memory/2026-03-01.md", text: cleanEntry(joined), heading: head, origin: from };
      const plan = planEntry(existing, request);
      if (plan.kind === "duplicate") return;
      const after = existing + plan.addition;
      assert.ok(after.endsWith("\n"));
      const before = existing.split("\n").length - 1;
      const added = after.split(/\r?\n/).slice(before + plan.offset, before + plan.offset + plan.count);
      const text = added
        .join("\n")
        .replaceAll(" <!-- from: test 10:00 -->", "")
        .replace("<!-- from: test 10:00 -->\n", "");
      assert.ok(
        text === request.text || text === `- ${request.text}`,
        JSON.stringify([existing, request.text, text]),
      );
      const again = planEntry(after, request);
      // An unclosed fence in the note hides every later heading, so its sections are unknown.
      if (head === undefined) assert.equal(again.kind, "duplicate");
    }),
    { seed: 20260301, numRuns: 3000 },
  );
});

test("with onlyNewItems each item is an entry: existing items are left out, and so are repeated ones", () => {
  const existing = "# 2026-03-02\n\n- We ship on Fridays. <!-- from: cli 14:05 -->\n";
  const request = { path: "memory/2026-03-02.md", onlyNewItems: true };
  const text = "- We ship on Fridays.\n- New one.\n  with more\n- New one.\n  with more\n* New one.";
  const plan = planEntry(existing, { ...request, text });
  assert.deepEqual(plan, {
    kind: "append",
    addition: "- New one.\n  with more\n",
    offset: 0,
    count: 2,
  });
  const known = planEntry(existing, { ...request, text: "- We ship on Fridays.\n- We ship on  Fridays." });
  assert.deepEqual(known, { kind: "duplicate", lines: { start: 3, end: 3 } });
});

test("the first occurrence of an entry is found, as a plain comparison would", () => {
  const line = fc.constantFrom("a", "- a", "b", " b  ", "", "  ", "a <!-- from: x 10:00 -->");
  const plain = (each: string) => each.replace("<!-- from: x 10:00 -->", "").trim().replace(/^- /, "");
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(line, { minLength: 1, maxLength: 4 }),
      (lines, entry) => {
        const wanted = entry.map(plain).filter((each) => each !== "");
        const present = lines
          .map((each, index) => ({ text: plain(each), number: index + 1 }))
          .filter(({ text }) => text !== "");
        const first = present.findIndex((_, at) =>
          wanted.every((text, offset) => present[at + offset]?.text === text),
        );
        const expected =
          wanted.length === 0 || first === -1
            ? null
            : { start: present[first]!.number, end: present[first + wanted.length - 1]!.number };
        assert.deepEqual(findEntry(lines, entry.join("\n"), [{ start: 1, end: lines.length }]), expected);
      },
    ),
    { seed: 20260301, numRuns: 3000 },
  );
});

test("only the given lines are searched", () => {
  const lines = ["x", "y", "x"];
  assert.equal(findEntry(lines, "x", []), null);
  assert.equal(findEntry(lines, "x", [{ start: 2, end: 2 }]), null);
  assert.deepEqual(findEntry(lines, "x", [{ start: 2, end: 3 }]), { start: 3, end: 3 });
});

test("finding a repetitive entry in a repetitive note takes linear time", () => {
  const lines = Array.from({ length: 200_000 }, () => "a");
  assert.equal(findEntry(lines, `${"a\n".repeat(30_000)}b`, [{ start: 1, end: lines.length }]), null);
});

test("with onlyNewItems a code block stays whole, also its blank and repeated lines", () => {
  const text = "- known\n```js\na\n\n- known\na\n```\n- after\n  more\n- known";
  const plan = planEntry("- known\n", { path: "memory/x.md", onlyNewItems: true, text });
  assert.equal(plan.kind === "append" && plan.addition, "\n```js\na\n\n- known\na\n```\n- after\n  more\n");
  const indented = planEntry("- known\n", { path: "memory/x.md", onlyNewItems: true, text: "  x\n  y" });
  assert.equal(indented.kind === "append" && indented.addition, "\n  x\n  y\n");
});
