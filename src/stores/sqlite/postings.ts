import type { DatabaseSync } from "node:sqlite";
import { countMark, readCounts, type TokenCounts, tokenOf } from "./terms.ts";

/** The chunks that contain a token. */
export interface Postings {
  /** The document frequency. */
  readonly chunks: number;
  readonly groups: readonly PostingGroup[];
}

/** The chunks in which a token occurs equally often, in order of keys. */
export interface PostingGroup extends TokenCounts {
  readonly keys: Float64Array;
}

/** One state of the full-text index. Null if this reader cannot answer. */
export interface PostingsReader {
  postings(token: string): Postings | null;
}

export type PostingsCollection = ReturnType<typeof collectPostings>;

/** Growing typed arrays: an object for each chunk would take most of the time. */
export function collectPostings() {
  const groups = new Map<string, GrowingGroup>();
  return {
    group: (counts: TokenCounts): GrowingGroup => {
      const name = `${counts.body},${counts.head}`;
      const known = groups.get(name);
      if (known !== undefined) return known;
      const group = createGrowingGroup(counts);
      groups.set(name, group);
      return group;
    },
    postings: (): Postings => {
      const all = [...groups.values()].map((group) => group.finish()).filter(({ keys }) => keys.length > 0);
      return { chunks: all.reduce((sum, { keys }) => sum + keys.length, 0), groups: all };
    },
  };
}

interface GrowingGroup {
  add(key: number): void;
  finish(): PostingGroup;
}

function createGrowingGroup({ body, head }: TokenCounts): GrowingGroup {
  let keys = new Float64Array(16);
  let count = 0;
  let isInOrder = true;
  return {
    add(key) {
      if (count === keys.length) {
        const more = new Float64Array(4 * count);
        more.set(keys);
        keys = more;
      }
      if (keys[count - 1]! > key) isInOrder = false;
      keys[count++] = key;
    },
    finish() {
      const found = keys.slice(0, count);
      // Tokens of earlier chunks are in a later segment if they were rewritten.
      return { body, head, keys: isInOrder ? found : found.sort() };
    },
  };
}

/**
 * Reads postings through `fts5vocab`, FTS5's public interface, at about a microsecond for each chunk: for a file whose
 * pages are not as `fts5-postings.ts` expects them.
 */
export function createVocabularyReader(db: DatabaseSync): PostingsReader {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab (main, chunks_fts, instance)");
  const places = db.prepare("SELECT term, doc FROM temp.places WHERE term >= ? AND term <= ?");
  places.setReturnArrays(true);
  return {
    postings: (token) => {
      const found = collectPostings();
      const rows = places.iterate(token, `${token}${countMark}\u{10ffff}`);
      for (const [term, key] of rows as Iterable<unknown> as Iterable<[string, number]>) {
        const counts = tokenOf(term) === token ? readCounts(term.slice(token.length)) : null;
        if (counts !== null) found.group(counts).add(key);
      }
      return found.postings();
    },
  };
}

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
