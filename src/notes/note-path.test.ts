import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { nastyPath } from "../../test/support/nasty-path.ts";
import { findPathProblem, isHiddenPart, isPlainName, scopeOf } from "./note-path.ts";

test("ordinary note paths pass the grammar", () => {
  const paths = [
    "MEMORY.md",
    "memory/2026-03-01.md",
    "memory/2026-03-01-planning.md",
    "memory/a/b/c.md",
    "extra/0/note.md",
    "memory/What now?.md",
    "memory/über.md",
    "memory/日記.md",
    "memory/👩‍💻 work ❤️.md",
    "memory/1️⃣ goals.md",
    "memory/نمی‌دانم.md",
    "memory/console.md",
    "memory/.md",
    "memory/a..b.md",
  ];
  for (const each of paths) assert.equal(findPathProblem(each), null, each);
});

test("paths that could escape, or look like another path, are refused with a reason", () => {
  const cases: [string, RegExp][] = [
    ["", /empty/],
    ["/etc/passwd.md", /absolute/],
    ["//server/share.md", /absolute/],
    ["../../etc/passwd", /\.\./],
    ["memory/../../x.md", /\.\./],
    ["memory/..", /\.\./],
    ["./memory/a.md", /as a part/],
    ["memory//a.md", /empty part/],
    ["memory/", /empty part/],
    ["memory\\a.md", /backslash/],
    ["..\\..\\a.md", /backslash/],
    ["C:/notes/a.md", /absolute/],
    ["c:\\notes\\a.md", /absolute/],
    ["\\\\nas\\share\\a.md", /absolute/],
    ["C:a.md", /colon/],
    ["memory/a.md:stream.md", /colon/],
    ["memory/a.md\0.png", /control/],
    ["memory/a\n.md", /control/],
    ["memory/a\u007f.md", /control/],
    ["memory/a\u0085.md", /control/],
    ["memory/CON.md", /device/],
    ["memory/aux/x.md", /device/],
    ["memory/nul .md", /device/],
    ["memory/Lpt1.backup.md", /device/],
    ["memory/COM¹.md", /device/],
    ["memory./a.md", /dot or a space/],
    ["memory/a .d/x.md ", /dot or a space/],
    ["memory/a /x.md", /dot or a space/],
    ["memory/...", /dot or a space/],
    ["memory/a\u202egpj.md", /invisible/],
    ["memory/a\u200b.md", /invisible/],
    ["memory/a\u200d.md", /invisible/],
    ["memory/a\ufe0f.md", /invisible/],
    ["memory/\u00ad.md", /invisible/],
    ["\ufeffMEMORY.md", /invisible/],
    ["memory/a\u2028.md", /invisible/],
    ["memory/\u{e0061}.md", /invisible/],
    ["memory/\ud800.md", /Unicode/],
    ["memory/\ufffd.md", /Unicode/],
    [`memory/${"a".repeat(1020)}.md`, /1024 bytes/],
    [`memory/${"ü".repeat(510)}.md`, /1024 bytes/],
    ["memory/a.txt", /end in \.md/],
    ["memory/a.MD", /end in \.md/],
    ["memory", /end in \.md/],
  ];
  for (const [each, reason] of cases)
    assert.match(findPathProblem(each) ?? "none", reason, JSON.stringify(each));
});

test("values that are not text are refused, too", () => {
  for (const each of [undefined, null, 7, {}, ["a.md"]]) {
    assert.equal(findPathProblem(each as unknown as string), "it is not text");
  }
});

test("hidden parts are dot names and node_modules", () => {
  assert.deepEqual([".git", ".x.md", "node_modules", "node_modules2", "a.b"].map(isHiddenPart), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("whatever passes stays below the root on every operating system and has only one spelling", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nastyPath,
        nastyPath.map((each) => `${each}.md`),
      ),
      (each) => {
        if (findPathProblem(each) !== null) return;
        assert.ok(path.posix.resolve("/root", each).startsWith("/root/"));
        assert.equal(path.posix.normalize(each), each);
        assert.ok(path.win32.resolve("C:\\root", each).startsWith("C:\\root\\"));
        assert.equal(path.win32.normalize(each), each.replaceAll("/", "\\"));
      },
    ),
    { seed: 20260301, numRuns: 3000 },
  );
});

test("the short check lets through only names that the whole grammar lets through", () => {
  assert.ok(isPlainName("a-1_b.md", "memory/a-1_b.md"));
  assert.ok(isPlainName("console.md", "console.md"));
  const fits = `${"x/".repeat(126)}a.md`;
  assert.equal(isPlainName("a.md", fits), true);
  for (const [name, path] of [
    ["a.md", `${fits}x`],
    ["nul.md", "nul.md"],
    ["com1.md", "com1.md"],
    ["a b.md", "a b.md"],
    ["-a.md", "-a.md"],
    [".md", ".md"],
    ["ä.md", "ä.md"],
    ["a.txt", "a.txt"],
  ] as const)
    assert.equal(isPlainName(name, path), false, path);
});

test("a path may have 1024 bytes", () => {
  for (const fits of [`${"a".repeat(1021)}.md`, `${"ü".repeat(510)}a.md`]) {
    assert.equal(Buffer.byteLength(fits), 1024);
    assert.equal(findPathProblem(fits), null);
    assert.match(findPathProblem(`x${fits}`) ?? "", /1024 bytes/);
  }
});

test("private are the long-term note, the entries, a folder, and all of the user's memory", () => {
  const scopes = (paths: readonly string[]) => [...new Set(paths.map(scopeOf))];
  const own = ["MEMORY.md", "memory.md", "Memory/Entries.MD", "memory/private/a.md", "MEMORY/Private/b/c.md"];
  assert.deepEqual(scopes([...own, "user:memory/a.md", "user:MEMORY.md"]), ["private"]);
  assert.deepEqual(scopes(["memory/a.md", "memory/private.md", "docs/MEMORY.md", "memory/x/private/a.md"]), [
    "shared",
  ]);
});
