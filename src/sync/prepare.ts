import { type ErrorCode, LonghandError, systemErrorCode } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { IndexedDocument, IndexedVersion } from "../stores/store.ts";
import type { Chunk, Chunker, Document } from "../text/document.ts";

/** A document that could not be indexed, and why. */
export interface SyncFailure {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export type Prepared =
  | { readonly kind: "put"; readonly indexed: IndexedDocument }
  /** The content is as indexed; the version may be new. */
  | { readonly kind: "same"; readonly version: string }
  | { readonly kind: "gone" }
  /** What the index has of it is kept, unless it can never be indexed as it is now. */
  | { readonly kind: "failed"; readonly failure: SyncFailure; readonly keep: boolean };

export interface PrepareOptions {
  readonly before: IndexedVersion | undefined;
  /** Cut it again even if it is as indexed. */
  readonly force: boolean;
}

/** Reads and cuts one document. Whatever is wrong with it is told in the result: one bad note must not stop a sync. */
export async function prepareDocument(
  path: string,
  { source, chunker }: { source: Source; chunker: Chunker },
  { before, force }: PrepareOptions,
): Promise<Prepared> {
  try {
    const document = await source.read(path);
    if (document === null) return { kind: "gone" };
    if (before && !force && before.hash === document.hash && before.chunker === chunker.id) {
      return { kind: "same", version: document.version };
    }
    return { kind: "put", indexed: { document, chunks: cut(document, chunker) } };
  } catch (error) {
    const failure = describeFailure(path, error);
    return {
      kind: "failed",
      failure,
      keep: failure.code !== "note-binary" && failure.code !== "note-too-large",
    };
  }
}

/** A title that the note does not repeat as its first heading is put above all of them. */
function cut({ text, title }: Document, chunker: Chunker): Chunk[] {
  const chunks = chunker.chunk(text);
  if (title === undefined) return chunks;
  return chunks.map((chunk) =>
    chunk.headings[0] === title ? chunk : { ...chunk, headings: [title, ...chunk.headings] },
  );
}

function describeFailure(path: string, error: unknown): SyncFailure {
  if (error instanceof LonghandError) return { path, code: error.code, message: error.message };
  const systemCode = systemErrorCode(error);
  if (systemCode !== undefined) {
    return { path, code: "note-unreadable", message: `${path} cannot be read: ${systemCode}.` };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { path, code: "internal", message: `${path} cannot be indexed: ${reason}` };
}
