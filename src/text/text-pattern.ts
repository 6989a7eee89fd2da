import { once } from "./once.ts";

/** A pattern with Unicode classes, in the form that suits a text. */
export interface TextPattern {
  (text: string): RegExp;
  readonly source: string;
}

/**
 * V8 takes a millisecond to compile a Unicode class, so a short-lived process would spend most of its time on that. On
 * plain text, whose letters and digits are ASCII, a pattern without Unicode classes finds the same. Each form is
 * compiled when a text first needs it. The source is a string because a literal would be parsed at once.
 */
export function textPattern(source: string, flags = ""): TextPattern {
  const forPlain = once(() => new RegExp(plainForm(source), flags));
  const forAll = once(() => new RegExp(source, `${flags}u`));
  return Object.assign((text: string) => (plain.test(text) ? forPlain() : forAll()), { source });
}

/** ASCII, typographic dashes and quotation marks, the euro sign and the arrow. */
const plain = /^[\u0000-\u007f\u2010-\u2027€→]*$/;

/** What a Unicode class matches in plain text, as the inside of a character class. */
const plainClasses: Readonly<Record<string, string>> = {
  L: "A-Za-z",
  Lu: "A-Z",
  M: "",
  N: "0-9",
  P: "!-#%-*,-\\/:;?@[-\\]_{}\u2010-\u2027",
  Sc: "$€",
  So: "",
  "sc=Han": "",
  "sc=Hiragana": "",
  "sc=Katakana": "",
  "sc=Latin": "A-Za-z",
};

function plainForm(source: string): string {
  let isInClass = false;
  return source.replace(/\\p\{([^}]+)\}|\\P\{L\}|\\.|[[\]]/g, (part: string, name?: string) => {
    if (name !== undefined) {
      const inside = plainClasses[name];
      if (inside === undefined) throw new Error(`There is no plain form of ${part}.`);
      return isInClass ? inside : `[${inside}]`;
    }
    // No pattern uses it outside a class.
    if (part === "\\P{L}") return "\\0-@[-`{-\\uffff";
    if (part === "[" && !isInClass) isInClass = true;
    else if (part === "]") isInClass = false;
    return part;
  });
}
