import assert from "node:assert/strict";
import { test } from "node:test";
import { makeNeedles } from "./needles.ts";

const tokens = ({ text }: { text: string }) => ({ body: text.toLowerCase(), head: "" });

test("the pieces cover every character of a long line, and all have the same length", async () => {
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

test("of too many pieces and words an even sample is searched for, and short ones are left out", async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line number ${100 + at}`);
  const { pieces, words, isPart } = await makeNeedles([lines.join("\n"), "a b c"], { tokens, max: 10 });
  assert.deepEqual(
    pieces.map((piece) => Number(piece.slice(-3)) - 100),
    [0, 4, 8, 12, 16, 20, 24, 28, 32, 36],
  );
  assert.ok(words.includes("number") && words.every((word) => word.length >= 5));
  assert.equal(isPart, true);
});

test("needles of five bytes or more are searched for, in every line of a long text", async () => {
  const lines = Array.from({ length: 1200 }, (_, at) => `${10_000 + at}`);
  const text = [...lines, "four", "日本", "éab", "éabc"].join("\n");
  const { pieces, words, isPart } = await makeNeedles([text], {
    tokens: ({ text: part }) => ({ body: part.replaceAll("\n", " "), head: "" }),
    max: 1202,
  });
  assert.deepEqual([...pieces].sort(), [...lines, "日本", "éabc"].sort());
  assert.deepEqual([...words].sort(), [...pieces].sort());
  assert.equal(isPart, false);
});

test("left-out needles are reported, whether only pieces or only words were left out", async () => {
  const none = () => ({ body: "", head: "" });
  const lines = "first line\nsecond line\nthird line";
  assert.equal((await makeNeedles([lines], { tokens: none, max: 2 })).isPart, true);
  assert.equal((await makeNeedles([lines], { tokens: none, max: 3 })).isPart, false);
  const split = (text: string) => ({ body: text.replaceAll("\n", " "), head: "" });
  const words = "one-two three-four five-six";
  const ofWords = (max: number) => makeNeedles([words], { tokens: ({ text }) => split(text), max });
  assert.deepEqual([(await ofWords(2)).isPart, (await ofWords(2)).pieces], [true, [words]]);
  assert.equal((await ofWords(3)).isPart, false);
});

test("a line is split into pieces of 32 characters, however many bytes those have", async () => {
  const tokens = () => ({ body: "", head: "" });
  const pieces = async (text: string) => (await makeNeedles([text], { tokens, max: 9 })).pieces;
  const line = (length: number) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x1f600 + at)).join("");
  assert.deepEqual(await pieces(line(32)), [line(32)]);
  assert.deepEqual(await pieces(line(33)), [line(32), [...line(33)].slice(1).join("")]);
});
