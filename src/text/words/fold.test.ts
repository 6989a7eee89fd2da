import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldWord } from "./fold.ts";

const alike: Record<string, readonly (readonly string[])[]> = {
  "case and diacritics": [
    ["Müller", "MULLER", "Mu\u0308ller"],
    ["école", "ecole", "ÉCOLE"],
    ["Łódź", "lodz"],
    ["ström", "strom"],
    ["Straße", "STRASSE", "straẞe"],
    ["Ærø", "aero"],
    ["cœur", "coeur"],
    ["Đorđe", "dorde"],
    ["Þór", "thor"],
    ["İstanbul", "ISTANBUL", "ıstanbul"],
    ["Việt", "viet"],
    ["người", "nguoi"],
    ["đường", "duong"],
    ["ăâêôơư", "aaeoou"],
  ],
  "width and ligatures": [
    ["ﬁn", "fin"],
    ["１２３", "123"],
    ["ＡＢＣ", "abc"],
    ["ｶﾞｲﾄﾞ", "ガイド"],
    ["soft\u00adhyphen", "softhyphen"],
  ],
  Greek: [
    ["Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
    ["Αθήνα", "αθηνα"],
    ["προϋπόθεση", "προυποθεση"],
  ],
  Cyrillic: [
    ["Ёлка", "елка"],
    ["за\u0301мок", "замок"],
    ["Київ", "київ", "Киі\u0308в"],
    ["Йод", "йод", "и\u0306од"],
  ],
  Arabic: [
    ["كِتَابٌ", "كتاب", "كـتـاب"],
    ["أحمد", "احمد", "إحمد", "ٱحمد"],
    ["آخر", "اخر"],
    ["مدرسة", "مدرسه"],
    ["مصطفى", "مصطفي"],
    ["کتابی", "كتابي"],
    ["رئیس", "رييس"],
    ["٢٠٢٤", "۲۰۲۴", "2024"],
    ["ﻻ", "لا"],
  ],
  Hebrew: [["שָׁלוֹם", "שלום"]],
  "Indic scripts": [
    ["हिन्दी", "हिंदी"],
    ["ज़रूर", "ज़रूर", "जरूर"],
    ["हूँ", "हूं"],
    ["१२३", "123"],
    ["ন্\u200dত", "ন্ত"],
    ["അവന്\u200d", "അവൻ"],
  ],
};

const apart: readonly (readonly [string, string])[] = [
  ["й", "и"],
  ["мой", "мои"],
  ["ї", "і"],
  ["ў", "у"],
  ["कि", "क"],
  ["की", "का"],
  ["যায়", "যায"],
  ["ป่า", "ปา"],
  ["ガ", "カ"],
  ["가", "거"],
];

for (const [what, groups] of Object.entries(alike)) {
  test(`Spellings that differ in ${what} fold to one word.`, () => {
    for (const group of groups) {
      const folded = new Set(group.map(foldWord));
      assert.equal(folded.size, 1, `${group.join(" ")} gave ${[...folded].join(" ")}`);
    }
  });
}

test("Marks that distinguish letters stay.", () => {
  for (const [one, other] of apart) assert.notEqual(foldWord(one), foldWord(other), `${one} ${other}`);
  for (const word of ["ที่", "น้ำ", "ນ້ຳ", "สวัสดี", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "ជា", "မြန်မာ"]) {
    assert.equal(foldWord(word), word);
  }
});

test("Every decimal digit of Unicode becomes an ASCII digit.", () => {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (/\p{Nd}/u.test(character)) assert.match(foldWord(character), /^[0-9]$/);
  }
  assert.equal(foldWord("០១២៣៤៥៦៧៨៩"), "0123456789");
});

test("Folding a folded character does not change it.", () => {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const folded = foldWord(character);
    // Most stay as they are, and a million assertions take longer than the folding.
    if (folded !== character && foldWord(folded) !== folded) assert.fail(`U+${codePoint.toString(16)}`);
  }
});

test("Folding is idempotent, independent of the normal form, bounded in growth, free of white space.", () => {
  const marks = fc.constantFrom(
    ..."\u0300\u0301\u0306\u0308\u0323\u031b\u034f\u0483\u05b7\u064b\u0654\u093c\u0901\u3099",
  );
  const letters = fc.constantFrom(..."aßæİσΣеёиіїЯكأیکהшनकडமก가カ\u1160\u200d\u00ad0९ﷺä¨ͺяйéوأกำา");
  const word = fc.string({ unit: fc.oneof(marks, letters, fc.string({ unit: "binary", maxLength: 1 })) });
  fc.assert(
    fc.property(word, (input) => {
      const folded = foldWord(input);
      assert.equal(foldWord(folded), folded);
      assert.equal(foldWord(input.normalize("NFD")), folded);
      assert.ok(folded.length <= 18 * input.length);
      assert.doesNotMatch(folded, /[^\u0000-\u007f]*[\u00a0\u1680\u2000-\u200a\u3000]/);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

test("A very long run of marks is folded in linear time.", () => {
  assert.equal(foldWord(`a${"\u0301".repeat(200_000)}`), "a");
  assert.equal(foldWord(`е${"\u0301".repeat(200_000)}`), "е");
});

test("a letter folds the same alone and next to a letter of another script", () => {
  for (let code = 0x30; code < 0x2000; code++) {
    const letter = String.fromCharCode(code);
    if (!/[\p{L}\p{N}]/u.test(letter)) continue;
    // A word with a letter beyond those that are known alone (this one is Georgian) is folded by all rules.
    assert.equal(`${foldWord(letter)}ⴀ`, foldWord(`${letter}ⴀ`), letter);
  }
});
