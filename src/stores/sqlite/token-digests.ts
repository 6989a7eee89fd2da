import type { DatabaseSync } from "node:sqlite";
import { sha1 } from "../../text/hash.ts";
import type { Slices } from "./slices.ts";

/**
 * A digest of the words of each chunk, with column and position, read from the full-text index itself. The index is
 * walked once, word by word, and every place of a word is mixed into the digest of its chunk; the order of words is the
 * same in every index, so equal contents give equal digests.
 */
export async function digestTokens(db: DatabaseSync, slices: Slices): Promise<Map<number, string>> {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab (main, chunks_fts, instance)");
  const places = db.prepare("SELECT term, doc, col, offset FROM temp.places");
  places.setReturnArrays(true);
  const states = new Map<number, Int32Array>();
  for (const { id } of db.prepare("SELECT id FROM chunks_fts_docsize").iterate()) {
    states.set(id as number, new Int32Array(2));
  }
  let [last, low, high] = ["", 0, 0];
  for (const row of places.iterate() as Iterable<unknown>) {
    const [term, doc, column, offset] = row as [string, number, string, number];
    if (term !== last) {
      last = term;
      const bytes = sha1(term);
      [low, high] = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
    }
    let state = states.get(doc);
    if (state === undefined) {
      state = new Int32Array(2);
      states.set(doc, state);
    }
    const place = Math.imul(offset * 2 + (column === "head" ? 1 : 0), 0x9e3779b1);
    state[0] = Math.imul(state[0]! ^ low ^ place, 0x01000193) + high;
    state[1] = Math.imul(state[1]! + high, 0x85ebca6b) ^ (low + place);
    if (slices.isOver()) await slices.next();
  }
  return new Map([...states].map(([key, [a, b]]) => [key, `${a}:${b}`]));
}
