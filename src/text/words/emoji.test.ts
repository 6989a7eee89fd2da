import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createAnalyzer } from "./analyze.ts";
import { emojiEnd } from "./emoji.ts";

const analyzer = createAnalyzer();
const tokensOf = (text: string) => analyzer.indexText(text).trim();

suite("emoji", () => {
  test("are tokens beside the words", () => {
    assert.equal(tokensOf("Harvest 🍅 today✅"), "harvest todai 🍅 ✅");
    assert.equal(tokensOf("🎉"), "🎉");
  });

  test("are the same in every skin tone and presentation", () => {
    for (const written of ["👍", "👍🏽", "👍🏿"]) assert.equal(tokensOf(written), "👍");
    for (const written of ["❤", "❤\ufe0f"]) assert.equal(tokensOf(written), "❤");
  });

  test("in a joined sequence are found one by one", () => {
    assert.equal(tokensOf("👩‍💻"), "👩 💻");
  });

  test("combine two regional indicators into one flag", () => {
    assert.equal(tokensOf("🇵🇹🇫🇷"), "🇵🇹 🇫🇷");
  });

  test("do not include arrows, frames and numbers", () => {
    for (const sign of ["→", "➡", "│", "❶", "①", "«", "…", "𐍈", "𝐀", "🂡", "⌚".slice(1), "⌲"])
      assert.equal(emojiEnd(sign, 0), 0, sign);
  });

  test("are recognized from the first to the last of each block", () => {
    for (const sign of ["⌚", "⌛", "⏩", "⏳", "⭐", "⭕", "🀄", "🃏", "🌀", "\u{1faff}"]) {
      assert.equal(emojiEnd(sign, 0), sign.length, sign);
    }
    for (const sign of ["\u{1fb00}", "⏴", "⌜", "⭖"]) assert.equal(emojiEnd(sign, 0), 0, sign);
  });

  test("take at least a character and never more than there is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (let at = 0; at < text.length; at++) {
          const end = emojiEnd(text, at);
          assert.ok(end >= at && end <= text.length);
        }
      }),
    );
  });
});
