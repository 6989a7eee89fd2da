import { vectorCodings } from "../vectors/vector-codes.ts";
import { createVectorScan } from "../vectors/vector-scan.ts";
import type { LanceTable } from "./lance-package.ts";
import { inParts, isOneOf } from "./sql.ts";

/** The texts of a set of vectors in memory, with their codes when the set has any. */
export interface SetTexts {
  has(hash: string): boolean;
  readonly hashes: Iterable<string>;
  readonly sizeBytes: number;
  /** For each place the similarity of the best vector, −Infinity where there is none. Valid until the next call. */
  score(query: Float32Array): Float32Array;
  placeOf(hash: string): number | undefined;
  hashAt(place: number): string | undefined;
}

/** A row of a table of a set. */
export interface SetRow {
  readonly hash: string;
  readonly codes: Uint8Array | null;
}

export interface HeldSetTexts {
  /** As they are in the table now. */
  refresh(table: LanceTable): Promise<SetTexts>;
  /** Says what a commit of our own has added, so that it need not be read again. */
  note(rows: readonly SetRow[], version: number): void;
}

/** Reading more rows by their hashes than these takes longer than reading all. */
const mostListed = 5000;

/** `dims` is 0 for a set without codes. */
export function createSetTexts(dims: number): HeldSetTexts {
  let scan = createVectorScan("bits", Math.max(dims, 1));
  let places = new Map<string, number>();
  let hashes: (string | undefined)[] = [];
  let sizeBytes = 0;
  let version = -1;
  const width = vectorCodings.bits.widthOf(dims);

  const clear = (): void => {
    scan = createVectorScan("bits", Math.max(dims, 1));
    places = new Map();
    hashes = [];
    sizeBytes = 0;
  };

  const add = ({ hash, codes }: SetRow): void => {
    if (places.has(hash) || (codes !== null && !isWhole(codes, width))) return;
    if (codes !== null) {
      scan.append(codes, 1);
      sizeBytes += codes.length;
    }
    places.set(hash, hashes.length);
    hashes.push(hash);
  };

  const load = async (table: LanceTable, condition: string | null): Promise<void> => {
    const query = table.query().select(dims === 0 ? ["hash"] : ["hash", "codes"]);
    if (condition !== null) query.where(condition);
    for await (const batch of query) {
      const [keys, codes] = [batch.getChild("hash")!, batch.getChild("codes")];
      for (let at = 0; at < batch.numRows; at++) add({ hash: keys.get(at), codes: codes?.get(at) ?? null });
    }
  };

  const update = async (table: LanceTable): Promise<void> => {
    const now = await table.version();
    if (now === version) return;
    const present = new Set<string>();
    for await (const batch of table.query().select(["hash"])) {
      const keys = batch.getChild("hash")!;
      for (let at = 0; at < batch.numRows; at++) present.add(keys.get(at));
    }
    for (const [hash, place] of places) {
      if (present.has(hash)) continue;
      places.delete(hash);
      hashes[place] = undefined;
    }
    if (places.size * 2 < hashes.length) clear();
    const missing = [...present].filter((hash) => !places.has(hash));
    if (missing.length > mostListed || places.size === 0) await load(table, null);
    else for (const part of inParts(missing)) await load(table, isOneOf("hash", part));
    version = now;
  };

  const texts: SetTexts = {
    has: (hash) => places.has(hash),
    get hashes() {
      return places.keys();
    },
    get sizeBytes() {
      return sizeBytes;
    },
    score: (query) => {
      const scores = scan.score(query);
      for (const [place, hash] of hashes.entries()) {
        if (hash === undefined) scores[place] = Number.NEGATIVE_INFINITY;
      }
      return scores;
    },
    placeOf: (hash) => places.get(hash),
    hashAt: (place) => hashes[place],
  };

  let updating: Promise<void> = Promise.resolve();
  return {
    refresh: async (table) => {
      updating = updating.catch(() => {}).then(() => update(table));
      await updating;
      return texts;
    },
    note: (rows, committed) => {
      if (committed !== version + 1) return;
      for (const row of rows) add(row);
      version = committed;
    },
  };
}

/** What is cut short would be read beyond its end. */
function isWhole(text: Uint8Array, width: number): boolean {
  if (text.length < 4) return false;
  const count = new DataView(text.buffer, text.byteOffset).getUint32(0, true);
  return text.length === 4 + count * width;
}
