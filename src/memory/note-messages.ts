import type { NoteSelection } from "../notes/note-locations.ts";
import type { Prepared, PrepareRequest } from "../sync/prepare.ts";
import type { ChunkWords } from "../text/document.ts";

/** What a worker thread needs to prepare notes exactly as the main thread would. */
export interface NoteThreadSetup {
  readonly workspaceDir: string;
  readonly extraPaths: readonly string[];
  readonly include: NoteSelection;
  /** The path pattern of daily notes. */
  readonly daily: string;
  /** Literal secrets to mask. They stay in this process. */
  readonly literals: readonly string[];
  readonly chunking: { readonly tokens: number; readonly overlap: number };
}

/** Identifies how notes are prepared: threads with the same name produce the same result. */
export function preparationId(
  parts: Record<"analyzer" | "chunker" | "mask", { readonly id: string }>,
): string {
  return JSON.stringify([parts.analyzer.id, parts.chunker.id, parts.mask.id]);
}

export interface NoteBatch {
  readonly requests: readonly PrepareRequest[];
  /** In milliseconds; the notes are read after it. */
  readonly askedAt: number;
}

/** The prepared batch. The tokens of all chunks are concatenated; `lengths` has two entries per chunk. */
export interface PreparedBatch {
  readonly outcomes: readonly Prepared[];
  readonly words: Uint8Array<ArrayBuffer>;
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** Restores each chunk's tokens. */
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
