/**
 * A text of PostgreSQL cannot hold NUL, but notes can. NUL is written as U+FFFF and "0", and U+FFFF itself, which is no
 * character and stands in hardly any text, as U+FFFF and "1". Half a character becomes U+FFFD, as in every UTF-8.
 */
export function toSqlText(text: string): string {
  const written = /[\0\uffff]/.test(text)
    ? text.replaceAll("\uffff", "\uffff1").replaceAll("\0", "\uffff0")
    : text;
  return written.isWellFormed() ? written : written.toWellFormed();
}

export function fromSqlText(written: string): string {
  if (!written.includes("\uffff")) return written;
  return written.replace(/\uffff([01])/g, (_, mark) => (mark === "0" ? "\0" : "\uffff"));
}

/**
 * Bytes come as text, because the client cannot take them as they are; in this form they are a third more, and quick to
 * read. `base64Of` is the expression that sends them so.
 */
export function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

export function base64Of(expression: string): string {
  return `encode(${expression}, 'base64')`;
}
