import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCodeUnits } from "./code-units.ts";
import { isUnspaced, plainWordEnd, wordEnd } from "./word-characters.ts";

const attached = String.raw`[\p{M}\u00ad\u200c\u200d]`;
const letter = String.raw`[\p{L}\p{N}\p{Co}_]`;
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3006\u3031-\u3035\u30fc\uff70\uff9e\uff9f]`;
/** The same as one regular expression: slow, but easy to read. */
const word = new RegExp(
  `${attached}*(?:(?:(?=${letter})${unspaced}${attached}*)+|(?:(?!${unspaced})${letter}${attached}*)+)|${attached}+`,
  "uy",
);

function naiveEnd(text: string, start: number): number {
  word.lastIndex = start;
  // A sticky Unicode expression steps back into the pair that it is put in the middle of.
  if (isInsidePair(text, start)) return start;
  return start + (word.exec(text)?.[0].length ?? 0);
}

function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

const unitsOf = createCodeUnits();

function checkEverywhere(text: string): void {
  const units = unitsOf(text);
  for (let start = 0; start <= text.length; start++) {
    const [end, place] = [naiveEnd(text, start), `at ${start} in ${JSON.stringify(text)}`];
    assert.equal(wordEnd(text, start), end, place);
    assert.equal(plainWordEnd(text, units, start), end, place);
  }
}

const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(
    ..."a Z_9é\u0301\u0308ßжאم",
    ..."漢字ひカｶﾞー々가ไทยກမ",
    "\u00ad",
    "\u200c",
    "\u200d",
    "\u3099",
    "\ue000",
    "\ufe0f",
    "\ud800",
    "\udc00",
    "𠮷",
    "𝒳",
    "👩",
    "\u{e0100}",
    "\u{f0000}",
    "\n",
    "\0",
    "'",
    ".",
  ),
);

test("A text cut inside a surrogate pair ends there, however often it is read", () => {
  // First of all tests: half-compiled code of some Node versions looks beyond the end of a slice.
  for (let i = 0; i < 3000; i++) {
    // Long enough for the engine to keep it as a slice of the whole.
    const cut = `a text that is long enough 𠮷${i}`.slice(0, 28);
    assert.equal(wordEnd(cut, 27), 27, `the ${i}th time`);
  }
});

test("Words end where the regular expression says, in any string of code units", () => {
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 24 }).map((units) => units.join("")),
      checkEverywhere,
    ),
    {
      seed: 11,
      numRuns: 3000,
    },
  );
});

test("Every character of the basic plane is classified as the regular expression does, twice", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const text = String.fromCharCode(code);
    const end = naiveEnd(text, 0);
    assert.equal(wordEnd(text, 0), end, code.toString(16));
    assert.equal(wordEnd(text, 0), end, `${code.toString(16)} when it is known already`);
  }
});

test("Scripts without spaces are classified as by the regular expression, and pictures are not letters", () => {
  const expression = new RegExp(unspaced, "u");
  for (let code = 0; code <= 0xffff; code++) {
    const text = String.fromCharCode(code);
    assert.equal(isUnspaced(text), expression.test(text), code.toString(16));
    assert.equal(isUnspaced(`a${text}b`), expression.test(text), `${code.toString(16)} between letters`);
  }
  for (let point = 0x1f2f0; point <= 0x1fb10; point++) {
    const text = String.fromCodePoint(point);
    assert.equal(wordEnd(text, 0), naiveEnd(text, 0), point.toString(16));
  }
});

test("A word ends between scripts with and without spaces", () => {
  assert.equal(wordEnd("GPT模型", 0), 3);
  assert.equal(wordEnd("模型GPT", 0), 2);
  assert.equal(wordEnd("API는", 0), 3);
  assert.equal(wordEnd("東京タワーに", 0), 6, "Han and kana are one run");
});

test("Marks and joiners stay with their letter, wherever they are", () => {
  assert.equal(wordEnd("nin\u0303o.", 0), 5);
  assert.equal(wordEnd("か\u3099く", 0), 3, "a voicing mark does not break a run");
  assert.equal(wordEnd("葛\u{e0100}城", 0), 4, "nor does a variation selector");
  assert.equal(wordEnd("Dampf\u00adschiff ", 0), 12);
});

test("Lone surrogates, emoji and controls are in no word", () => {
  for (const text of ["\ud800", "\udc00", "\udc00\ud800", "👩", "\0", "\u2028", "\ufeff", "\u200b"]) {
    assert.equal(wordEnd(text, 0), 0, JSON.stringify(text));
  }
});

test("Scripts without spaces are recognized by any of their characters", () => {
  for (const text of ["漢", "ひ", "カ", "ー", "々", "가", "ไ", "ກ", "ក", "မ", "x漢"])
    assert.ok(isUnspaced(text), text);
  for (const text of ["", "abc", "ñandú", "жук", "שלום", "سلام", "नमस्ते", "123"])
    assert.ok(!isUnspaced(text), text);
});
