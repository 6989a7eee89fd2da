import { toSqlText } from "./sql-text.ts";

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
