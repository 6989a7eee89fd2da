import { sentenceKey } from "./extract.ts";

/**
 * Says whether some line of a text has every telling word of a sentence, so that it need not be written down again:
 * whoever wrote the line has said it already. A different name, day or number is something new.
 */
export function createCoverage(text: string): (sentence: string) => boolean {
  const lines = text
    .split("\n")
    .map((line) => new Set(unitsOf(line.replace(/<!-- from: [^<>]*-->/g, ""))))
    .filter((units) => units.size > 0);
  const keys = new Set(
    text.split("\n").map((line) => sentenceKey(line.replace(/<!-- from: [^<>]*-->/g, ""))),
  );
  return (sentence) => {
    if (keys.has(sentenceKey(sentence))) return true;
    const wanted = [...new Set(unitsOf(sentence))];
    return wanted.length >= leastUnits && lines.some((line) => wanted.every((unit) => line.has(unit)));
  };
}

const leastUnits = 3;

/** Small, and yet they turn a sentence round. */
const negations = new Set(["no", "not", "nie", "kein", "non", "pas", "ni", "sin"]);

/** Words that tell something, every number, and of scripts without spaces pairs of characters. */
function unitsOf(text: string): string[] {
  return sentenceKey(text)
    .split(" ")
    .flatMap((word) => {
      if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) {
        return word.length > 3 || /\d/.test(word) || negations.has(word) ? [word] : [];
      }
      return Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2));
    });
}
