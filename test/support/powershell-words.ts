import assert from "node:assert/strict";

/**
 * The arguments that PowerShell passes to a program, by the rules of its argument mode: single and double quotes,
 * including typographic ones, doubled within themselves; a backtick escapes in double quotes. Fails if PowerShell would
 * see no command, expand a variable or create a list.
 */
export function wordsInPowerShell(line: string): string[] {
  const text = line.replace(/^& /, "");
  const isCalled = text !== line;
  const found = [...text.matchAll(word)];
  assert.equal(found.map(([whole]) => whole).join(""), text, "all of the line is words");
  return found.map(([whole, single, double, bare], index) => {
    assert.ok(index > 0 || bare !== undefined || isCalled, `${whole} is a text and no command`);
    assert.doesNotMatch(bare ?? "", /[$`,;|&(){}<>#]|^[@~]|^-[^-].*\./, "means something in a bare word");
    assert.doesNotMatch(double ?? "", /\$/, "is replaced in double quotes");
    if (single !== undefined) return single.replace(/(['‘’‚‛])['‘’‚‛]/g, "$1");
    return double?.replace(/`(.)|(["“”„])["“”„]/g, "$1$2") ?? bare ?? "";
  });
}

const word =
  /\s*(?:['‘’‚‛]((?:[^'‘’‚‛]|['‘’‚‛]{2})*)['‘’‚‛]|["“”„]((?:[^"“”„`]|["“”„]{2}|`.)*)["“”„]|([^\s'"‘’‚‛“”„]+))(?=\s|$)/gy;
