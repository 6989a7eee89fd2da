/**
 * Whether a text has nothing but ASCII in it. Expressions with Unicode classes take a millisecond each to compile, so
 * where a simpler one does for ASCII it is asked first, and most searches need none of the others.
 */
export function isAscii(text: string): boolean {
  return onlyAscii.test(text);
}

/** Whether all letters of a text are those of the West. */
export function isLatin(text: string): boolean {
  return onlyLatin.test(text);
}

const onlyAscii = /^[\u0000-\u007f]*$/;
/** With the dashes, quotation marks and dots that stand between words. */
const onlyLatin = /^[\u0000-\u017f\u2010-\u2027]*$/;
