import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import createIgnore from "ignore";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createPlainIgnores, isPlainIgnore, loadIgnoreRules } from "./ignore-rules.ts";

test("a hundred thousand plain names are looked up, not tried one after the other", async (t) => {
  const folder = makeTemporaryFolder(t);
  const lines = Array.from({ length: 100_000 }, (_, at) => `old/note-${at}.md`);
  folder.write(".longhandignore", ["# generated", ...lines, "*.tmp.md"].join("\n"));
  const rules = await loadIgnoreRules(folder.dir, []);
  const before = process.cpuUsage();
  for (let at = 0; at < 20_000; at++) {
    assert.equal(rules?.ignoresFile(`old/note-${at}.md`), true);
    assert.equal(rules?.ignoresFile(`new/note-${at}.md`), false);
  }
  assert.equal(rules?.ignoresFile("new/a.tmp.md"), true);
  // One after the other this takes minutes.
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

test("too many patterns that have to be tried are an error", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write(".longhandignore", Array.from({ length: 2001 }, (_, at) => `*-${at}.md`).join("\n"));
  await assert.rejects(loadIgnoreRules(folder.dir, []), { code: "config-invalid", message: /2001/ });
  folder.write(".longhandignore", Array.from({ length: 2000 }, (_, at) => `*-${at}.md`).join("\n"));
  assert.equal((await loadIgnoreRules(folder.dir, []))?.ignoresFile("memory/a-1999.md"), true);
});

const part = fc.constantFrom("a", "b", "c", "notes", "a.md", "b.md", ".hidden", "A", "ä", "x y");

test("plain patterns ignore what gitignore ignores", () => {
  const pattern = fc
    .tuple(fc.constantFrom("", "/"), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/"))
    .map(([start, parts, end]) => `${start}${parts.join("/")}${end}`);
  const path = fc.tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/"));
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), path, (patterns, [parts, end]) => {
      assert.ok(patterns.every(isPlainIgnore));
      const shown = `${parts.join("/")}${end}`;
      const expected = createIgnore({ ignorecase: false }).add(patterns).ignores(shown);
      assert.equal(createPlainIgnores(patterns).ignores(shown), expected, `${patterns} on ${shown}`);
    }),
    { seed: 3, numRuns: 3000 },
  );
});

test("patterns with wildcards, escapes, comments, negations or dots are not plain", () => {
  for (const pattern of [
    "*.md",
    "a?",
    "[ab]",
    "!a",
    "#a",
    "a\\ ",
    "a ",
    "../a",
    "a/./b",
    "a//b",
    "**/a",
    "",
  ]) {
    assert.equal(isPlainIgnore(pattern), false, pattern);
  }
});

test("no patterns, or only comments, exclude nothing; letter case and the end of a name matter", async (t) => {
  const folder = makeTemporaryFolder(t);
  assert.equal(await loadIgnoreRules(folder.dir, []), null);
  folder.write(".longhandignore", "# nothing yet\n\n  \n");
  assert.equal(await loadIgnoreRules(folder.dir, ["# nor here"]), null);
  const rules = (await loadIgnoreRules(folder.dir, ["A*.md", "music/c#"]))!;
  assert.deepEqual(
    ["memory/Ab.md", "memory/ab.md", "music/c#"].map((path) => rules.ignoresFile(path)),
    [true, false, true],
  );
  assert.deepEqual([rules.ignoresFolder("music/c#"), rules.ignoresFolder("music")], [true, false]);
});

test("a negation applies in its order", async (t) => {
  const rules = (await loadIgnoreRules(makeTemporaryFolder(t).dir, ["*.md", "!kept.md", "a.md"]))!;
  assert.deepEqual(
    ["x.md", "kept.md", "a.md"].map((path) => rules.ignoresFile(path)),
    [true, false, true],
  );
});
