import type { NoteSelection } from "../notes/note-places.ts";
import type { Prepared, PrepareRequest } from "../sync/prepare.ts";
import type { ChunkWords } from "../text/document.ts";

/** What a thread needs to prepare notes as this one would. */
export interface NoteThreadSetup {
  readonly workspaceDir: string;
  readonly extraPaths: readonly string[];
  readonly include: NoteSelection;
  /** Where the note of a day lies. */
  readonly daily: string;
  /** Secrets that are masked by their very text. They stay in this process. */
  readonly literals: readonly string[];
  readonly chunking: { readonly tokens: number; readonly overlap: number };
}

/** By what notes are prepared: two threads with the same give the same. */
export function nameMade(parts: Record<"analyser" | "chunker" | "mask", { readonly id: string }>): string {
  return JSON.stringify([parts.analyser.id, parts.chunker.id, parts.mask.id]);
}

export interface NoteBatch {
  readonly requests: readonly PrepareRequest[];
  /** Milliseconds; the notes are read after it. */
  readonly askedAt: number;
}

/** The answer to a batch. The words of all chunks stand one after the other; `lengths` has two for each chunk. */
export interface PreparedBatch {
  readonly outcomes: readonly Prepared[];
  readonly words: Uint8Array<ArrayBuffer>;
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** The outcomes with the words of their chunks. */
export function unpackBatch({ outcomes, words, lengths }: PreparedBatch): readonly Prepared[] {
  let [at, taken] = [0, 0];
  const take = (): Uint8Array => {
    const start = at;
    at += lengths[taken++]!;
    return words.subarray(start, at);
  };
  return outcomes.map((outcome) => {
    if (outcome.kind !== "put") return outcome;
    const { document, chunks } = outcome.indexed;
    const ofChunks = chunks.map((): ChunkWords => ({ body: take(), head: take() }));
    return { kind: "put", indexed: { document, chunks, words: ofChunks } };
  });
}
