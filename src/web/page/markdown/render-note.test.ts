import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderNote } from "./render-note.ts";

const render = (text: string) => renderNote(text, { path: "memory/a.md" });

test("Every source line carries its number, whatever element it is in", () => {
  const html = render(
    "# Title\n\nfirst line\nsecond line\n\n- one\n- two\n  more\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n---\n",
  );
  assert.deepEqual(numbered(html), {
    1: "Title",
    3: "first line",
    4: "second line",
    6: "one",
    7: "two",
    8: "more",
    10: "a b",
    12: "1 2",
    14: "",
  });
  assert.match(html, /<td class="to-right">2/);
  assert.doesNotMatch(html, /style=/);
});

test("Code and front matter are numbered line by line", () => {
  const html = render("---\ntitle: x\n---\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n    indented\n");
  assert.deepEqual(numbered(html), {
    1: "---",
    2: "title: x",
    3: "---",
    6: "const a = 1;",
    7: "",
    8: "const b = 2;",
    11: "indented",
  });
  assert.match(html, /data-language="ts"/);
});

test("Lines joined by emphasis are one element with both numbers", () => {
  assert.match(render("a **b\nc** d\ne"), /data-line="1" data-end="2">a <strong>b\nc<\/strong> d<\/span>/);
});

test("Code, links and pictures over several lines do not shift the numbers of what follows", () => {
  const html = render("a `code\nspan` here\nthird\n\n[link](https://example.org\n'title') tail\nseventh\n");
  assert.deepEqual(numbered(html), { 1: "a code span here", 3: "third", 5: "link tail", 7: "seventh" });
  assert.match(html, /data-line="1" data-end="2"/);
  assert.match(render("![a\nb](https://example.org/p.png) c\nd\\\ne"), /data-end="2">.*data-line="4">e/s);
});

test("The element of any line carries the line's number", () => {
  const piece = fc.constantFrom(
    "`",
    "``",
    "*",
    "**",
    "[",
    "](x.md)",
    "](x.md\n'",
    "')",
    "~~",
    "\\",
    "<",
    ">",
    "  ",
  );
  const written = fc.array(fc.oneof(piece, fc.constant("\n"), fc.constant("word")), { maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom("", "> ", "- "), written, (prefix, pieces) => {
      // Every line has a unique word, by which its element is found.
      const lines = pieces.join(" ").split("\n");
      const text = lines
        .map((line, index) => `${index === 0 ? prefix : ""}k${index + 1}k ${line}`)
        .join("\n");
      const html = render(text);
      for (let line = 1; line <= lines.length; line++) {
        const before = html.slice(0, html.indexOf(`k${line}k`));
        const [, start = "", end = start] = before.match(/.*data-line="(\d+)"(?: data-end="(\d+)")?/s) ?? [];
        assert.ok(Number(start) <= line && line <= Number(end), `${text}\n\n${html}`);
      }
    }),
    { seed: 9, numRuns: 2000 },
  );
});

test("Raw HTML is text, and origin comments are styled separately but visible", () => {
  const html = render(
    "<img src=x onerror=alert(1)> **b** <script>alert(1)</script>\n\n- fact <!-- tool 14:05 -->",
  );
  assert.doesNotMatch(html, /<img|<script/);
  assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/);
  assert.match(html, /<span class="origin">tool 14:05<\/span>/);
});

test("Links lead to web pages, mail and notes; others stay text, and images become links", () => {
  const html = render(
    "[a](https://example.org) [b](javascript:alert(1)) [c](b.md#L2) [d](data:text/html,x) [e](#L3) " +
      "[f](/etc/passwd) ![pic](https://example.org/p.png) ![pic](p.png)",
  );
  assert.match(html, /<a href="https:\/\/example.org" rel="noreferrer noopener" target="_blank">a<\/a>/);
  assert.match(html, /<a href="\/notes\/memory\/b.md#L2">c<\/a>/);
  assert.match(html, /<a href="#L3">e<\/a>/);
  assert.match(html, /<a class="image-link" href="https:\/\/example.org\/p.png"[^>]*>image: pic<\/a>/);
  for (const text of ["[b](javascript:alert(1))", "[d](data:text/html,x)", "[f](/etc/passwd)"]) {
    assert.ok(html.includes(text), text);
  }
  assert.doesNotMatch(html, /<img/);
});

test("Wikilinks lead to notes that exist; others, and other brackets, stay text", () => {
  assert.doesNotMatch(renderNote("- We take the pump. ^heat-pump\n", { path: "memory/a.md" }), /heat-pump/);
  const html = renderNote("See [[on-call#Night|the rota]], [[gone]], ![[pic.png]] and `[[code]]`.", {
    path: "memory/a.md",
    resolveWikiLink: (target) => (target === "on-call" ? "/notes/memory/on-call.md" : null),
  });
  assert.match(html, /<a href="\/notes\/memory\/on-call.md">the rota<\/a>/);
  assert.match(html, /<span class="missing-link"[^>]*>gone<\/span>/);
  assert.match(html, /<span class="image-link">image: pic.png<\/span>/);
  assert.match(html, /<code>\[\[code\]\]<\/code>/);
});

test("Check boxes and callouts keep their line numbers", () => {
  const html = render(
    "- [ ] open\n- [x] **done**\n\n> [!warning] Wet paint\n> Do not touch.\n\n> [!note]\n> Hello.\n",
  );
  assert.deepEqual(numbered(html), {
    1: "☐ open",
    2: "☑ done",
    4: "Wet paint",
    5: "Do not touch.",
    7: "Note",
    8: "Hello.",
  });
  assert.match(html, /<blockquote class="callout callout-warning">/);
  assert.match(html, /<li class="task done">/);
});

test("Conflict markers separate labelled versions, and every line keeps its number", () => {
  const html = render(
    "- Boats\n<<<<<<< HEAD\nThe first leaves\nat six.\n||||||| 1a2b3c\n=======\n- at seven\n>>>>>>> <b>\nTickets\n",
  );
  assert.deepEqual(numbered(html), {
    1: "Boats",
    2: "This version: HEAD",
    3: "The first leaves",
    4: "at six.",
    5: "Before both changes: 1a2b3c",
    6: "Other version: &lt;b&gt;",
    7: "at seven",
    9: "Tickets",
  });
  assert.equal(html.match(/<div/g)?.length, 4);
  assert.equal(html.match(/<\/div>/g)?.length, 4);
  assert.doesNotMatch(html, /<h\d|<blockquote|[<>=|]{7}/);
  assert.match(render("<<<<<<<\n=======\nb\n>>>>>>>\n"), /This version<\/span>.*Other version<\/span>/s);
});

test("Markers in code, and those that are not a whole conflict, are text", () => {
  const conflict = "<<<<<<< mine\na\n=======\nb\n>>>>>>> theirs\n";
  for (const text of [
    `\`\`\`\n${conflict}\`\`\`\n`,
    "<<<<<<< mine\na\n",
    "a\n=======\nb\n>>>>>>> theirs\n",
  ]) {
    assert.doesNotMatch(render(text), /version/, text);
  }
  // The first closing marker is missing; the conflict after it is complete.
  assert.equal(render(`<<<<<<< lost\n${conflict}`).match(/class="versions"/g)?.length, 1);
});

test("Dates do not break at their hyphens, and long cells of a table are wide", () => {
  const long = "a bonus that is paid in the spring of each year";
  const html = render(`| since | note |\n|---|--:|\n| 2026-01-31 | ${long} |\n\n[[2026-01-31]] 12026-01-31`);
  assert.match(html, /<td><span class="date">2026-01-31<\/span><\/td>/);
  assert.match(html, /<td class="to-right long">a bonus/);
  assert.equal(html.match(/class="date"/g)?.length, 1);
});

test("Invisible characters are shown, and do not shift lines", () => {
  const html = render("one\u202etwo\rstill one\r\nline two");
  assert.match(
    html,
    /data-line="1">one<span class="was-hidden">U\+202E<\/span>two<span class="was-hidden">U\+000D/,
  );
  assert.match(html, /data-line="2">line two/);
});

/** Line number → text of the element that carries it. */
function numbered(html: string): Record<number, string> {
  const found = html.matchAll(
    /<(span|tr|hr)(?: class="line")? ?[^>]*data-line="(\d+)"[^>]*>(.*?)(?:<\/\1>|$)/gs,
  );
  return Object.fromEntries(
    [...found].map(([, tag, line, content = ""]) => [
      Number(line),
      tag === "hr"
        ? ""
        : content
            .replaceAll(/<[^>]*>/g, "")
            .replaceAll(/\s+/g, " ")
            .trim(),
    ]),
  );
}
