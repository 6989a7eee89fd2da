import { type ErrorCode, LonghandError, messageOf, systemErrorCode, throwIfAborted } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { IndexedDocument, IndexedVersion, Store } from "../stores/store.ts";
import type { Chunk, Chunker, Document, LineRange } from "../text/document.ts";

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
  /** Its indexed content is kept, unless the document can never be indexed as it is now. */
  | {
      readonly kind: "failed";
      readonly failure: SyncFailure;
      readonly keep: boolean;
      /** It was being written at that moment. */
      readonly isPassing: boolean;
    };

interface PrepareParts {
  readonly source: Source;
  readonly chunker: Chunker;
  readonly store: Pick<Store, "chunksOf">;
  readonly signal?: AbortSignal | undefined;
}

interface PrepareOptions {
  readonly before: IndexedVersion | undefined;
  /** Split it again even if it is unchanged. */
  readonly force: boolean;
}

export interface PrepareRequest extends PrepareOptions {
  readonly path: string;
  /** As it was listed. */
  readonly sizeBytes?: number | undefined;
}

/** Reads and chunks one document. Problems are part of the result: one bad note must not stop a sync. */
export async function prepareDocument(
  path: string,
  { source, chunker, store, signal }: PrepareParts,
  { before, force }: PrepareOptions,
): Promise<Prepared> {
  try {
    const usable = before && !force && before.chunker === chunker.id ? before : undefined;
    const document = await source.read(path, { since: usable?.version, signal });
    if (document === null) return { kind: "gone" };
    if (usable?.hash === document.hash && document.part?.isLast !== false) {
      return { kind: "same", version: document.version };
    }
    const whole = await withOpenLines(document, store);
    const chunks = cut(whole, chunker);
    const words = chunker.words && chunks.map((chunk) => chunker.words!({ ...chunk, path: document.path }));
    return { kind: "put", indexed: { document, chunks, ...(words && { words }) } };
  } catch (error) {
    // A source that stops because the caller cancelled says nothing about its document.
    throwIfAborted(signal);
    const failure = describeFailure(path, error);
    return {
      kind: "failed",
      failure,
      keep: failure.code !== "note-binary" && failure.code !== "note-too-large",
      isPassing: isBeingWritten(error),
    };
  }
}

/** An error of the system or a download may have taken long to come, so the retry is left to the next sync. */
function isBeingWritten(error: unknown): boolean {
  return error instanceof LonghandError && error.retryable && error.cause === undefined;
}

interface LinesToCut {
  readonly text: string;
  readonly firstLine: number;
  readonly title: string | undefined;
}

/** The earlier lines of the open chunk are in the store, so they are not read again. */
async function withOpenLines(document: Document, store: Pick<Store, "chunksOf">): Promise<LinesToCut> {
  const { source, path, text, part, title } = document;
  const firstLine = part?.firstLine ?? 1;
  const openLine = part?.follows?.openLine ?? firstLine;
  if (openLine === firstLine) return { text, firstLine, title };
  const open = await store.chunksOf(source, path, { fromLine: openLine });
  const before = joinChunks(open, { start: openLine, end: firstLine - 1 });
  return { text: `${before}\n${text}`, firstLine: openLine, title };
}

/** A title that the note does not repeat as its first heading is put above all of them. */
function cut({ text, firstLine, title }: LinesToCut, chunker: Chunker): Chunk[] {
  const shift = firstLine - 1;
  return chunker.chunk(text).map((chunk) => ({
    ...chunk,
    lines: { start: chunk.lines.start + shift, end: chunk.lines.end + shift },
    headings:
      title === undefined || chunk.headings[0] === title ? chunk.headings : [title, ...chunk.headings],
  }));
}

function describeFailure(path: string, error: unknown): SyncFailure {
  if (error instanceof LonghandError) return { path, code: error.code, message: error.message };
  const systemCode = systemErrorCode(error);
  if (systemCode !== undefined) {
    return { path, code: "note-unreadable", message: `${path} cannot be read: ${systemCode}.` };
  }
  const reason = messageOf(error);
  return { path, code: "internal", message: `${path} cannot be indexed: ${reason}` };
}

/**
 * The text of some lines, from the chunks that were made of them. A line that is in no chunk is blank. A chunk of one
 * line that follows another of the same line is its next piece; otherwise a line that is in two chunks is the same
 * in both, because chunks overlap.
 */
export function joinChunks(chunks: readonly Pick<Chunk, "lines" | "text">[], lines: LineRange): string {
  const texts = new Array<string>(Math.max(0, lines.end - lines.start + 1)).fill("");
  let before: LineRange | undefined;
  for (const chunk of chunks) {
    const { start, end } = chunk.lines;
    const isNextPiece = start === end && before?.start === start && before.end === end;
    if (isNextPiece) texts[start - lines.start] += chunk.text;
    else
      for (const [index, text] of chunk.text.split("\n").entries()) texts[start - lines.start + index] = text;
    before = chunk.lines;
  }
  return texts.join("\n");
}
