import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayHaveNewsWords, patterns, stripEffective } from "./change-patterns.ts";

const { newsLabel, ended, now, changed } = patterns();
const parts = [newsLabel, ...ended, ...now, ...changed].map((part) =>
  part("plain").source.replace(/^\^/, ""),
);
const pattern = new RegExp(parts.join("|"));
// Lookarounds cannot be generated; spaces around the text satisfy them.
const shape = new RegExp(`^(?:${pattern.source.replaceAll(/\(\?<?!\[[^\]]*\]\)/g, "")})$`);

test("the check of first letters skips no text with news", () => {
  let found = 0;
  const isFound = (words: string): void => {
    const text = ` ${words} `;
    if (!pattern.test(text)) return;
    found++;
    assert.ok(mayHaveNewsWords(text), text);
  };
  fc.assert(fc.property(fc.stringMatching(shape), isFound), { numRuns: 3000 });
  assert.ok(found > 2000, String(found));
});

test("most lines are skipped", () => {
  for (const line of [
    "we ship on fridays.",
    "the billing timeout is 30 s",
    "nun's island",
    "from anna to ben",
  ]) {
    assert.equal(mayHaveNewsWords(line), line.startsWith("nun"), line);
  }
});

const moments = [
  ...[
    "as of monday",
    "starting 3rd of may 2026",
    "since mid december",
    "from now on",
    "from mondays onwards",
  ],
  ...[
    "after 2026-03-01",
    "from 2027",
    "effective next june",
    "ab sofort",
    "seit dem 1. januar",
    "zum donnerstag",
  ],
  ...["ab nachsten dienstag an", "a partir de janvier", "a compter du 3 mars", "depuis aujourd'hui"],
  ...["des lundi", "desde hoy", "a partir de el 5 de mayo de 2026"],
];

test("a point in time after its introducing words is news, and is removed whole", () => {
  for (const moment of moments) {
    const text = `we ship ${moment}, all of us`;
    const found: string[] = [];
    assert.deepEqual(stripEffective(text, found), { text: "we ship  , all of us", count: 1 }, moment);
    assert.deepEqual(found, [moment]);
    assert.ok(mayHaveNewsWords(text), moment);
  }
});

test("other words after them are kept", () => {
  for (const text of ["from the port 2026x", "after lunch we ship", "ab und zu", "desde casa"]) {
    assert.deepEqual(stripEffective(text), { text, count: 0 });
  }
});

test("no pattern is so large that compiling it delays a command", () => {
  for (const [name, rules] of Object.entries(patterns())) {
    for (const rule of [rules].flat()) assert.ok(rule.source.length < 1200, `${name}: ${rule.source.length}`);
  }
});
