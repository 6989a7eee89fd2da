import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { fencesOf, firstTextLine, frontMatterLines, isNavigation, kindsOfLines } from "./line-kinds.ts";

const itemsOf = (...lines: string[]) => kindsOfLines(lines).map(({ isItem }) => isItem);

suite("kindsOfLines", () => {
  test("counts sections by their headings", () => {
    const sections = kindsOfLines(["before", "# One", "text", "## Two", "#no heading", "text"]).map(
      (kind) => kind.section,
    );
    assert.deepEqual(sections, [0, 1, 1, 2, 2, 2]);
  });

  test("recognizes fenced code with its fences, even if it is never closed", () => {
    const fences = (...lines: string[]) => kindsOfLines(lines).map(({ fence }) => fence);
    assert.deepEqual(
      fences("a", "```ts", "# no heading", "```", "b", "~~~", "c", "~~~"),
      [0, 1, 1, 1, 0, 2, 2, 2],
    );
    assert.deepEqual(fences("```", "a", "b"), [1, 1, 1]);
    assert.deepEqual(
      kindsOfLines(["```", "# x", "```", "# y"]).map(({ section }) => section),
      [0, 0, 0, 1],
    );
  });

  test("recognizes list items and turns of a conversation, with their continuation lines", () => {
    assert.deepEqual(itemsOf("- one", "  goes on", "", "- two", "plain"), [true, true, true, true, false]);
    assert.deepEqual(itemsOf("1. one", "2) two", "* three", "+ four"), [true, true, true, true]);
    assert.deepEqual(itemsOf("Ada: hello", "**Bob:** hi", "[Eve]: hm"), [true, true, true]);
    assert.deepEqual(itemsOf("A sentence. With a colon: here", "plain", "12:30 lunch", "http://x"), [
      false,
      false,
      false,
      false,
    ]);
    assert.deepEqual(itemsOf("```", "- no item", "```"), [false, false, false]);
  });

  test("recognizes turns of a conversation in every script", () => {
    const turns = [
      "Сад: полить",
      "Άννα: ναι",
      "דנה: כן",
      "سارة: نعم",
      "सीता: हाँ",
      "田中: はい",
      "user: 你好",
      "Ǆ: да",
    ];
    for (const line of [...turns, "**Имя:** да", "«Ω»: ναι"]) assert.deepEqual(itemsOf(line), [true], line);
    const others = [
      "Сад. Полить: завтра",
      "в 12:30 обед",
      "Время: ",
      "١٢: نعم",
      "имя:**да нет",
      "адрес:http://пример x",
    ];
    for (const line of others) assert.deepEqual(itemsOf(line), [false], line);
  });

  test("recognizes the same turns as a single expression for all scripts", () => {
    const turn = /^[^\p{L}\p{N}\s]{0,3}\p{L}[^.!?:]{0,30}:[^\p{L}\p{N}\s]{0,3}\s\S/u;
    const unit = fc.constantFrom(..."aZé1٣ЖжΩאمनไあ漢가:::: ..!*«»-\t_\u0301😀Ǆ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), fc.constantFrom("", "Имя: ", "x: "), (text, before) => {
        const line = `x${before}${text}`.slice(before === "" ? 1 : 0);
        if (/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) return;
        assert.deepEqual(itemsOf(line), [turn.test(line.slice(0, 40))], line);
      }),
      { seed: 17, numRuns: 5000 },
    );
  });

  test("fences alone are the same as in the full kinds", () => {
    for (const text of ["a\nb", "a\n```\nb\n```\nc", "~~~\na", "a ``` b\n~~ c", "```\n~~~\n```\n  ~~~"]) {
      const known = kindsOfLines(text.split("\n")).map(({ fence }) => fence);
      assert.deepEqual(fencesOf(text) ?? known.map(() => 0), known, text);
    }
  });

  test("classifies every line, in linear time", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 30 })), (lines) => {
        const kinds = kindsOfLines(lines);
        assert.equal(kinds.length, lines.length);
        for (let i = 1; i < kinds.length; i++) assert.ok(kinds[i]!.section >= kinds[i - 1]!.section);
      }),
      { seed: 141 },
    );
    for (const part of [" ", "#", "-", "`", "a", "*", "1", "[", "漢"]) {
      assert.equal(kindsOfLines([part.repeat(1_000_000), `${part.repeat(1_000_000)}:`]).length, 2);
    }
  });
});

test("Links with arrows, and links to days, are navigation", () => {
  for (const line of [
    "<< [[2025-03-04]] >>",
    "<< [[2025-03-03]] | [[2025-03-05]] >>",
    "← [yesterday](2025-03-03.md) · [tomorrow](2025-03-05.md) →",
    "[[2025-03-03|Yesterday]] [[2025-03-05|Tomorrow]]".replaceAll(/\|\w+/g, ""),
    "prev: [[Sprint 3]] next: [[Sprint 5]]",
    "**[[Home]]** | [[Projects]] | [[People]]",
    "- [[2025-03-04]]",
  ]) {
    assert.ok(isNavigation(line), line);
  }
});

test("Lines with content, lists of links and headings are not", () => {
  for (const line of [
    "Talked to [[Ada]] about the move",
    "- [[Ada]]",
    "- [ ] call [[Ada]]",
    "[[Ada]]",
    "# 2025-03-04",
    "2025-03-04",
    "a > b",
    "",
    "[x] done",
  ]) {
    assert.ok(!isNavigation(line), line);
  }
});

test("The text of a chunk begins after front matter and navigation", () => {
  const text = "---\ntitle: Day\n---\n\n<< [[2025-03-04]] >>\n# Tuesday\nText";
  assert.equal(frontMatterLines({ lines: { start: 1, end: 7 }, text }), 3);
  assert.equal(firstTextLine({ lines: { start: 1, end: 7 }, text }), 6);
  assert.equal(frontMatterLines({ lines: { start: 9, end: 15 }, text }), 0);
  assert.equal(firstTextLine({ lines: { start: 5, end: 5 }, text: "<< [[2025-03-04]] >>" }), 5);
});
