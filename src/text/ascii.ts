/**
 * Whether a text is pure ASCII. V8 takes a millisecond to compile an expression with Unicode classes, so a simpler one
 * is tried first where it suffices for ASCII, and most searches need none of the others.
 */
export function isAscii(text: string): boolean {
  return onlyAscii.test(text);
}

/** Whether all letters of a text are Latin. */
export function isLatin(text: string): boolean {
  return onlyLatin.test(text);
}

const onlyAscii = /^[\u0000-\u007f]*$/;
/** Includes dashes, quotation marks and ellipses. */
const onlyLatin = /^[\u0000-\u017f\u2010-\u2027]*$/;
