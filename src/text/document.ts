import { pathInLayer } from "./layer-path.ts";

/** Lines are 1-based and both ends are inclusive, everywhere in longhand. Only `\n` and `\r\n` end a line. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** `memory` (the notes), `sessions` (transcripts), or the name of a source that a program brings. */
export type SourceName = string;

/** `private` text (MEMORY.md) is never shown in a session that others can read. */
export type Scope = "private" | "shared";

/** One text to index: a note, a session rendered as text, or whatever another source yields. */
export interface Document {
  readonly source: SourceName;
  /** As hits show it: relative to the workspace, `/` between parts. */
  readonly path: string;
  /** Opaque; equal versions mean equal contents. See `sources/source.ts`. */
  readonly version: string;
  readonly text: string;
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** `YYYY-MM-DD` of a dated note or session. */
  readonly date?: string;
  /** From the front matter; comes above the headings of every chunk. */
  readonly title?: string;
  readonly scope: Scope;
  /** There when `text` is not the whole of it: transcripts grow at their end and are read in parts. */
  readonly part?: DocumentPart;
}

/** A document but for what it says. */
export type DocumentHead = Omit<Document, "text">;

/** Which lines of a document its `text` holds, and what they go on from. */
export interface DocumentPart {
  /** The number of the first line in `text`. */
  readonly firstLine: number;
  /**
   * Absent when the text begins the document anew. Otherwise the document is as it was in `version`, up to the line
   * before `firstLine`; from `openLine` on (at most `firstLine`) it is to be cut into chunks together with `text`.
   */
  readonly follows?: { readonly version: string; readonly openLine: number };
  /** False when more can be read: go on from this document's version. */
  readonly isLast: boolean;
}

/** A run of whole lines; a line over the limit is cut into pieces that share its number. */
export interface Chunk {
  readonly lines: LineRange;
  /** The headings above and at the chunk's first line, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
  /** SHA-256 of the text, hex: equal texts are embedded once. */
  readonly hash: string;
}

/** The tokens of a chunk joined by blanks, in UTF-8; `splitTokens` of `longhand/stores` splits them. */
export interface ChunkWords {
  /** Of the text. */
  readonly body: Uint8Array;
  /** Of the headings and the path, which count less. */
  readonly head: Uint8Array;
}

export interface Chunker {
  /** Changes whenever the output for some text would. */
  readonly id: string;
  chunk(text: string): Chunk[];
  /** Also makes the tokens of chunks. Absent: the store does. */
  words?(chunk: Pick<Chunk, "text" | "headings"> & { readonly path: string }): ChunkWords;
}

/** What the words of a chunk are made from. */
export interface WordSource {
  readonly text: string;
  readonly headings: readonly string[];
  readonly path: string;
}

/** What stands above a chunk, for the words that count less than those of its text. */
export function headOf({ path, headings }: WordSource): string {
  return `${pathInLayer(path)} ${headings.join(" / ")}`;
}
