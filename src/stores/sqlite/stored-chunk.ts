import type { LineRange } from "../../text/document.ts";

/*
 * How chunks are stored, as SQL: `chunk_rows` and `vector_rows` take less room than what the views `chunks` and
 * `chunks_vec` show.
 */

/** The hash of a document as it is stored. A source may use another kind of hash, which stays as it is. */
export function toStoredHash(hash: string): string | Uint8Array {
  return /^[0-9a-f]{64}$/.test(hash) ? Buffer.from(hash, "hex") : hash;
}

/** The same for the hash of a chunk. */
export const storedHash = (value: string): string => `ifnull(unhex(${value}), ${value})`;

/** A stored hash as it is written everywhere else. */
export const shownHash = (column: string): string =>
  `iif(typeof(${column}) = 'blob', lower(hex(${column})), ${column})`;

/** Whether a row of `chunk_rows` has this hash; found by the index `chunks_hash`. */
export function hasHash(row: string, value: string): string {
  const start = `substr(${row}hash, 1, 4) = substr(${storedHash(value)}, 1, 4)`;
  return `${start} AND ${row}hash = ${storedHash(value)}`;
}

/** The whole text of chunk `c`, whose predecessor is `b` (see `withPredecessor`). */
export const wholeText = `iif(c.repeated = 0, c.text,
  CAST(substr(CAST(b.text AS BLOB), -c.repeated) AS TEXT) || c.text)`;

export const withPredecessor = "LEFT JOIN chunk_rows b ON c.repeated > 0 AND b.key = c.key - 1";

/** The place of a row in `vector_rows`: no embedder has more chunks than fit into forty bits. */
export const vectorRow = (embedder: string, key: string): string => `(${embedder} << 40 | ${key})`;
/** All rows of an embedder after a chunk. */
export const vectorsAfter = (embedder: string, key: string): string =>
  `place > ${vectorRow(embedder, key)} AND place < ${embedder} + 1 << 40`;
export const embedderOfRow = "place >> 40";
export const chunkOfRow = "(place & 0xffffffffff)";

export interface TextOfLines {
  readonly lines: LineRange;
  readonly text: string;
}

/** The lines at the beginning of a chunk that are also the end of the text before it, joined; often none. */
export function repeatedStart(before: TextOfLines, chunk: TextOfLines): string {
  let end = -1;
  for (let line = chunk.lines.start; line <= before.lines.end; line++) {
    end = chunk.text.indexOf("\n", end + 1);
    if (end < 0) return "";
  }
  const start = chunk.text.slice(0, Math.max(0, end));
  return before.text.endsWith(start) ? start : "";
}
