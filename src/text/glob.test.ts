import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { compileGlob, findGlobProblem } from "./glob.ts";

const cases: [pattern: string, matching: string[], other: string[]][] = [
  ["memory/*.md", ["memory/a.md", "memory/.md"], ["memory/x/a.md", "a.md", "memory/a.mdx", "memory"]],
  ["memory/**", ["memory/a.md", "memory/x/y.md"], ["memory", "memory/", "xmemory/a.md", "MEMORY.md"]],
  ["memory/", ["memory/a.md", "memory/x/y.md"], ["memory"]],
  ["memory/**/a.md", ["memory/a.md", "memory/x/a.md", "memory/x/y/a.md"], ["memory/xa.md", "memory/a.md/b"]],
  ["**/a.md", ["a.md", "x/a.md", "x/y/a.md"], ["xa.md", "a.md/x"]],
  ["**", ["a.md", "x"], [""]],
  ["*.md", ["a.md", "x/y/a.md"], ["a.txt", "a.md/x"]],
  ["2026-0?-*.md", ["memory/2026-01-31.md", "2026-09-01-trip.md"], ["2026-10-01.md", "2026-0/-1.md"]],
  ["./memory/a.md", ["memory/a.md"], ["x/memory/a.md"]],
  ["/a.md", ["a.md"], ["x/a.md"]],
  ["memory/[a-c]?.md", ["memory/bx.md"], ["memory/dx.md", "memory/b.md", "memory//x.md"]],
  ["memory/[!a-c].md", ["memory/d.md", "memory/é.md"], ["memory/a.md", "memory//.md"]],
  ["memory/[^a-c].md", ["memory/d.md"], ["memory/a.md", "memory/c.md"]],
  ["[a-].md", ["a.md", "-.md"], ["b.md", "].md"]],
  ["[]x].md", ["].md", "x.md"], ["a.md"]],
  ["a[b.md", ["a[b.md"], ["ab.md"]],
  ["{memory,notes}/*.md", ["memory/a.md", "notes/a.md"], ["other/a.md", "memory,notes/a.md"]],
  ["{MEMORY.md,memory/**}", ["MEMORY.md", "memory/x/a.md"], ["memory", "a.md"]],
  ["{a,{b,c}d}.md", ["a.md", "bd.md", "cd.md"], ["b.md", "ad.md"]],
  ["{a,}b.md", ["ab.md", "b.md"], ["a.md"]],
  ["a{b.md", ["a{b.md"], ["ab.md"]],
  ["a}b,c.md", ["a}b,c.md"], ["ab.md"]],
  ["\\*.md", ["*.md"], ["a.md"]],
  ["a**b/*", ["axxb/c"], ["ax/xb/c"]],
  ["日記/?.md", ["日記/😀.md"], ["日記/ab.md"]],
  // Composed, as users type it, and decomposed, as HFS+ lists it, in both directions.
  ["Zo\u00eb/*.md", ["Zo\u00eb/a.md", "Zoe\u0308/a.md"], ["Zoe/a.md"]],
  ["Zoe\u0308.md", ["memory/Zo\u00eb.md"], ["memory/Zoe.md"]],
  ["", [""], ["a.md"]],
];

suite("compileGlob", () => {
  for (const [pattern, matching, other] of cases) {
    test(`understands ${JSON.stringify(pattern)}`, () => {
      const matches = compileGlob(pattern);
      for (const path of matching) assert.ok(matches(path), `${path} should match`);
      for (const path of other) assert.ok(!matches(path), `${path} should not match`);
    });
  }

  test("treats special characters of regular expressions literally", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a.+^$()|-/") }), (text) => {
        const path = text.replace(/^[./]+|\/+$/g, "");
        assert.ok(compileGlob(path.includes("/") ? path : `/${path}`)(path));
      }),
      { seed: 20260101, numRuns: 300 },
    );
  });

  test("agrees with a simple backtracking matcher", () => {
    const parts = fc.array(fc.constantFrom("a", "b", "*", "?", "/", "**/"), { maxLength: 8 });
    const path = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 10 });
    fc.assert(
      fc.property(parts, path, (given, text) => {
        const pattern = `x/${given.join("")}`.replace(/\*{3,}/g, "*");
        if (/[^/]\*\*|\*\*[^/]/.test(pattern) || pattern.endsWith("/")) return;
        assert.equal(compileGlob(pattern)(`x/${text}`), naiveMatch(pattern, `x/${text}`));
      }),
      { seed: 20260101, numRuns: 3000 },
    );
  });

  test("terminates for patterns that make regular expressions hang", () => {
    const path = "a".repeat(1000);
    assert.ok(!compileGlob(`${"*a".repeat(200)}b`)(path));
    assert.ok(!compileGlob(`/${"**/".repeat(200)}b`)("a/".repeat(500)));
    assert.ok(!compileGlob(`${"{a,aa}".repeat(200)}b`)(path));
    assert.ok(!compileGlob("{".repeat(50_000) + "}".repeat(50_000))(path));
  });
});

function naiveMatch(pattern: string, path: string): boolean {
  if (pattern === "") return path === "";
  if (pattern.startsWith("**/")) {
    const rest = pattern.slice(3);
    if (naiveMatch(rest, path)) return true;
    return [...path].some((each, at) => each === "/" && naiveMatch(rest, path.slice(at + 1)));
  }
  if (pattern === "**") return path !== "";
  if (pattern.startsWith("*")) {
    const rest = pattern.slice(1);
    return naiveMatch(rest, path) || (path !== "" && path[0] !== "/" && naiveMatch(pattern, path.slice(1)));
  }
  const fits = pattern[0] === "?" ? path !== "" && path[0] !== "/" : pattern[0] === path[0];
  return fits && naiveMatch(pattern.slice(1), path.slice(1));
}

test("a pattern with an open bracket or brace, or with nothing in it, is distinguished from one that is meant", () => {
  const problems: [string, RegExp][] = [
    ["", /empty/],
    ["[", /\[ in it has no \]/],
    ["memory/[a", /\[ in it has no \]/],
    ["{a,b", /\{ in it has no \}/],
    ["a\\", /backslash/],
    ["x".repeat(2000), /1024/],
  ];
  for (const [pattern, problem] of problems)
    assert.match(findGlobProblem(pattern) ?? "none", problem, pattern);
  for (const pattern of ["memory/**", "\\[x", "[]x]", "{a,{b,c}}", "a}b", "[{]", "😀*"]) {
    assert.equal(findGlobProblem(pattern), null, pattern);
  }
});
