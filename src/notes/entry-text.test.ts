import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanEntry, cleanHeading, cleanOrigin } from "./entry-text.ts";

const invalid = { code: "entry-invalid" };

test("an entry keeps its text, with plain line ends and without blank edges", () => {
  const cases: [string, string][] = [
    ["  We ship on Fridays. \n", "We ship on Fridays."],
    ["\n \n  a\r\nb\rc\t\n\n", "  a\nb\nc"],
    ["\ufeffa", "a"],
    ["tab\there", "tab\there"],
    ["\u202eturned", "\u202eturned"],
  ];
  for (const [text, cleaned] of cases) assert.equal(cleanEntry(text), cleaned);
});

test("a lone surrogate is refused, because it would be written as another character", () => {
  for (const text of ["half \ud83d emoji", "\udc00", "a\ud83d"]) {
    assert.throws(() => cleanEntry(text), { code: "entry-invalid", message: /half a character/ });
    assert.throws(() => cleanHeading(text), { code: "entry-invalid", message: /half a character/ });
  }
  assert.equal(cleanEntry("whole \ud83d\ude00"), "whole \ud83d\ude00");
});

test("an entry that is empty, too long or contains control characters is refused", () => {
  for (const text of ["", "  \n\t\r\n", "\ufeff", undefined as unknown as string, 7 as unknown as string]) {
    assert.throws(() => cleanEntry(text), invalid);
  }
  assert.throws(() => cleanEntry("a\0b"), { ...invalid, message: /U\+0000/ });
  assert.throws(() => cleanEntry("a\u001b[31mred"), { ...invalid, message: /U\+001B/ });
  assert.throws(() => cleanEntry("a\u0085b"), { ...invalid, message: /U\+0085/ });
  assert.equal(cleanEntry("x".repeat(65_536)).length, 65_536);
  assert.equal(cleanEntry(`${"\n".repeat(200_000)}x${" ".repeat(200_000)}`), "x");
  assert.throws(() => cleanEntry("x".repeat(65_537)), { ...invalid, message: /65537 bytes/ });
  assert.throws(() => cleanEntry("ü".repeat(32_769)), { ...invalid, message: /65538 bytes/ });
  assert.throws(() => cleanEntry("x".repeat(10_000_000)), invalid);
});

test("a heading may carry its level, and must be one line", () => {
  assert.deepEqual(cleanHeading("Decisions"), { text: "Decisions" });
  assert.deepEqual(cleanHeading(" ### Open  questions "), { level: 3, text: "Open  questions" });
  assert.deepEqual(cleanHeading("#tag"), { level: 1, text: "tag" });
  assert.deepEqual(cleanHeading(`${" ".repeat(1000)}## ${"x".repeat(200)}\n`), {
    level: 2,
    text: "x".repeat(200),
  });
  assert.deepEqual(cleanHeading("####### seven"), { level: 6, text: "# seven" });
  for (const heading of ["", "##", "a\nb", "a\0", "x".repeat(201), 7 as unknown as string])
    assert.throws(() => cleanHeading(heading), invalid);
});

test("an origin cannot end its comment", () => {
  assert.equal(cleanOrigin("cli"), "cli");
  assert.equal(cleanOrigin("agent:main:direct:x"), "agent:main:direct:x");
  assert.equal(cleanOrigin("web --> <script>\n- fake"), "web - script - fake");
  assert.equal(cleanOrigin(`a${"x".repeat(500)}`), `a${"x".repeat(79)}`);
});
