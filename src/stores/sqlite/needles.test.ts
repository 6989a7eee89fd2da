import assert from "node:assert/strict";
import { test } from "node:test";
import { makeNeedles } from "./needles.ts";

const tokens = ({ text }: { text: string }) => ({ body: text.toLowerCase(), head: "" });

test("the pieces cover every character of a long line, and all are equally long", async () => {
  const line = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
  const { pieces, isPart } = await makeNeedles([`  ${line}\r\nshort line`], { tokens, max: 100 });
  assert.ok([...line].every((character) => pieces.some((piece) => piece.includes(character))));
  assert.deepEqual(
    pieces.map((piece) => piece.length),
    [32, 32, 32, 32, 10],
  );
  assert.ok(pieces.slice(0, 4).every((piece) => line.includes(piece)));
  assert.equal(isPart, false);
});

test("of too many pieces and words an even sample is searched for, and what is short is left out", async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line number ${100 + at}`);
  const { pieces, words, isPart } = await makeNeedles([lines.join("\n"), "a b c"], { tokens, max: 10 });
  assert.deepEqual(
    pieces.map((piece) => Number(piece.slice(-3)) - 100),
    [0, 4, 8, 12, 16, 20, 24, 28, 32, 36],
  );
  assert.ok(words.includes("number") && words.every((word) => word.length >= 5));
  assert.equal(isPart, true);
});
