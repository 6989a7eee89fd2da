import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { outlineMarkdown } from "./markdown.ts";
import { readHeading } from "./markdown-line.ts";

/** Headings as `line level text`, lines from 1. */
function headingsOf(text: string): string[] {
  return outlineMarkdown(text, 1600).headings.map(
    ({ line, level, text: title }) => `${line + 1} ${level} ${title}`,
  );
}

suite("headings of Markdown", () => {
  const cases: [name: string, text: string, headings: string[]][] = [
    ["with any number of # up to six", "# a\n###### b\n####### c", ["1 1 a", "2 6 b"]],
    ["without their closing #", "## a ##  \n# b#\n### ###", ["1 2 a", "2 1 b#", "3 3 "]],
    ["but no tags", "#tag\n#\ttab\n#", ["2 1 tab", "3 1 "]],
    ["indented by up to three spaces", "   # a\n    # b\n\t# c", ["1 1 a"]],
    ["with Windows line ends", "# a\r\n\r\nb\r\n===\r\n", ["1 1 a", "3 1 b"]],
    ["underlined", "a\n===\n\nb\n-\ntext", ["1 1 a", "4 2 b"]],
    ["one under the other", "# a\nb\n---\nc\n===", ["1 1 a", "2 2 b", "4 1 c"]],
    ["but no thematic breaks", "text\n\n---\n\n***\n---\n- - -\n---", []],
    ["but no paragraph above a careless rule", "one\ntwo\n---\nthree", []],
    ["but no underlined list items, quotes or tables", "- a\n---\n\n> b\n---\n\n| c |\n---\n\n<b>\n---", []],
    ["outside of fences", "```\n# a\n```\n# b\n~~~ x\n# c\n```\n~~~\n# d", ["4 1 b", "9 1 d"]],
    ["outside of longer fences", "````\n```\n# a\n```\n````\n# b", ["6 1 b"]],
    ["outside of fences whose line has tildes again", "~~~ a ~~~\n# b\n~~~\n# c", ["4 1 c"]],
    ["after inline code that looks like a fence", "```a``` b\n# c", ["2 1 c"]],
    ["outside of fences in lists", "1. a\n\n    ```\n# b\n    ```\n\n# c", ["7 1 c"]],
    ["after front matter", "---\nx: y\n# z\n---\na\n===", ["5 1 a"]],
    ["in other scripts", "# 发布計画\n## Überblick 😀", ["1 1 发布計画", "2 2 Überblick 😀"]],
  ];
  for (const [name, text, headings] of cases) {
    test(`are found ${name}`, () => assert.deepEqual(headingsOf(text), headings));
  }

  test("are cut when they are as long as a page, and not inside a character", () => {
    const [heading] = outlineMarkdown(`# a${"😀".repeat(50_000)}`, 1600).headings;
    assert.equal(heading?.text, `a${"😀".repeat(99)}`);
  });

  test("are read from a line of their own", () => {
    assert.deepEqual(readHeading("# a"), { level: 1, text: "a" });
    assert.deepEqual(readHeading("   ### b ##"), { level: 3, text: "b" });
    assert.deepEqual(readHeading("######"), { level: 6, text: "" });
    for (const line of ["", "a", "#a", "    # a", "####### a"]) assert.equal(readHeading(line), null, line);
  });
});
