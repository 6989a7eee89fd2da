import assert from "node:assert/strict";
import { test } from "node:test";
import { labelledConversations } from "../../test/support/key-sentences.ts";
import { createCoverage } from "./coverage.ts";
import { type ChooseOptions, type ConversationTurn, chooseSentences, sentencesOf } from "./extract.ts";

function extractSentences(turns: readonly ConversationTurn[], options: ChooseOptions = {}) {
  return chooseSentences(turns.flatMap(sentencesOf), options);
}

import { splitSentences } from "./sentences.ts";

const say = (...texts: string[]) =>
  texts.map((text, index) => ({ role: "user" as const, text, line: index + 1 }));

for (const [number, { language, turns, expected }] of labelledConversations.entries()) {
  test(`the key sentences are found in conversation ${number + 1} (${language}), and nothing else`, () => {
    const found = extractSentences(turns.map((turn, index) => ({ ...turn, line: index + 1 })));
    assert.deepEqual(
      found.map(({ text }) => text),
      expected,
    );
    for (const { text, line } of found) assert.ok(turns[line - 1]!.text.includes(text), "it is verbatim");
  });
}

test("at most the twenty best, in their original order, each once", () => {
  const many = Array.from({ length: 60 }, (_, number) => `I prefer option ${number} here.`);
  const found = extractSentences(say(...many, "We decided to use Rust for the parser.", ...many));
  assert.equal(found.length, 20);
  assert.ok(found.some(({ text }) => text.includes("Rust")));
  assert.deepEqual(
    found.map(({ line }) => line),
    found.map(({ line }) => line).toSorted((a, b) => a - b),
  );
  assert.equal(new Set(found.map(({ text }) => text)).size, 20);
});

test("a decision among a thousand other messages is found, wherever it is", () => {
  const noise = Array.from(
    { length: 1000 },
    (_, number) => `Look at file ${number} and run it again, then tell me.`,
  );
  for (const at of [0, 17, 500, 999, 1000]) {
    const found = extractSentences(say(...noise.toSpliced(at, 0, "We agreed to drop support for Node 20.")));
    assert.deepEqual(
      found.map(({ line }) => line),
      [at + 1],
    );
  }
});

test("code, quotations, tables and text between a host's tags are ignored", () => {
  const text = [
    "```ts",
    'const note = "We decided to use X";',
    "```",
    "> We decided to use Y.",
    "| We decided | to use Z |",
    "<system-reminder>",
    "We decided to use W.",
    "</system-reminder>",
    "We decided to use V.",
  ].join("\n");
  assert.deepEqual(
    extractSentences(say(text)).map((found) => found.text),
    ["We decided to use V."],
  );
});

test("sentences are split by the rules of each script, not after abbreviations, dates and versions", () => {
  assert.deepEqual(splitSentences("Use v1.2.3, e.g. today. See example.com! Ok"), [
    "Use v1.2.3, e.g. today.",
    "See example.com!",
    "Ok",
  ]);
  assert.deepEqual(splitSentences("Am 4. Dezember um 12 Uhr. Gut."), ["Am 4. Dezember um 12 Uhr.", "Gut."]);
  assert.deepEqual(splitSentences("We use PostgreSQL 17. My name is Ada."), [
    "We use PostgreSQL 17.",
    "My name is Ada.",
  ]);
  assert.deepEqual(splitSentences("我叫李明。你好吗?好的！"), ["我叫李明。", "你好吗?", "好的！"]);
  assert.deepEqual(splitSentences("a b c.\n\n- d e f."), ["a b c.", "d e f."]);
});

test("a megabyte without the end of a sentence takes linear time", () => {
  for (const piece of [".", "a ", "we ", "- ", "x-", "1", "?!", ", ", "<a>", "haben uns ", "决定", "'"]) {
    extractSentences(say(piece.repeat(1_000_000 / piece.length)));
  }
});

test("a line covers a sentence when it has its words, in any order, but not with another number or name", () => {
  const isCovered = createCoverage(
    "- Ledger: we decided to use PostgreSQL 17 for the ledger\n- 我们决定用 PostgreSQL 做账本数据库\n",
  );
  assert.ok(isCovered("We decided to use PostgreSQL 17 for the ledger."));
  assert.ok(isCovered("我们决定用 PostgreSQL 做账本数据库。"));
  assert.ok(!isCovered("We decided to use PostgreSQL 18 for the ledger."));
  assert.ok(!isCovered("We decided to use MySQL."));
});

test("a negation, a swapped order, and another short name make a sentence new", () => {
  const isCovered = createCoverage(
    [
      "- We decided not to support Windows in version 2",
      "- We don't deploy on Fridays",
      "- We switched from npm to pnpm",
      "- We decided to host the staging cluster on GCP",
    ].join("\n"),
  );
  assert.ok(isCovered("We decided not to support Windows in version 2."));
  assert.ok(isCovered("We do not deploy on Fridays."));
  for (const changed of [
    "We decided to support Windows in version 2.",
    "We deploy on Fridays.",
    "We switched from pnpm to npm.",
    "We decided to host the staging cluster on AWS.",
  ]) {
    assert.ok(!isCovered(changed), changed);
  }
});

test("known sentences do not count towards the limit", () => {
  const known = Array.from({ length: 40 }, (_, number) => `We decided to use plan ${number}.`);
  const found = extractSentences(say(...known, "I prefer tea in the morning."), {
    isKnown: (sentence) => known.includes(sentence),
  });
  assert.deepEqual(
    found.map(({ text }) => text),
    ["I prefer tea in the morning."],
  );
});

test("a tag or fence that is never closed swallows nothing, and a broken line is one sentence", () => {
  assert.deepEqual(splitSentences("<T> is the type.\nWe use Zod."), ["<T> is the type.", "We use Zod."]);
  assert.deepEqual(splitSentences("```\nWe use Zod."), ["We use Zod."]);
  assert.deepEqual(splitSentences("<note>hidden\n</note>\nWe use Zod.\n</note>"), ["We use Zod.", "</note>"]);
  assert.deepEqual(splitSentences("We decided to use\r\nPostgreSQL 17 for the\r\nledger. It is fast."), [
    "We decided to use PostgreSQL 17 for the ledger.",
    "It is fast.",
  ]);
  assert.deepEqual(splitSentences("buy milk\ncall mum\n- We use Zod"), [
    "buy milk",
    "call mum",
    "We use Zod",
  ]);
});

test("a sentence without an end or a comma is split into parts of a readable length", () => {
  const long = `${"and then we looked at it again ".repeat(40)}and we decided to use PostgreSQL 17`;
  const found = extractSentences(say(long));
  assert.ok(found.some(({ text }) => text.includes("we decided to use PostgreSQL 17") && text.length <= 400));
});
