import type { DatabaseSync } from "node:sqlite";
import type { ChunkWords } from "../../text/document.ts";
import type { Slices } from "../../timing.ts";
import type { TokenInput, Tokens } from "../tokens.ts";
import { parseHeadings } from "./read.ts";
import { recreateFullText } from "./schema.ts";
import { DamagedContent } from "./sqlite-failure.ts";
import { createTermWriter } from "./terms.ts";

export interface FullText {
  /** Analyzes the chunk unless its tokens are given. */
  insert(key: number, chunk: TokenInput, words?: ChunkWords): void;
  remove(key: number): void;
}

export function prepareFullText(db: DatabaseSync, tokens: Tokens): FullText {
  const insert = db.prepare("INSERT INTO chunks_fts (rowid, terms) VALUES (?, ?)");
  const remove = db.prepare("DELETE FROM chunks_fts WHERE rowid = ?");
  const toTerms = createTermWriter();
  return {
    insert: (key, chunk, words) => {
      const { body, head } = words ?? encode(tokens(chunk));
      // FTS5 reads the bytes as text.
      insert.run(key, toTerms(body, head));
    },
    remove: (key) => {
      remove.run(key);
    },
  };
}

/** Whether the rowids of chunks_fts can still be the keys of chunks: the same count, and the same last one. */
export function isInStep(db: DatabaseSync): boolean {
  const row = db
    .prepare(
      `SELECT (SELECT count(*) FROM chunk_rows) = (SELECT count(*) FROM chunks_fts_docsize)
        AND (SELECT max(key) FROM chunk_rows) IS (SELECT max(id) FROM chunks_fts_docsize) AS same`,
    )
    .get();
  return row?.["same"] === 1;
}

/** Rebuilds the full-text index in the caller's transaction: readers see the old one until it ends. */
export async function rebuildFullText(db: DatabaseSync, tokens: Tokens, slices: Slices): Promise<void> {
  recreateFullText(db);
  const { insert } = prepareFullText(db, tokens);
  const after = db.prepare(
    "SELECT key, text, headings, ifnull(path, '') AS path FROM chunks WHERE key > ? ORDER BY key LIMIT 64",
  );
  for (let last = 0; ; ) {
    const rows = after.all(last) as { key: number; text: string; headings: string; path: string }[];
    if (rows.length === 0) return;
    for (const { key, text, headings, path } of rows) {
      // In a damaged table the next rows may be earlier ones, forever.
      if (!(key > last)) throw new DamagedContent("the rows of the table chunks are not in order");
      insert(key, { text, headings: parseHeadings(headings), path });
      last = key;
      if (slices.isOver()) await slices.next();
    }
  }
}

function encode({ body, head }: ReturnType<Tokens>): ChunkWords {
  return { body: Buffer.from(body), head: Buffer.from(head) };
}
