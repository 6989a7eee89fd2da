/**
 * Sizes are counted in quarter tokens: a Latin character is 1 unit, so 400 tokens are 1,600 characters. Counting every
 * script like that would make a Chinese chunk four times as expensive as an English one.
 *
 * The table follows the byte-pair and word-piece vocabularies of current embedders: about four characters per token in
 * Latin; about two in Greek, Cyrillic, Hebrew, Arabic, the Indic scripts and Thai; about one in Han, kana, Hangul,
 * emoji and other symbols. A character outside the basic plane has two code units and counts as two tokens, because
 * most vocabularies spell it in bytes. Typographic quotes and dashes count as Latin.
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
