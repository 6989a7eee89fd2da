import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readableMarkdown } from "./readable-markdown.ts";

test("links, check boxes and callouts are shown as people read them", () => {
  const cases: [string, string][] = [
    ["See [[Oven manual|the manual]].", "See the manual."],
    ["See [[Topic 7#Decision]] and ![[map.png]]", "See Topic 7 › Decision and map.png"],
    ["- [ ] send it", "- ☐ send it"],
    ["  1. [x] sent", "  1. ☑ sent"],
    ["> [!warning]- Allergy", "> Warning: Allergy"],
    ["> [!NOTE]", "> Note"],
    ["==important== a == b", "important a == b"],
    ["`[[code]]` and [a site](https://example.org)", "`[[code]]` and [a site](https://example.org)"],
    ["if (a[[0]] == b[[1]]) x", "if (a0 == b1) x"],
  ];
  for (const [written, shown] of cases) assert.equal(readableMarkdown(written), shown, written);
});

test("front matter at the top is left out, unless there is nothing else", () => {
  assert.equal(readableMarkdown("---\ntags: [a]\n---\n# Title\n"), "# Title\n");
  assert.equal(readableMarkdown("---\ntags: [a]\n---"), "---\ntags: [a]\n---");
});

test("a text without front matter keeps its lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("[[", "]]", "`", "``", "==", "- [x] ", "> [!a]", "b", "\n")),
      (parts) => {
        const text = parts.join("");
        assert.equal(readableMarkdown(text).split("\n").length, text.split("\n").length);
      },
    ),
  );
});
