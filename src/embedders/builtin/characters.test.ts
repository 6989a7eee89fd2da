import assert from "node:assert/strict";
import { test } from "node:test";
import { type NormaliserOptions, rewriteCharacter } from "./characters.ts";

const dropped = /^(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/u;
const punctuation = /^[\p{P}$+<=>^`|~]/u;
const chinese =
  /^[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;

/** The same by the classes of Unicode alone: slow to begin with, and easy to read. */
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

test("Every character becomes what its class in Unicode says", () => {
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
