import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTermWriter, readCounts, tokenOf, toStoredToken } from "./terms.ts";

test("a term encodes how often its token occurs in text and head", () => {
  const writer = createTermWriter();
  const terms = (body: string, head: string) =>
    Buffer.from(writer(Buffer.from(body), Buffer.from(head))).toString();
  assert.equal(terms("fig", ""), "fig ");
  assert.equal(terms("fig kiwi fig", "plum fig"), "fig\x012,1 fig\x012,1 fig\x012,1 kiwi plum\x010,1 ");
  assert.equal(terms("", ""), "");
  assert.equal(terms("  fig  ", " "), "fig ");
  assert.equal(terms("Fig fig", "FIG"), "fig\x012,1 fig\x012,1 fig\x012,1 ");
  assert.equal(terms("f\0ig\x01", ""), "fig ");
});

test("terms hold the counts of all tokens, in chunks of any size", () => {
  const write = createTermWriter();
  const names = ["a", "ab", "ж", "日本", "fig", "#12", "--flag", "😀", "@a", "[", "`", "aa", "ba"];
  const numbered = fc.nat(2000).map((number) => `n${number}`);
  const tokens = fc.array(fc.oneof(fc.constantFrom(...names), numbered), { maxLength: 3000, size: "max" });
  fc.assert(
    fc.property(tokens, tokens, (body, head) => {
      const terms = Buffer.from(write(Buffer.from(body.join(" ")), Buffer.from(head.join(" "))))
        .toString()
        .split(" ")
        .slice(0, -1);
      assert.equal(terms.length, body.length + head.length);
      const count = (all: readonly string[], token: string) => all.filter((each) => each === token).length;
      const distinct = [...new Set(terms)];
      assert.equal(distinct.length, new Set([...body, ...head]).size);
      for (const term of distinct) {
        const token = tokenOf(term);
        const expected = { body: count(body, token), head: count(head, token) };
        assert.deepEqual(readCounts(term.slice(token.length)), expected);
      }
    }),
    { seed: 7, numRuns: 50 },
  );
});

test("only ASCII capitals are folded", () => {
  const write = createTermWriter();
  const body = "@ A Z [ ` a z { \x02 ? É";
  const terms = Buffer.from(write(Buffer.from(body), Buffer.from(""))).toString();
  assert.equal(terms, "@ a\x012 a\x012 z\x012 z\x012 [ ` { \x02 ? É ");
  assert.deepEqual(body.split(" ").map(toStoredToken), [
    "@",
    "a",
    "z",
    "[",
    "`",
    "a",
    "z",
    "{",
    "\x02",
    "?",
    "É",
  ]);
});

test("terms far longer than their text, and a text longer than any before, are complete", () => {
  const write = createTermWriter();
  const terms = (body: string, head: string) =>
    Buffer.from(write(Buffer.from(body), Buffer.from(head))).toString();
  const repeat = (count: number) => "a ".repeat(count);
  assert.equal(terms(`kiwi ${repeat(1000)}`, repeat(900)), `kiwi ${"a\x011000,900 ".repeat(1900)}`);
  const long = "x".repeat(5000);
  assert.equal(terms(long, "a"), `${long} a\x010,1 `);
  assert.equal(terms("a", long), `a ${long}\x010,1 `);
});

test("a term is its token followed by counts, or belongs to another token", () => {
  assert.deepEqual(readCounts(""), { body: 1, head: 0 });
  assert.deepEqual(readCounts("\x0112"), { body: 12, head: 0 });
  for (const other of ["s", "\x01", "\x01x", "\x011,", "\x01-1", "1"]) assert.equal(readCounts(other), null);
});
