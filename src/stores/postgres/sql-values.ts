/** Type OIDs, which never change. */
const oids = { bytea: 17, int4: 23, text: 25 };

/**
 * Arrays in PostgreSQL's binary format. In text, the client's default, each byte takes two characters plus quoting, and
 * encoding took longer than the query.
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
 * PostgreSQL text cannot contain NUL, but notes can. NUL is written as U+FFFF and "0", and U+FFFF itself, a
 * noncharacter that hardly any text contains, as U+FFFF and "1". A lone surrogate becomes U+FFFD, as in any UTF-8.
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
 * The client receives bytes only as text; base64 is a third larger, and fast to decode. `base64Of` is the matching SQL
 * expression.
 */
export function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

export function base64Of(expression: string): string {
  return `encode(${expression}, 'base64')`;
}
