/** The word pieces of a model in flat arrays: the code units of all pieces, concatenated. */
export interface Pieces {
  readonly units: Uint16Array;
  /** Piece `n` is the range `starts[n]` to `starts[n + 1]` (exclusive) of `units`. */
  readonly starts: Uint32Array;
  readonly ids: Int32Array;
}

export interface Vocabulary {
  readonly highestId: number;
  /**
   * Splits the word in the first `length` code units greedily into the longest pieces, the second and later ones with the
   * continuation prefix, and appends their ids. False, and nothing appended, if some part has no piece.
   */
  split(units: Uint16Array, length: number, into: number[]): boolean;
  /** The id of exactly this piece, including a continuation prefix. */
  idOf(piece: string): number | null;
}

/** The lookup tables of a vocabulary. */
export interface VocabularyTables extends Pieces {
  /** The id of a piece plus 1; 0 is an empty slot. At least half of the slots are empty, so every probe sequence ends. */
  readonly slots: Int32Array;
  readonly hashes: Int32Array;
  readonly continuationMark: string;
  readonly longest: number;
  readonly highestId: number;
}

/**
 * A hash table with open addressing over flat pieces. A Map of 30,000 strings would take several times the memory, and
 * filling it would take most of the time of a first search.
 */
export function indexPieces(pieces: Pieces, continuationMark: string): VocabularyTables {
  const { units, starts, ids } = pieces;
  const mask = 2 ** Math.ceil(Math.log2(2 * ids.length + 1)) - 1;
  const slots = new Int32Array(mask + 1);
  const hashes = new Int32Array(ids.length);
  let longest = 0;
  let highestId = -1;
  for (let piece = 0; piece < ids.length; piece++) {
    const start = starts[piece]!;
    const end = starts[piece + 1]!;
    let hash = seed;
    // Like `mix`, but inlined: this loop runs before it is compiled, when a call costs more than its body.
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ units[i]!, prime);
    hashes[piece] = hash;
    let slot = firstSlot(hash) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = piece + 1;
    if (end - start > longest) longest = end - start;
    if (ids[piece]! > highestId) highestId = ids[piece]!;
  }
  return { ...pieces, slots, hashes, continuationMark, longest, highestId };
}

export function createVocabulary(tables: VocabularyTables): Vocabulary {
  const { units, starts, ids, slots, hashes, longest, highestId } = tables;
  const mask = slots.length - 1;
  const mark = toUnits(tables.continuationMark);
  const markHash = mark.reduce((hash, unit) => mix(hash, unit), seed);
  const prefixHashes = new Int32Array(longest);

  /** The id of the piece that consists of `head` and `length` code units of `word` from `from` on, or -1. */
  function find(hash: number, head: Uint16Array, word: Uint16Array, from: number, length: number): number {
    for (let slot = firstSlot(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const piece = slots[slot]! - 1;
      if (hashes[piece] !== hash) continue;
      const start = starts[piece]!;
      if (starts[piece + 1]! - start !== head.length + length) continue;
      let same = true;
      for (let i = 0; i < head.length && same; i++) same = units[start + i] === head[i];
      for (let i = 0; i < length && same; i++) same = units[start + head.length + i] === word[from + i];
      if (same) return ids[piece]!;
    }
    return -1;
  }

  function split(word: Uint16Array, length: number, into: number[]): boolean {
    const before = into.length;
    let from = 0;
    while (from < length) {
      const head = from === 0 ? noUnits : mark;
      let hash = from === 0 ? seed : markHash;
      let taken = Math.min(length - from, longest - head.length);
      for (let i = 0; i < taken; i++) {
        hash = mix(hash, word[from + i]!);
        prefixHashes[i] = hash;
      }
      let id = -1;
      for (; taken > 0; taken--) {
        id = find(prefixHashes[taken - 1]!, head, word, from, taken);
        if (id >= 0) break;
      }
      if (id < 0) {
        into.length = before;
        return false;
      }
      into.push(id);
      from += taken;
    }
    return true;
  }

  function idOf(piece: string): number | null {
    const word = toUnits(piece);
    const hash = word.reduce((before, unit) => mix(before, unit), seed);
    const id = find(hash, noUnits, word, 0, word.length);
    return id < 0 ? null : id;
  }

  return { highestId, split, idOf };
}

const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;
const noUnits = new Uint16Array(0);

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, prime);
}

function firstSlot(hash: number): number {
  return hash ^ (hash >>> 15);
}

function toUnits(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}
