import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { excerpt, hasHidden, isVisible, showHidden, showOnOneLine } from "./visible.ts";

test("escape sequences cannot reach the terminal", () => {
  assert.equal(showHidden("a\u001b[2Jb\u0007\u009b31m"), "a<U+001B>[2Jb<U+0007><U+009B>31m");
});

test("characters that change the direction or hide text are shown by their code points", () => {
  assert.equal(showHidden("pay\u202etxt\u200b\u{e0041}"), "pay<U+202E>txt<U+200B><U+E0041>");
});

test("ordinary text of any script, tabs, line ends and emoji stay as they are", () => {
  const text = "Überblick\t日本語\nсловарь می‌خواهم 👩‍💻";
  assert.equal(showHidden(text), text);
  assert.equal(showHidden("a\r\nb"), "a\nb");
});

test("joiners, variation selectors and tags stay where a script or an emoji needs them", () => {
  for (const text of [
    "👩‍💻 👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 🏃‍♀️‍➡️",
    "☎️ ☀︎ ✔︎ 3️⃣ #️⃣ ©️",
    "می‌خواهم نمی‌شود",
    "क्‍ष श्री‍",
    "葛\u{e0100}城市",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    "ᠮᠣᠩᠭᠣᠯ\u180b",
  ]) {
    assert.equal(showHidden(text), text);
    assert.equal(hasHidden(text), false, text);
  }
});

test("runs of joiners, variation selectors and tags, and single ones in plain text, are shown", () => {
  const hiding = [
    "a\u200cb",
    "a\u200db",
    "a\ufe0fb",
    "1\ufe0f",
    "a\ufe0f\u200d🔥",
    "❤\ufe0f\u200da",
    "می\u200c\u200d\u200cخواهم",
    "👩\u200d\u200d💻",
    "👩‍",
    "😀\ufe01\ufe02\ufe03",
    "😀\u{e0101}",
    "葛\u{e0100}\u{e0101}",
    "🏴\u{e0068}\u{e0069}\u{e007f}",
    "soft\u00adhyphen",
    "\u2062\u2063\u2064",
    "\ufeffa",
    "\u200b\u200e\u200f",
  ];
  for (const text of hiding) {
    assert.equal(hasHidden(text), true, JSON.stringify(text));
    assert.match(showHidden(text), /<U\+[0-9A-F]{4,6}>/);
  }
});

const odd = fc.constantFrom(
  ..."\u200b\u200c\u200d\ufe0f\ufe01\u{e0100}\u{e0041}\u{e007f}\u{1f3f4}👩💻1#ا葛a\t\r\n\v\f\u0085\u202e\u2028\u2029\u00ad",
);
const oddText = fc.string({ unit: odd, maxLength: 30 });

test("the result contains no hidden characters", () => {
  fc.assert(
    fc.property(oddText, (text) => {
      assert.equal(hasHidden(showHidden(text)), false);
      assert.equal(hasHidden(text), showHidden(text) !== text.replaceAll("\r\n", "\n"));
    }),
    { seed: 11, numRuns: 2000 },
  );
});

test("a name takes one line, whatever is in it, and is cut to its length", () => {
  assert.equal(showOnOneLine("a\r\nb\tc\u2028d\u0085e"), "a<U+000A>b<U+0009>c<U+2028>d<U+0085>e");
  assert.equal(showOnOneLine("abcdef", 4), "abc…");
  fc.assert(
    fc.property(oddText, fc.integer({ min: 1, max: 20 }), (text, max) => {
      const shown = showOnOneLine(text, max);
      assert.doesNotMatch(shown, /[\r\n\u0085\u2028\u2029\v\f\t]/);
      assert.ok(shown.length <= max);
    }),
  );
});

test("the quick check of a text changes no result", () => {
  for (let code = 0; code <= 0xffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const text = `x ${String.fromCharCode(code)} y`;
    // Surrogate pairs take the slow path.
    assert.equal(hasHidden(text), hasHidden(`${text} 😀`), `U+${code.toString(16)}`);
  }
});

test("text that passes as visible never has a character that Unicode lets programs ignore", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (isVisible(character)) assert.doesNotMatch(character, /\p{Default_Ignorable_Code_Point}/u);
  }
});

test("An excerpt is one line of at most 200 whole characters", () => {
  assert.equal(excerpt(" a\n\tb\u0000\u001b[31mc\u202e "), "a b [31mc");
  for (const text of ["x".repeat(5000), "🙂".repeat(201), "🙂".repeat(5000)]) {
    const short = excerpt(text);
    assert.equal([...short].length, 200);
    assert.ok(short.isWellFormed() && short.endsWith("…"));
  }
  assert.equal(excerpt("🙂".repeat(200)), "🙂".repeat(200));
  assert.equal(excerpt("one two three", 8), "one two…");
});
