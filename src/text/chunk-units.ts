/**
 * Sizes are counted in quarter tokens, so that a character of ordinary (Latin) text is 1 unit and 400 tokens are
 * 1,600 characters. Counting every script like that would make a Chinese chunk four times as dear as an English one.
 *
 * The table follows what byte-pair and word-piece vocabularies of today's embedders do: Latin about four characters
 * a token; Greek, Cyrillic, Hebrew, Arabic, the Indic scripts and Thai about two; Han, kana, Hangul, emoji and other
 * symbols about one a token. A character outside the basic plane is two code units, so it counts two tokens: most
 * vocabularies spell it out in bytes. Typographic quotes and dashes belong to ordinary text.
 */
export function unitsOf(code: number): number {
  if (code < 0x0370) return 1;
  if (code < 0x2000) return 2;
  if (code < 0x2070) return 1;
  return 4;
}

export function countUnits(text: string, start: number, end: number): number {
  let units = 0;
  for (let at = start; at < end; at++) units += unitsOf(text.charCodeAt(at));
  return units;
}

export const unitsPerToken = 4;
