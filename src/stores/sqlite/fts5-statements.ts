import type { DatabaseSync } from "node:sqlite";

/** What FTS5 keeps in the shadow tables of chunks_fts. */
export interface Fts5Statements {
  version(): number;
  block(id: number | bigint): Uint8Array | null;
  pageOf(segment: number, term: Uint8Array): number | null;
}

export function prepareFts5Statements(db: DatabaseSync): Fts5Statements {
  const version = db.prepare("SELECT v FROM chunks_fts_config WHERE k = 'version'");
  const block = db.prepare("SELECT block FROM chunks_fts_data WHERE id = ?");
  const page = db.prepare(
    "SELECT pgno FROM chunks_fts_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1",
  );
  for (const statement of [version, block, page]) statement.setReturnArrays(true);
  return {
    version: () => (version.get() as unknown as [number] | undefined)?.[0] ?? 0,
    block: (id) => {
      const value = (block.get(id) as unknown as [unknown] | undefined)?.[0];
      return value instanceof Uint8Array ? value : null;
    },
    // The lowest bit is a flag.
    pageOf: (segment, term) => {
      const value = (page.get(segment, term) as unknown as [number] | undefined)?.[0];
      return value === undefined ? null : Math.floor(value / 2);
    },
  };
}
