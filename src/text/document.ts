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

/** A text to index: a note, a session rendered as text, or whatever another source provides. */
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
  /** From the front matter; precedes the headings of every chunk. */
  readonly title?: string;
  readonly scope: Scope;
  /** Present if `text` is only a part: transcripts grow at their end and are read in parts. */
  readonly part?: DocumentPart;
}

/** A document without its text. */
export type DocumentHead = Omit<Document, "text">;

/** Which lines of a document `text` contains, and what they continue. */
export interface DocumentPart {
  /** The number of the first line in `text`. */
  readonly firstLine: number;
  /**
   * Absent if the text is the whole document. Otherwise the document is as it was in `version`, up to the line
   * before `firstLine`; from `openLine` on (at most `firstLine`) it is chunked together with `text`.
   */
  readonly follows?: { readonly version: string; readonly openLine: number };
  /** False if more can be read: continue from this document's version. */
  readonly isLast: boolean;
}

/** A run of whole lines; a line over the limit is split into pieces that share its number. */
export interface Chunk {
  readonly lines: LineRange;
  /** The headings above and at the chunk's first line, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
  /** SHA-256 of the text, hex: equal texts are embedded once. */
  readonly hash: string;
}

/** The tokens of a chunk joined by spaces, in UTF-8; `splitTokens` of `longhand/stores` splits them. */
export interface ChunkWords {
  /** Of the text. */
  readonly body: Uint8Array;
  /** Of the headings and the path, which weigh less. */
  readonly head: Uint8Array;
}

export interface Chunker {
  /** Changes whenever the output for any text changes. */
  readonly id: string;
  chunk(text: string): Chunk[];
  /** Also produces the tokens of chunks. If absent, the store does. */
  words?(chunk: Pick<Chunk, "text" | "headings"> & { readonly path: string }): ChunkWords;
}

/** The parts of a chunk that its words come from. */
export interface WordSource extends Pick<Chunk, "text" | "headings"> {
  readonly path: string;
}

/** Path and headings of a chunk, whose words weigh less than those of its text. */
export function headOf({ path, headings }: Pick<WordSource, "path" | "headings">): string {
  return `${pathInLayer(path)} ${headings.join(" / ")}`;
}
