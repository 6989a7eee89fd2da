/** The numbers of types, which never change. */
const oids = { bytea: 17, int4: 23, text: 25 };

/**
 * Arrays in the binary form of PostgreSQL. As text, in which the client sends them by itself, each byte would be two and
 * quoted, and to write and read that took longer than what was done with it.
 */
export function encodeArray(oid: number, elements: readonly (Uint8Array | null)[]): Buffer {
  const size = elements.reduce((sum, element) => sum + 4 + (element?.length ?? 0), 0);
  const bytes = Buffer.allocUnsafe(20 + size);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(1, 4);
  bytes.writeUInt32BE(oid, 8);
  bytes.writeInt32BE(elements.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = 20;
  for (const element of elements) {
    at = bytes.writeInt32BE(element?.length ?? -1, at);
    if (element === null) continue;
    bytes.set(element, at);
    at += element.length;
  }
  return bytes;
}

export function encodeTexts(texts: readonly string[]): Buffer {
  return encodeArray(
    oids.text,
    texts.map((text) => Buffer.from(toSqlText(text))),
  );
}

export function encodeBytes(all: readonly Uint8Array[]): Buffer {
  return encodeArray(oids.bytea, all);
}

export function encodeIntegers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * numbers.length);
  const elements = numbers.map((number, index) => {
    bytes.writeInt32BE(number, 4 * index);
    return bytes.subarray(4 * index, 4 * index + 4);
  });
  return encodeArray(oids.int4, elements);
}

/**
 * A text of PostgreSQL cannot hold NUL, but notes can. NUL is written as U+FFFF and "0", and U+FFFF itself, which is no
 * character and occurs in hardly any text, as U+FFFF and "1". Half a character becomes U+FFFD, as in every UTF-8.
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
