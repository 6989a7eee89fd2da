import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { countFrontMatterLines, parseFrontMatter } from "./front-matter.ts";

suite("countFrontMatterLines", () => {
  const cases: [text: string, lines: number][] = [
    ["---\ntitle: A\n---\n\n# Head", 3],
    ["---\r\ntitle: A\r\n...\r\ntext", 3],
    ["--- \n# comment\n\ntags:\n  - a\n---", 6],
    ["", 0],
    ["# Head\n---\na: b\n---", 0],
    ["---\n", 0],
    ["---\ntitle: never closed\n", 0],
    ["---\n---\ntext", 0],
    ["---\nA thematic break first.\n\n---\n", 0],
    ["---\n# A heading\n\nText: with a colon, but the note began with a rule.\nMore.", 0],
    ["----\na: b\n----", 0],
  ];
  for (const [text, lines] of cases) {
    test(`finds ${lines} lines in ${JSON.stringify(text)}`, () =>
      assert.equal(countFrontMatterLines(text), lines));
  }
});

suite("parseFrontMatter", () => {
  test("reads title, tags, aliases and date", async () => {
    const text =
      '---\ntitle: "Trip: Rome"\ntags: [travel, "#family"]\naliases:\n  - Roma\ndate: 2026-01-31\n---\nText';
    assert.deepEqual(await parseFrontMatter(text), {
      title: "Trip: Rome",
      tags: ["travel", "family"],
      aliases: ["Roma"],
      date: "2026-01-31",
    });
  });

  test("reads comma-separated text as a list and takes the day of a timestamp", async () => {
    assert.deepEqual(await parseFrontMatter("---\ntags: a, b\nalias: c\ndate: 2026-01-31T10:00:00Z\n---\n"), {
      tags: ["a", "b"],
      aliases: ["c"],
      date: "2026-01-31",
    });
  });

  test("ignores invalid values", async () => {
    assert.deepEqual(await parseFrontMatter("---\ntitle: {a: b}\ntags: [[1], null, 7]\ndate: soon\n---\n"), {
      tags: ["7"],
      aliases: [],
    });
  });

  test("gives null for no front matter, broken YAML and anything but a map", async () => {
    const bomb = `---\na: &a [x,x]\n${Array.from({ length: 30 }, (_, n) => `k${n}: [*a,*a,*a]`).join("\n")}\n---\n`;
    for (const text of [
      "# Head",
      "---\na: [1\n---\n",
      '---\na: b: "c\n---\n',
      "---\na: b\n- c\n---\n",
      bomb,
    ]) {
      assert.equal(await parseFrontMatter(text), null, text.slice(0, 40));
    }
  });
});
