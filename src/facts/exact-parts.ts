import { replaceEnclosed } from "../text/enclosed.ts";
import { textPattern } from "../text/text-pattern.ts";
import { foldWord } from "../text/words/fold.ts";

/** What two lines must share before one can replace the other, however similar their words are. */
export interface ExactParts {
  /** Code, link targets, struck-out text, a leading time, and symbols, as written. */
  readonly written: string;
  /** Folded words and how they are spelled: `userId` is not `userID`, and schon is not schön. */
  readonly spellings: ReadonlyMap<string, string>;
  /** In a line without capitals, `wireguard` may mean WireGuard. */
  readonly hasCapitals: boolean;
}

export function readExactParts(line: string): ExactParts {
  const parts: string[] = [];
  const take = (text: string, pattern: RegExp, by: string): string =>
    text.replace(pattern, (match, inner?: string) => {
      parts.push(match.trim());
      return by === "inner" ? (inner ?? "") : by;
    });
  const narrow = line
    .normalize("NFC")
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  let text = replaceEnclosed(narrow, "<!--", "-->", () => " ").replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "");
  text = take(text, startTime, "");
  text = take(text, /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, " ");
  text = take(text, /~~.*?~~/g, " ");
  text = take(text, /(?<=\])\([^()\s]*\)/g, "");
  text = text.replace(/!?\[\[([^\][|\n]*)\|([^\][|\n]*)\]\]/g, (_, target: string, shown: string) => {
    parts.push(target);
    return shown;
  });
  text = text.replace(/\[\[([^\][\n]*)\]\]|\[([^\][\n]+)\]/g, "$1$2").replace(emphasis(line), "");
  for (const [match] of text.matchAll(signs(text))) parts.push(match.replace("−", "-"));
  return { written: parts.join("\n"), spellings: spellingsIn(text), hasCapitals: capital(text).test(text) };
}

export function sharesExactParts(left: ExactParts, right: ExactParts): boolean {
  if (left.written !== right.written) return false;
  for (const [word, spelling] of left.spellings) {
    const other = right.spellings.get(word);
    if (other === undefined || other === spelling) continue;
    const hasCase = (left.hasCapitals && right.hasCapitals) || /[\p{N}_]/u.test(word);
    if (hasCase || other.toLowerCase() !== spelling.toLowerCase()) return false;
  }
  return true;
}

/** The day or time at the start of a log line. */
const startTime =
  /^[([]?(?:\d{4}-\d{2}-\d{2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2})[)\]]?(?=[\s:–—-])/;

const emphasis = textPattern(
  String.raw`(?<![\p{L}\p{N}*_\s])[*_]{1,3}(?=\S)|(?<=^|\s)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}])`,
  "g",
);

/**
 * Symbols with the words they touch, which tell C++ from C and .env from env. Punctuation does not count, nor do
 * symbols that are part of a value: 1,000 and 10 %. A word is matched from its start only; trying every end would take
 * quadratic time on a line of base64.
 */
const signs = textPattern(
  String.raw`(?:(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}\p{N}_]+)?(?:[^\p{L}\p{M}\p{N}\p{P}\s%$€£¥]|[?？/\\&@#*†‡§‰′″[\]{}^|]|\(\)|(?<![^\s([{"'“‘„«])[-−.!]+(?=[\p{L}\p{N}/\\])|(?<=\p{L})\.(?=\p{L}))+[\p{L}\p{M}\p{N}_]*`,
  "g",
);

const words = textPattern(String.raw`[\p{L}\p{M}\p{N}_]+`, "g");
const capital = textPattern(String.raw`\p{Lu}`);
const mixedCase = textPattern(String.raw`^\p{M}*[\p{L}\p{N}_].*\p{Lu}|^[^\p{Lu}]*\p{Lu}.*[\p{N}_]`);

function spellingsIn(text: string): Map<string, string> {
  const found = new Map<string, Set<string>>();
  const hasMixedCase = mixedCase(text);
  for (const [written] of text.matchAll(words(text))) {
    const key = foldWord(written);
    // A capital at the start of a sentence says nothing, and not everyone capitalises names.
    const isPlain = !hasMixedCase.test(written);
    const spellings = found.get(key) ?? new Set();
    found.set(key, spellings.add(isPlain ? written.toLowerCase() : written));
  }
  return new Map(Array.from(found, ([key, spellings]) => [key, [...spellings].join(" ")]));
}
