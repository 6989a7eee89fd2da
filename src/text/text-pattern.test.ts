import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { textPattern } from "./text-pattern.ts";

const sources = [
  String.raw`[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+`,
  String.raw`(?<![\p{L}\p{N}])\p{Lu}{2,4}(?![\p{L}\p{N}])`,
  String.raw`(?:\p{L}{2,}(?:[^e\P{L}])ed|agreed)(?![\p{L}\p{N}])`,
  String.raw`[+#%<>=&@^\p{Sc}\p{So}]+|(?<![\p{L}\p{N}])[-−](?=\d)`,
  String.raw`[^\p{L}\p{M}\p{N}\p{P}\s%$€£¥]|[?？/\\&@#*†‡§‰′″[\]{}^|]`,
  String.raw`\p{P}+`,
  String.raw`[\p{sc=Han}\p{sc=Hiragana}]|x(?![\p{sc=Latin}\p{N}])`,
  String.raw`[\]\p{N}]\]`,
];

const plainCharacters = Array.from({ length: 0x2028 }, (_, code) => String.fromCharCode(code))
  .filter((_, code) => code < 0x80 || code >= 0x2010)
  .concat("€", "→");

test("on plain text the plain form finds what the whole pattern finds", () => {
  const patterns = sources.map((source) => [textPattern(source, "g"), new RegExp(source, "gu")] as const);
  const plain = fc.string({ unit: fc.constantFrom(...plainCharacters), maxLength: 60 });
  const words = fc.stringMatching(/^[a-zA-Z ed0-9.,:'-]{0,60}$/);
  fc.assert(
    fc.property(fc.oneof(plain, words), (text) => {
      for (const [pattern, whole] of patterns) assert.deepEqual(text.match(pattern(text)), text.match(whole));
    }),
    { numRuns: 2000 },
  );
});

test("other texts get the original pattern", () => {
  const word = textPattern(String.raw`[\p{L}]+`, "g");
  assert.deepEqual("größer als 大".match(word("größer als 大")), ["größer", "als", "大"]);
});

test("a class that has no plain form is refused", () => {
  assert.throws(() => textPattern(String.raw`\p{Ll}`)("a"), /no plain form of \\p\{Ll\}/);
});
