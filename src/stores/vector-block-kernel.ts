import {
  add,
  advance,
  and,
  type Code,
  compileFunctions,
  countDown,
  get,
  i32,
  load,
  loadByte,
  loadRepeated,
  loadVector,
  multiply,
  number,
  repeatBelow,
  set,
  shiftLeft,
  shiftRight,
  store,
  storeByte,
  storeVector,
  v128,
  vector,
  vectorOf,
  type WasmMemory,
} from "./wasm-code.ts";

/**
 * The loop for `centred` codes, ten times as fast as one that takes a vector after the other. Vectors stand in blocks of
 * sixteen: their factors, then the first byte of the signs of each, then the second of each, … A processor looks up
 * sixteen numbers in a table of sixteen small integers at once; with four signs there is one such table.
 */
export interface BlockKernel {
  readonly memory: WasmMemory;
  /** How many of the `count` texts that lie joined at `texts` have one vector each, before the first that has not. */
  readonly countSingles: (texts: number, count: number, width: number) => number;
  /** Puts sixteen times `count` texts with one vector each into blocks. `width` is the bytes of the signs of one. */
  readonly arrangeBlocks: (texts: number, count: number, width: number, blocks: number) => number;
  /** Puts any texts into blocks, their first vector to the place `place`. Returns the place after the last one. */
  readonly arrange: (texts: number, count: number, width: number, blocks: number, place: number) => number;
  /** Writes the similarity of each vector of `count` blocks to `out`. The query is as `vector-codes.ts` codes it. */
  readonly score: (blocks: number, count: number, out: number, width: number, query: number) => number;
}

export const vectorsPerBlock = 16;

export function blockBytesOf(width: number): number {
  return vectorsPerBlock * (factorBytes + width);
}

export function compileBlockKernel(): BlockKernel {
  return compileFunctions({
    countSingles: { parameters: 3, locals: [[1, i32]], body: countSingles() },
    arrangeBlocks: {
      parameters: 4,
      locals: [
        [3, i32],
        [32, v128],
      ],
      body: arrangeBlocks(),
    },
    arrange: { parameters: 5, locals: [[4, i32]], body: arrange() },
    score: {
      parameters: 5,
      locals: [
        [3, i32],
        [8, v128],
      ],
      body: score(),
    },
  });
}

const [countBytes, factorBytes] = [4, 4];
/** Scale, lift and addend of a coded question stand before its tables. */
const queryHeadBytes = 16;
/** Bytes of the factors of a block. */
const factorsBytes = vectorsPerBlock * factorBytes;

function countSingles(): Code {
  const [texts, textsLeft, width, singles] = [0, 1, 2, 3] as const;
  return [
    ...countDown(
      textsLeft,
      [...load(get(texts)), ...number(1), 0x47, 0x0d, 1],
      advance(singles, 1),
      set(texts, add(get(texts), add(get(width), number(countBytes + factorBytes)))),
    ),
    ...get(singles),
  ];
}

/** Eight bytes of sixteen vectors at a time: interleaved four times, those of one place stand together. */
function arrangeBlocks(): Code {
  const [texts, blocksLeft, width, to, row, end, stride] = [0, 1, 2, 3, 4, 5, 6] as const;
  const sixteenFrom = (first: number): number[] => Array.from({ length: 16 }, (_, index) => first + index);
  const [rows, others] = [sixteenFrom(7), sixteenFrom(23)];
  const interleave = (a: number, b: number, from: number): Code => [
    ...[...get(a), ...get(b), 0xfd, 0x0d],
    ...Array.from({ length: 16 }, (_, index) => from + (index >> 1) + (index % 2) * 16),
  ];
  const steps: Code[] = [];
  /** The first half of each group with the second; then a group is of twice as many rows, and half as many places. */
  const join = (
    groups: readonly (readonly number[])[],
    into: readonly number[],
    halves: readonly number[],
  ) => {
    let next = 0;
    return groups.flatMap((group) =>
      halves.map((from) =>
        group.slice(0, group.length / 2).map((first, index) => {
          const local = into[next++]!;
          steps.push(set(local, interleave(first, group[index + group.length / 2]!, from)));
          return local;
        }),
      ),
    );
  };
  const places = join(join(join(join([rows], others, [0]), rows, [0, 8]), others, [0, 8]), rows, [0, 8]);
  const eachRow = (work: (index: number) => Code): Code[] => [
    set(row, get(texts)),
    ...rows.flatMap((_, index) => [work(index), set(row, add(get(row), get(stride)))]),
  ];
  return [
    ...set(stride, add(get(width), number(countBytes + factorBytes))),
    ...countDown(
      blocksLeft,
      advance(texts, countBytes),
      ...eachRow((index) => store(add(get(to), number(4 * index)), load(get(row)))),
      advance(texts, factorBytes),
      advance(to, factorsBytes),
      set(end, add(get(texts), get(width))),
      repeatBelow(
        texts,
        end,
        ...eachRow((index) => set(rows[index]!, loadEight(get(row)))),
        ...steps,
        ...places.map(([local], place) => storeVector(get(to), get(local!), place * vectorsPerBlock)),
        advance(to, 8 * vectorsPerBlock),
        advance(texts, 8),
      ),
      set(texts, add(get(texts), multiply(get(stride), number(vectorsPerBlock - 1)))),
    ),
    ...number(0),
  ];
}

const loadEight = (address: Code): Code => [...address, 0xfd, 0x5d, 0, 0];

function arrange(): Code {
  const [texts, textsLeft, width, blocks, place] = [0, 1, 2, 3, 4] as const;
  const [vectorsLeft, end, to, lane] = [5, 6, 7, 8] as const;
  const blockBytes = shiftLeft(add(get(width), number(factorBytes)), 4);
  return [
    ...countDown(
      textsLeft,
      set(vectorsLeft, load(get(texts))),
      advance(texts, 4),
      countDown(
        vectorsLeft,
        set(lane, and(get(place), number(vectorsPerBlock - 1))),
        set(to, add(get(blocks), multiply(shiftRight(get(place), 4), blockBytes))),
        store(add(get(to), shiftLeft(get(lane), 2)), load(get(texts))),
        set(to, add(add(get(to), number(factorsBytes)), get(lane))),
        advance(texts, factorBytes),
        set(end, add(get(texts), get(width))),
        repeatBelow(
          texts,
          end,
          [0, 1, 2, 3, 4, 5, 6, 7].flatMap((byte) =>
            storeByte(get(to), loadByte(get(texts), byte), byte * vectorsPerBlock),
          ),
          advance(to, 8 * vectorsPerBlock),
          advance(texts, 8),
        ),
        advance(place, 1),
      ),
    ),
    ...get(place),
  ];
}

function score(): Code {
  const [at, blocksLeft, out, width, query, end, step, factors] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [scale, lift, addend, low4, signs, part, firsts, lasts] = [8, 9, 10, 11, 12, 13, 14, 15] as const;
  const both = (a: Code, b: Code): Code => vector(0x4e, a, b);
  const addBytes = (a: Code, b: Code): Code => vector(0x6e, a, b);
  const addShorts = (a: Code, b: Code): Code => vector(0x8e, a, b);
  const addAll = (a: Code, b: Code): Code => vector(0xe4, a, b);
  const multiplyAll = (a: Code, b: Code): Code => vector(0xe6, a, b);
  /** The relaxed one: where all indexes are below 16 it is the same, with one instruction less. */
  const lookUp = (table: Code, indexes: Code): Code => vector(0x100, table, indexes);
  const upper4 = (bytes: Code): Code => both([...bytes, ...number(4), 0xfd, 0x8d, 1], get(low4));
  /** What the two tables of one byte say about it. */
  const lookUpByte = (byte: number): Code =>
    addBytes(
      lookUp(loadVector(get(step), byte * 32), both(get(signs), get(low4))),
      lookUp(loadVector(get(step), byte * 32 + 16), upper4(get(signs))),
    );
  /** Integers of sixteen bits to similarities; `half` 0 takes the first four of eight. */
  const finish = (sums: number, half: number, index: number): Code[] => {
    const whole = vector(half === 0 ? 0xa9 : 0xaa, get(sums));
    const dot = addAll(multiplyAll(vector(0xfb, whole), get(scale)), get(lift));
    const similarity = addAll(multiplyAll(dot, loadVector(get(factors), index * 16)), get(addend));
    const clamped = vector(0xe9, vector(0xe8, similarity, floats(1)), floats(-1));
    return [storeVector(get(out), clamped, index * 16)];
  };
  return [
    ...set(scale, loadRepeated(get(query), 0)),
    ...set(lift, loadRepeated(get(query), 4)),
    ...set(addend, loadRepeated(get(query), 8)),
    ...set(low4, vectorOf(0x0f)),
    ...countDown(
      blocksLeft,
      set(factors, get(at)),
      advance(at, factorsBytes),
      set(end, add(get(at), shiftLeft(get(width), 4))),
      set(step, add(get(query), number(queryHeadBytes))),
      set(firsts, vectorOf(0)),
      set(lasts, vectorOf(0)),
      repeatBelow(
        at,
        end,
        // Four lookups of at most 63 fit into a byte.
        set(signs, loadVector(get(at))),
        set(part, lookUpByte(0)),
        set(signs, loadVector(get(at), 16)),
        set(part, addBytes(get(part), lookUpByte(1))),
        set(firsts, addShorts(get(firsts), vector(0x89, get(part)))),
        set(lasts, addShorts(get(lasts), vector(0x8a, get(part)))),
        advance(at, 32),
        advance(step, 64),
      ),
      ...finish(firsts, 0, 0),
      ...finish(firsts, 1, 1),
      ...finish(lasts, 0, 2),
      ...finish(lasts, 1, 3),
      advance(out, 4 * vectorsPerBlock),
    ),
    ...number(0),
  ];
}

function floats(value: number): Code {
  const bytes = [...new Uint8Array(Float32Array.of(value, value, value, value).buffer)];
  return [0xfd, 0x0c, ...bytes];
}
