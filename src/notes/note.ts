import { sha256 } from "../text/hash.ts";
import { decodeNote } from "./decode.ts";
import type { NoteBytes } from "./read.ts";

export interface Note {
  readonly path: string;
  readonly text: string;
  /** See `sources/source.ts`. */
  readonly version: string;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export function toNote(path: string, { bytes, version, modifiedAt }: NoteBytes): Note {
  const text = decodeNote(bytes, path);
  let hash: string | undefined;
  return {
    path,
    text,
    version,
    // Not every reader asks for it, and a command that hashes nothing starts faster.
    get hash() {
      hash ??= sha256(bytes);
      return hash;
    },
    sizeBytes: bytes.length,
    modifiedAt,
  };
}
