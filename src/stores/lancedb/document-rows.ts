import { hash } from "node:crypto";
import type { DocumentState, IndexedDocument } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import type { ChunkRow } from "./schema.ts";
import type { Session } from "./session.ts";
import { readMeta, writeMeta } from "./sql.ts";
import { wordColumns } from "./words.ts";

/** The columns of a document's current rows that a put needs. */
export const oldRowColumns = [
  "key",
  "doc",
  "id",
  "hash",
  "position",
  "start_line",
  "end_line",
  "scope",
  "date",
  "version",
  "revision",
] as const;

export type OldRow = Pick<ChunkRow, (typeof oldRowColumns)[number]>;

export interface DocumentChange {
  readonly doc: string;
  /** Rows to write: the document, and its new or moved chunks. */
  readonly rows: readonly ChunkRow[];
  /** Rows of unchanged chunks. */
  readonly kept: readonly OldRow[];
  /** Rows that the document no longer has. */
  readonly gone: readonly OldRow[];
}

export interface ChangeOptions {
  readonly chunkerId: string;
  readonly tokens: Tokens;
  readonly nowMs: number;
  readonly write: Pick<DocumentWrite, "revision" | "isAsSeen">;
}

/** The row changes of a put; null if the index has changed since the writer read it. */
export function planDocument(
  { document, chunks }: IndexedDocument,
  old: readonly OldRow[],
  { chunkerId, tokens, nowMs, write }: ChangeOptions,
): DocumentChange | null {
  const doc = docOf(document.source, document.path);
  const before = old.find(({ id }) => id === null);
  const follows = document.part?.follows;
  const isSeen = follows ? before?.version === follows.version : write.isAsSeen(before);
  if (!isSeen) return null;
  const oldChunks = old.filter(({ id }) => id !== null);
  const isBefore = ({ start_line }: OldRow) => follows !== undefined && start_line! < follows.openLine;
  const standing = oldChunks.filter(isBefore);
  const replaced = new Map(oldChunks.filter((row) => !isBefore(row)).map((row) => [row.key, row]));
  const taken = new Set(standing.map(({ key }) => key));
  /** Equal chunks of a document are numbered. */
  const numbers = new Map<string, number>();
  const findFree = (content: string): string => {
    for (let number = numbers.get(content) ?? 0; ; number++) {
      const digest = hash("sha256", `${number} ${content}`);
      if (taken.has(keyOf(digest))) continue;
      numbers.set(content, number + 1);
      return digest;
    }
  };
  const { source, path, scope, date = null } = document;
  const rows: ChunkRow[] = [];
  const kept: OldRow[] = [...standing];
  for (const [index, chunk] of chunks.entries()) {
    const position = standing.length + index;
    const headings = JSON.stringify(chunk.headings);
    const digest = findFree(JSON.stringify([doc, headings, chunk.hash]));
    const key = keyOf(digest);
    taken.add(key);
    const known = replaced.get(key);
    replaced.delete(key);
    const { start, end } = chunk.lines;
    if (
      known?.position === position &&
      known.start_line === start &&
      known.end_line === end &&
      known.scope === scope &&
      known.date === date
    ) {
      kept.push(known);
      continue;
    }
    const text = chunk.text.toWellFormed();
    const words = tokens({ text, headings: chunk.headings, path });
    rows.push({
      ...nothing,
      ...{ key, doc, source, path, scope, date, position, headings, text },
      id: idOf(digest),
      hash: chunk.hash,
      start_line: start,
      end_line: end,
      text_bytes: Buffer.byteLength(text),
      ...wordColumns(words),
      updated_at: nowMs,
    });
  }
  const mtime = document.modifiedAt.getTime();
  rows.push({
    ...nothing,
    ...{ doc, source, path, scope, date },
    key: documentKey(source, path),
    version: document.version,
    hash: document.hash,
    chunker: chunkerId,
    mtime: Number.isFinite(mtime) ? Math.trunc(mtime) : 0,
    size: document.sizeBytes,
    chunk_count: standing.length + chunks.length,
    revision: write.revision,
    updated_at: nowMs,
  });
  return { doc, rows, kept, gone: [...replaced.values()] };
}

export function docOf(source: string, path: string): string {
  return `${source}:${path.toWellFormed()}`;
}

/** The key of the row of a document. */
export function documentKey(source: string, path: string): string {
  return `d:${docOf(source, path)}`;
}

const nothing = {
  id: null,
  position: null,
  start_line: null,
  end_line: null,
  headings: null,
  text: null,
  text_bytes: null,
  body: null,
  head: null,
  words: null,
  token_count: null,
  version: null,
  chunker: null,
  mtime: null,
  size: null,
  chunk_count: null,
  revision: null,
};

function keyOf(digest: string): string {
  return `c:${digest.slice(0, 32)}`;
}

/** 52 bits, which a number holds exactly: among a million chunks the chance of a collision is one in ten thousand. */
function idOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 13), 16);
}

/** Counts removals of documents. */
const removalsKey = "documents_removals";

/** A table version is meaningful only together with the identity of its table. */
export async function readDocumentState({ chunks, meta, identity }: Session): Promise<DocumentState> {
  const removals = await readRemovals(meta);
  return JSON.stringify([identity, await chunks.version(), removals]);
}

/** One write to documents: decides what it may replace, and numbers what it wrote. */
export interface DocumentWrite {
  /** For the rows it writes: the table version that its commit creates. */
  readonly revision: number;
  /** Whether it may replace only the version its writer saw. */
  readonly isConditional: boolean;
  /** Whether a row is as the writer saw it; undefined means that the document is absent. */
  isAsSeen(row: { readonly revision: number | null } | undefined): boolean;
  /** False if another process committed meanwhile, so that the replaced version is unknown. */
  isAlone(committedVersion: number): boolean;
  /** Called before a removal, because a writer that saw a document absent earlier saw a different state. */
  noteRemoval(): Promise<void>;
}

export async function beginWrite(
  { chunks, meta, identity, isExclusive }: Session,
  asOf?: DocumentState,
): Promise<DocumentWrite> {
  const revision = (await chunks.version()) + 1;
  const seen = asOf === undefined ? null : parseState(asOf, identity);
  const removals = await readRemovals(meta);
  return {
    revision,
    isConditional: seen !== null,
    isAsSeen: (row) =>
      seen === null || (row === undefined ? removals === seen.removals : (row.revision ?? 0) <= seen.version),
    isAlone: (committedVersion) => seen === null || isExclusive || committedVersion === revision,
    noteRemoval: () => writeMeta(meta, { [removalsKey]: `${removals + 1}` }),
  };
}

async function readRemovals(meta: Session["meta"]): Promise<number> {
  return Number((await readMeta(meta, removalsKey)) ?? 0);
}

/** A state of another table says nothing about this one. */
function parseState(asOf: DocumentState, identity: string): { version: number; removals: number } {
  const [table, version, removals] = JSON.parse(asOf) as [string, number, number];
  return table === identity ? { version, removals } : { version: -1, removals: -1 };
}
