/**
 * Replaces each part of the text from `open` to the next `close`. A pattern such as `<!--.*?-->` searches for the end
 * at every start, which is quadratic for many starts without an end.
 */
export function replaceEnclosed(
  text: string,
  open: string,
  close: string,
  replace: (part: string) => string,
): string {
  let result = "";
  let done = 0;
  for (;;) {
    const start = text.indexOf(open, done);
    const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
    if (end === -1) return result + text.slice(done);
    result += text.slice(done, start) + replace(text.slice(start, end + close.length));
    done = end + close.length;
  }
}
