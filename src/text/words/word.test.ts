import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { analyzeWord, isHash, maxWordLength } from "./word.ts";
import { wordEnd } from "./word-characters.ts";

const wordsOf = (raw: string) => [...analyzeWord(raw).words];
const allOf = (raw: string) => {
  const { words, extras } = analyzeWord(raw);
  return [...words, ...extras];
};

suite("analyzeWord", () => {
  test("gives one stem for all spellings of a word", () => {
    for (const spellings of [
      ["Straße", "STRASSE", "strasse", "Stra\u00adße"],
      ["Café", "cafe", "CAFE\u0301", "ｃａｆｅ"],
      ["Ελλάδα", "ΕΛΛΑΔΑ", "ελλαδα"],
      ["ёлка", "Елка", "ЁЛКА"],
      ["كِتَاب", "كتاب", "كتـــاب"],
      ["שָׁלוֹם", "שלום"],
      ["हिंदी", "हिन्दी"],
      ["ﬁle", "file", "FILE"],
      ["١٢٣", "123", "１２３", "१२३"],
    ]) {
      assert.equal(new Set(spellings.map((each) => wordsOf(each).join())).size, 1, spellings.join(" "));
    }
  });

  test("gives parts of an identifier, the whole of it, and its neighbours", () => {
    assert.deepEqual(wordsOf("maxResults"), ["max", "result"]);
    assert.deepEqual(analyzeWord("maxResults").extras, ["maxresult", "max.results"]);
    assert.deepEqual(analyzeWord("max_results"), analyzeWord("maxResults"));
    assert.deepEqual(analyzeWord("MAX_RESULTS"), analyzeWord("maxResults"));
    assert.deepEqual(wordsOf("HTTPServerError"), ["http", "server", "error"]);
    assert.deepEqual(wordsOf("parseJSON"), ["pars", "json"]);
    assert.deepEqual(wordsOf("utf8Decode"), ["utf8", "decod"]);
  });

  test("gives the whole of a name in mixed case as others write it", () => {
    for (const [mixed, plain] of [
      ["YouTube", "youtube"],
      ["iPhone", "iphone"],
      ["PostgreSQL", "postgresql"],
      ["JavaScript", "Javascript"],
      ["maxResults", "maxresults"],
    ] as const) {
      assert.ok(allOf(mixed).includes(wordsOf(plain)[0]!), mixed);
    }
  });

  test("treats the s after an acronym as a plural", () => {
    assert.deepEqual(allOf("APIs"), allOf("API"));
    assert.deepEqual(allOf("URLs"), allOf("url"));
    assert.deepEqual(wordsOf("userIDs"), ["user", "id"]);
    assert.deepEqual(wordsOf("IDsByName"), ["id", "by", "name"]);
    assert.deepEqual(wordsOf("HTTPSession"), ["http", "session"]);
  });

  test("does not let underscores that mark emphasis change a word", () => {
    assert.deepEqual(analyzeWord("_important_"), analyzeWord("important"));
    assert.deepEqual(analyzeWord("__init__").words, ["init"]);
    assert.deepEqual(allOf("___"), []);
  });

  test("keeps commit ids whole", () => {
    assert.deepEqual(allOf("7F3A2B1C"), ["7f3a2b1c"]);
    assert.ok(isHash("7f3a2b1") && isHash(`${"a".repeat(63)}1`));
    for (const no of ["facade", "123456", "7f3a2", "7f3a2g1", `${"a".repeat(64)}1`])
      assert.ok(!isHash(no), no);
  });

  test("finds a name by its letters without the number", () => {
    assert.deepEqual(allOf("server42"), ["server42", "server"]);
    assert.deepEqual(allOf("42servers"), ["42servers", "server"]);
    assert.deepEqual(allOf("x86"), ["x86"], "too few letters to be a word");
  });

  test("gives pairs for scripts without spaces, and the last character alone", () => {
    assert.deepEqual(analyzeWord("東京都"), {
      words: ["東京", "京都"],
      extras: ["都"],
      first: "",
      last: "",
      isRun: true,
    });
    assert.deepEqual(allOf("水"), ["水"]);
    assert.deepEqual(allOf("𠮷野家"), ["𠮷野", "野家", "家"]);
  });

  test("gives the same pairs for full and half width, composed and decomposed", () => {
    for (const run of ["ガギグ", "パーティー", "데이터", "한국어", "ไทยแลนด์", "น้ำ"]) {
      assert.deepEqual(allOf(run.normalize("NFD")), allOf(run), run);
    }
    assert.deepEqual(allOf("ｶﾞｷﾞｸﾞ"), allOf("ガギグ"));
    assert.deepEqual(allOf("ﾊﾟｰﾃｨｰ"), allOf("パーティー"));
    assert.deepEqual(allOf("葛\u{e0100}城市"), allOf("葛城市"), "a variation selector changes no name");
  });

  test("truncates long words at the same letter in any spelling", () => {
    const long = "ü".repeat(70);
    assert.deepEqual(analyzeWord(long), analyzeWord(long.normalize("NFD")));
    assert.deepEqual(analyzeWord([...long].join("\u00ad")), analyzeWord(long));
    assert.ok(allOf("x".repeat(1_000_000)).every(({ length }) => length <= maxWordLength));
    assert.equal(wordsOf("𐐨".repeat(40)).join().length, maxWordLength, "never inside a pair");
  });

  test("loses no pair of a sentence without spaces, however long", () => {
    for (const alphabet of [
      "会议记录数据库迁移到新机器之后的第一个星期",
      "การประชุมครั้งต่อไปจะจัดขึ้นที่สำนักงานใหม่",
    ]) {
      const sentence = [...alphabet.repeat(20)].slice(0, 300);
      const tokens = new Set(wordsOf(sentence.join("")));
      for (let i = 1; i < sentence.length; i++) {
        const pair = sentence[i - 1]! + sentence[i]!;
        assert.ok(tokens.has(pair), `${pair} at ${i}`);
      }
      assert.equal(wordsOf(sentence.join("")).length, 299);
    }
  });

  test("gives tokens without spaces for any word", () => {
    const words = fc
      .string({ unit: "binary", minLength: 1, maxLength: 90 })
      .map((text) => text.slice(0, wordEnd(text, 0)))
      .filter((raw) => raw !== "");
    fc.assert(
      fc.property(words, (raw) => {
        for (const token of allOf(raw)) {
          assert.notEqual(token, "");
          assert.doesNotMatch(token, /[\s"\p{Cc}\p{Cs}]/u);
        }
      }),
      { seed: 12, numRuns: 2000 },
    );
  });

  test("gives tokens without spaces for every single character", () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      if (wordEnd(character, 0) === 0) continue;
      for (const token of allOf(character)) {
        if (token === "" || /[\s"\p{Cc}\p{Cs}]/u.test(token)) assert.fail(`U+${point.toString(16)}`);
      }
    }
  });
});
