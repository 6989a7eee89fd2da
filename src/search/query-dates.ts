import { monthNumber } from "../text/months.ts";

/**
 * Tokens for the days that a question names in words. Dated notes are called `2023-05-08.md`, which the index knows as
 * the neighbours `2023.05` and `05.08`; a question says "May 2023" or "8 May".
 */
export function dateTokens(words: readonly string[]): string[] {
  const tokens: string[] = [];
  for (const [index, word] of words.entries()) {
    const month = monthNumber(word);
    if (month === undefined) continue;
    for (const near of [index + 1, index + 2, index - 1]) {
      const year = /^(?:19|20)\d\d$/.exec(words[near] ?? "")?.[0];
      if (year) tokens.push(`${year}.${month}`);
    }
    for (const near of [index - 1, index + 1]) {
      const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(words[near] ?? "")?.[1];
      if (day) tokens.push(`${month}.${day.padStart(2, "0")}`);
    }
  }
  return tokens;
}
