import { countUnits, unitsOf } from "../../text/chunk-units.ts";

/** Less than the four of ordinary prose, so that code, digits and rare characters are not underestimated. */
const unitsPerToken = 3;

/** More tokens than most vocabularies make of a text: a third over, also for Chinese and emoji. */
export function estimateTokens(text: string): number {
  return Math.ceil(countUnits(text, 0, text.length) / unitsPerToken);
}

/** The beginning of a text up to this length; surrogate pairs are not split. */
export function cutToTokens(text: string, maxTokens: number): string {
  const most = maxTokens * unitsPerToken;
  // No character is less than one unit, so most texts need no counting.
  if (text.length * unitsOf(0x4e00) <= most) return text;
  let units = 0;
  for (let at = 0; at < text.length; at++) {
    units += unitsOf(text.charCodeAt(at));
    if (units <= most) continue;
    const isSplit = /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at]!);
    return text.slice(0, isSplit ? at - 1 : at);
  }
  return text;
}
