import { once } from "../../text/once.ts";
import type { TokenizerFile } from "./tokenizer-file.ts";
import { createVocabulary, type VocabularyTables } from "./vocabulary.ts";

/** What is known of the packaged model before its files are read. */
export interface PreparedModel {
  /** SHA-256 of its files, in hex. */
  readonly digest: string;
  readonly dimensions: number;
  /** Size of its table file, to detect files that have changed since the build. */
  readonly tableBytes: number;
  readonly tokenizer: TokenizerFile;
}

const sections = ["units", "starts", "ids", "slots", "hashes"] as const;
const bytesPerNumber = { units: 2, starts: 4, ids: 4, slots: 4, hashes: 4 };

/**
 * One file for a fast start, written when the package is built: JSON, then the tables of the vocabulary in their
 * in-memory form. Reading and hashing the model files would take several times as long as a search.
 */
export function encodePreparedModel({
  digest,
  dimensions,
  tableBytes,
  tokenizer,
}: PreparedModel): Uint8Array {
  const { tables, vocabulary: _, specialIds, ...settings } = tokenizer;
  const { continuationMark, longest, highestId } = tables;
  const header = JSON.stringify({
    byteOrder: byteOrder(),
    ...{ digest, dimensions, tableBytes, settings, specialIds: [...specialIds] },
    ...{ continuationMark, longest, highestId },
    counts: sections.map((name) => tables[name].length),
  });
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const append = (bytes: Uint8Array): void => {
    const padding = new Uint8Array((4 - (bytes.length % 4)) % 4).fill(0x20);
    parts.push(bytes, padding);
    sizeBytes += bytes.length + padding.length;
  };
  const headerBytes = new TextEncoder().encode(header);
  append(new Uint8Array(Uint32Array.of(headerBytes.length).buffer));
  append(headerBytes);
  for (const name of sections) {
    const { buffer, byteOffset, byteLength } = tables[name];
    append(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
  }
  const file = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** The JSON of a prepared model is shorter than this. */
export const preparedHeadBytes = 4096;

/**
 * Takes the beginning of the file, and all of it once the tokenizer is needed, which it is not for keyword search. The
 * bytes must be aligned to four. Null if the file was made for another kind of machine.
 */
export function decodePreparedModel(
  head: Uint8Array<ArrayBuffer>,
  readAll: () => Uint8Array<ArrayBuffer>,
): PreparedModel | null {
  const [headerBytes = 0] = new Uint32Array(head.buffer, head.byteOffset, 1);
  if (4 + headerBytes > head.length) return null;
  const header = JSON.parse(new TextDecoder().decode(head.subarray(4, 4 + headerBytes)));
  if (header.byteOrder !== byteOrder()) return null;
  const { digest, dimensions, tableBytes } = header;
  const tokenizer = once(() => decodeTokenizer(header, headerBytes, readAll()));
  return {
    digest,
    dimensions,
    tableBytes,
    get tokenizer() {
      return tokenizer();
    },
  };
}

function decodeTokenizer(
  header: ReturnType<typeof JSON.parse>,
  headerBytes: number,
  bytes: Uint8Array<ArrayBuffer>,
): TokenizerFile {
  let at = bytes.byteOffset + 4 + Math.ceil(headerBytes / 4) * 4;
  const starts = sections.map((name, index) => {
    const start = at;
    at += Math.ceil((header.counts[index] * bytesPerNumber[name]) / 4) * 4;
    return start;
  });
  const count = (index: number): number => header.counts[index];
  const tables: VocabularyTables = {
    units: new Uint16Array(bytes.buffer, starts[0], count(0)),
    starts: new Uint32Array(bytes.buffer, starts[1], count(1)),
    ids: new Int32Array(bytes.buffer, starts[2], count(2)),
    slots: new Int32Array(bytes.buffer, starts[3], count(3)),
    hashes: new Int32Array(bytes.buffer, starts[4], count(4)),
    continuationMark: header.continuationMark,
    longest: header.longest,
    highestId: header.highestId,
  };
  const specialIds = new Set<number>(header.specialIds);
  return { ...header.settings, specialIds, tables, vocabulary: createVocabulary(tables) };
}

function byteOrder(): string {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? "little" : "big";
}
