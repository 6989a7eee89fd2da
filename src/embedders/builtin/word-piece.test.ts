import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { describeTokenizer } from "../../../test/support/tiny-model.ts";
import { parseTokenizerFile } from "./tokenizer-file.ts";
import { createWordPieceTokenizer, type NormaliserOptions, rewriteCharacter } from "./word-piece.ts";

const models = new URL("../../../models/builtin/", import.meta.url);
const read = (name: string): string => fs.readFileSync(new URL(name, models), "utf8");
const shipped = createWordPieceTokenizer(parseTokenizerFile(read("tokenizer.json"), "tokenizer.json"));

test("The reference texts of the model are tokenized as in its training", () => {
  const examples: { text: string; ids: number[] }[] = JSON.parse(read("test-vectors.json"));
  assert.equal(examples.length, 30);
  for (const { text, ids } of examples) assert.deepEqual(shipped.tokenize(text), ids, text);
});

const pieces = "[PAD] [UNK] a b ab ##a ##b ##abc c , ; < 中 ##中 σ ##σ 😀 ##😀 é e ##e $ € k".split(" ");
const tiny = tokenizerOf({});

function tokenizerOf(normalizer: object): (text: string) => string[] {
  const file = parseTokenizerFile(describeTokenizer(pieces, { normalizer }), "t");
  const tokenizer = createWordPieceTokenizer(file);
  return (text) => tokenizer.tokenize(text).map((id) => pieces[id]!);
}

test("Words end at white space and around each punctuation character and Chinese character", () => {
  assert.deepEqual(tiny("a\tb\n a\u00a0b\u2029c"), ["a", "b", "a", "b", "c"]);
  assert.deepEqual(tiny("a,,b"), ["a", ",", ",", "b"]);
  assert.deepEqual(tiny("a$a€"), ["a", "$", "[UNK]"]);
  assert.deepEqual(tiny("a中中b"), ["a", "中", "中", "b"]);
  assert.deepEqual(tokenizerOf({ handle_chinese_chars: false })("中中"), ["中", "##中"]);
});

test("Characters are cleaned, stripped of accents and lower-cased as the file says", () => {
  assert.deepEqual(tiny("É e\u0301 \u0000a\u200db\u{e000}\ud800"), ["e", "e", "ab"]);
  assert.deepEqual(tiny("ΣΣ"), ["σ", "##σ"]);
  assert.deepEqual(tiny("\u037e \u226e \u212a"), [";", "<", "k"]);
  assert.deepEqual(tokenizerOf({ strip_accents: false })("É"), ["é"]);
  assert.deepEqual(tokenizerOf({ lowercase: false })("A é"), ["[UNK]", "é"]);
  assert.deepEqual(tokenizerOf({ clean_text: false })("a\u0000 a"), ["[UNK]", "a"]);
});

test("The longest piece is taken first, and a word with an unknown rest is unknown as a whole", () => {
  assert.deepEqual(tiny("ababcab"), ["ab", "##abc", "##a", "##b"]);
  assert.deepEqual(tiny("abz a"), ["[UNK]", "a"]);
});

test("A word over the maximum length, in characters, is unknown", () => {
  assert.equal(tiny("a".repeat(40)).length, 40);
  assert.deepEqual(tiny(`${"a".repeat(41)} b`), ["[UNK]", "b"]);
  assert.equal(tiny("😀".repeat(40)).length, 40);
  assert.deepEqual(tiny("😀".repeat(41)), ["[UNK]"]);
  assert.deepEqual(tiny("a".repeat(1 << 20)), ["[UNK]"]);
  assert.deepEqual(tokenizerOf({ clean_text: false })("\udc00".repeat(200)), ["[UNK]"]);
});

test("Any text is tokenized as by a plain implementation of the rules", () => {
  const known = fc.constantFrom(..."ab c,;<中σΣ😀éÉ$€\t\u0301\u0000가Ω-");
  const texts = fc.array(fc.oneof({ weight: 3, arbitrary: known }, fc.string({ unit: "binary" })));
  const check = fc.property(texts, (parts) => {
    const text = parts.join("");
    assert.deepEqual(tiny(text), naivePieces(text));
  });
  fc.assert(check, { seed: 14, numRuns: 2000 });
});

test("More distinct characters than the cache holds do not change the result", () => {
  const all = Array.from({ length: 20_000 }, (_, i) => String.fromCodePoint(0x3400 + i)).join("");
  assert.equal(tiny(`a${all}a`).filter((piece) => piece === "a").length, 2);
});

/** The reference implementation on whole strings and sets, for the options of `tiny`. */
function naivePieces(text: string): string[] {
  const clean = text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu, "")
    .replace(/./gsu, (character) => (isChinese(character) ? ` ${character} ` : character));
  const plain = [...clean.normalize("NFD").replace(/\p{Mn}/gu, "")].map((c) => c.toLowerCase()).join("");
  const words = plain.replace(/[\p{P}$+<=>^`|~]/gu, " $& ").split(/\p{White_Space}+/u);
  return words.filter((word) => word !== "").flatMap(naiveSplit);
}

function isChinese(character: string): boolean {
  const code = character.codePointAt(0)!;
  const ranges = [
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
    [0x20000, 0x2a6df],
    [0x2a700, 0x2ceaf],
    [0x2f800, 0x2fa1f],
  ];
  return ranges.some(([first, last]) => code >= first! && code <= last!);
}

function naiveSplit(word: string): string[] {
  const characters = [...word];
  if (characters.length > 40) return ["[UNK]"];
  const found: string[] = [];
  for (let start = 0; start < characters.length; ) {
    let end = characters.length;
    const piece = (): string => (start === 0 ? "" : "##") + characters.slice(start, end).join("");
    while (end > start && !pieces.includes(piece())) end--;
    if (end === start) return ["[UNK]"];
    found.push(piece());
    start = end;
  }
  return found;
}

const dropped = /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u;
const punctuation = /^[\p{P}$+<=>^`|~]/u;
const chinese =
  /^[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;

/** The same by Unicode classes alone: slow, but easy to read. */
function rewriteByClass(character: string, options: NormaliserOptions): string {
  if (options.cleanText && dropped.test(character)) return "";
  if (/^\p{White_Space}/u.test(character)) return " ";
  let rewritten = "";
  for (const part of options.stripAccents ? character.normalize("NFD") : character) {
    if (options.stripAccents && /^\p{Mn}/u.test(part)) continue;
    const folded = options.lowerCase ? part.toLowerCase() : part;
    rewritten += punctuation.test(folded) ? ` ${folded} ` : folded;
  }
  return options.isolateChinese && chinese.test(character) ? ` ${rewritten} ` : rewritten;
}

test("Every character is normalized by its Unicode class", () => {
  const [all, none] = [true, false].map((value) => ({
    cleanText: value,
    isolateChinese: value,
    stripAccents: value,
    lowerCase: value,
  })) as [NormaliserOptions, NormaliserOptions];
  for (const options of [all, none, { ...all, stripAccents: false }, { ...none, stripAccents: true }]) {
    for (let code = 0x80; code <= 0x11000; code++) {
      const character = String.fromCodePoint(code);
      const expected = rewriteByClass(character, options);
      assert.equal(
        rewriteCharacter(character, options),
        expected,
        `${code.toString(16)} ${JSON.stringify(options)}`,
      );
    }
  }
});
