import {
  add,
  advance,
  assemble,
  type Code,
  copyBytes,
  countDown,
  get,
  i32,
  instantiate,
  load,
  loadEight,
  loadRepeated,
  loadVector,
  multiply,
  number,
  or,
  repeatBelow,
  set,
  shiftLeft,
  store,
  storeFloat,
  storeVector,
  v128,
  vector,
  vectorOf,
  vectorOfFloats,
  type WasmMemory,
  xor,
} from "../../wasm-code.ts";

/**
 * The kernel for signs, several times as fast as one vector at a time. Vectors are stored in blocks of sixteen: their
 * factors if they have any, then the first byte of the signs of each, then the second of each, … Four signs index a
 * table of sixteen small integers, and a processor looks up sixteen numbers in it at once. Digits of larger integers
 * have separate tables.
 */
export interface BlockKernel {
  readonly memory: WasmMemory;
  /**
   * Copies the vectors of `count` joined texts to `to`, contiguously; returns where they end. Writes how many each text
   * has to `counts`, followed by 0 if each has one.
   */
  readonly gather: (texts: number, count: number, vectorBytes: number, to: number, counts: number) => number;
  /** Builds `count` blocks at `to`, of sixteen vectors each. `width` is the number of sign bytes per vector. */
  readonly arrange: (vectors: number, count: number, width: number, to: number) => number;
  /** Writes the similarity of each vector of `count` blocks to `out`. The query is coded by `vector-codes.ts`. */
  readonly score: (blocks: number, count: number, out: number, width: number, query: number) => number;
  /** Writes the highest similarity of each text to `out`, −Infinity for one without vectors. */
  readonly reduce: (similarities: number, count: number, counts: number, out: number) => number;
}

export interface BlockShape {
  /** How many tables four signs have, one per digit. */
  readonly digits: number;
  /** Each vector has a factor before its signs. */
  readonly hasFactors: boolean;
}

export const vectorsPerBlock = 16;

/** The bytes come from `assembleBlockKernel`, now or at build time. */
export function compileBlockKernel(bytes: Uint8Array): BlockKernel {
  return instantiate(bytes, ["gather", "arrange", "score", "reduce"]);
}

export function assembleBlockKernel(shape: BlockShape): Uint8Array {
  return assemble([
    { parameters: 5, locals: [[3, i32]], body: gather() },
    {
      parameters: 4,
      locals: [
        [3, i32],
        [32, v128],
      ],
      body: arrange(shape),
    },
    {
      parameters: 5,
      locals: [
        [3, i32],
        [7 + 3 * shape.digits, v128],
      ],
      body: score(shape),
    },
    {
      parameters: 4,
      locals: [
        [1, i32],
        [1, v128],
      ],
      body: reduce(),
    },
  ]);
}

function gather(): Code {
  const [texts, textsLeft, vectorBytes, to, counts, vectors, sizeBytes, isOther] = [
    0, 1, 2, 3, 4, 5, 6, 7,
  ] as const;
  return [
    ...countDown(
      textsLeft,
      set(vectors, load(get(texts))),
      store(get(counts), get(vectors)),
      advance(counts, 4),
      set(isOther, or(get(isOther), xor(get(vectors), number(1)))),
      advance(texts, 4),
      set(sizeBytes, multiply(get(vectors), get(vectorBytes))),
      copyBytes(get(to), get(texts), get(sizeBytes)),
      set(to, add(get(to), get(sizeBytes))),
      set(texts, add(get(texts), get(sizeBytes))),
    ),
    ...store(get(counts), get(isOther)),
    ...get(to),
  ];
}

/** Eight bytes of sixteen vectors at a time: after four interleavings, bytes of one position are adjacent. */
function arrange({ hasFactors }: BlockShape): Code {
  const [at, blocksLeft, width, to, row, end, stride] = [0, 1, 2, 3, 4, 5, 6] as const;
  const sixteenFrom = (first: number): number[] => Array.from({ length: 16 }, (_, index) => first + index);
  const [rows, others] = [sixteenFrom(7), sixteenFrom(23)];
  const interleave = (a: number, b: number, from: number): Code => [
    ...[...get(a), ...get(b), 0xfd, 0x0d],
    ...Array.from({ length: 16 }, (_, index) => from + (index >> 1) + (index % 2) * 16),
  ];
  const steps: Code[] = [];
  /**
   * Interleaves the first half of each group with the second; a group then has twice as many rows, and half as many
   * positions.
   */
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
    set(row, get(at)),
    ...rows.flatMap((_, index) => [work(index), set(row, add(get(row), get(stride)))]),
  ];
  const moveFactors = [
    ...eachRow((index) => store(add(get(to), number(4 * index)), load(get(row)))),
    advance(at, factorBytes),
    advance(to, vectorsPerBlock * factorBytes),
  ];
  return [
    ...set(stride, add(get(width), number(hasFactors ? factorBytes : 0))),
    ...countDown(
      blocksLeft,
      ...(hasFactors ? moveFactors : []),
      set(end, add(get(at), get(width))),
      repeatBelow(
        at,
        end,
        ...eachRow((index) => set(rows[index]!, loadEight(get(row)))),
        ...steps,
        ...places.map(([local], place) => storeVector(get(to), get(local!), place * vectorsPerBlock)),
        advance(to, 8 * vectorsPerBlock),
        advance(at, 8),
      ),
      set(at, add(get(at), multiply(get(stride), number(vectorsPerBlock - 1)))),
    ),
    ...number(0),
  ];
}

function score({ digits, hasFactors }: BlockShape): Code {
  const [at, blocksLeft, out, width, query, end, step, factors] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [scale, lift, addend, base, low4, lows, highs] = [8, 9, 10, 11, 12, 13, 14] as const;
  const digitLocals = Array.from({ length: digits }, (_, digit) => ({
    ...{ digit, part: 15 + 3 * digit, firsts: 16 + 3 * digit, lasts: 17 + 3 * digit },
  }));
  const both = (a: Code, b: Code): Code => vector(0x4e, a, b);
  const addBytes = (a: Code, b: Code): Code => vector(0x6e, a, b);
  const addShorts = (a: Code, b: Code): Code => vector(0x8e, a, b);
  const addAll = (a: Code, b: Code): Code => vector(0xe4, a, b);
  const multiplyAll = (a: Code, b: Code): Code => vector(0xe6, a, b);
  /** The relaxed instruction: for indexes below 16 it gives the same result, with one instruction less. */
  const lookUp = (table: Code, indexes: Code): Code => vector(0x100, table, indexes);
  // Four lookups of at most 63 fit into a byte, or two of at most 127.
  const bytesAtOnce = digits === 1 ? 2 : 1;
  const lookUpByte = (byte: number): Code[] => [
    set(lows, loadVector(get(at), byte * vectorsPerBlock)),
    set(highs, both([...get(lows), ...number(4), 0xfd, 0x8d, 1], get(low4))),
    set(lows, both(get(lows), get(low4))),
    ...digitLocals.map(({ digit, part }) => {
      const table = 32 * (byte * digits + digit);
      const sum = addBytes(
        lookUp(loadVector(get(step), table), get(lows)),
        lookUp(loadVector(get(step), table + 16), get(highs)),
      );
      return set(part, byte === 0 ? sum : addBytes(get(part), sum));
    }),
  ];
  /** Turns four sums of digits into similarities. */
  const finish = (sums: "firsts" | "lasts", half: 0 | 1, index: number): Code => {
    const whole = digitLocals
      .map((locals) => vector(0xfb, vector(half === 0 ? 0xa9 : 0xaa, get(locals[sums]))))
      .reduceRight((higherDigits, lower) => addAll(multiplyAll(higherDigits, get(base)), lower));
    const dot = addAll(multiplyAll(whole, get(scale)), get(lift));
    const own = hasFactors ? multiplyAll(dot, loadVector(get(factors), index * 16)) : dot;
    const clamped = vector(
      0xe9,
      vector(0xe8, addAll(own, get(addend)), vectorOfFloats(1)),
      vectorOfFloats(-1),
    );
    return storeVector(get(out), clamped, index * 16);
  };
  return [
    ...[scale, lift, addend, base].flatMap((local, index) => set(local, loadRepeated(get(query), 4 * index))),
    ...set(low4, vectorOf(0x0f)),
    ...countDown(
      blocksLeft,
      set(factors, get(at)),
      hasFactors ? advance(at, vectorsPerBlock * factorBytes) : [],
      set(end, add(get(at), shiftLeft(get(width), 4))),
      set(step, add(get(query), number(queryHeadBytes))),
      ...digitLocals.flatMap(({ firsts, lasts }) => [set(firsts, vectorOf(0)), set(lasts, vectorOf(0))]),
      repeatBelow(
        at,
        end,
        ...Array.from({ length: bytesAtOnce }, (_, byte) => lookUpByte(byte)).flat(),
        ...digitLocals.flatMap(({ part, firsts, lasts }) => [
          set(firsts, addShorts(get(firsts), vector(0x89, get(part)))),
          set(lasts, addShorts(get(lasts), vector(0x8a, get(part)))),
        ]),
        advance(at, bytesAtOnce * vectorsPerBlock),
        advance(step, bytesAtOnce * digits * 32),
      ),
      finish("firsts", 0, 0),
      finish("firsts", 1, 1),
      finish("lasts", 0, 2),
      finish("lasts", 1, 3),
      advance(out, 4 * vectorsPerBlock),
    ),
    ...number(0),
  ];
}

/** With the vector instruction: the scalar one handles NaN, which takes several times as long. */
function reduce(): Code {
  const [at, textsLeft, counts, out, vectorsLeft, best] = [0, 1, 2, 3, 4, 5] as const;
  const higherOf = (a: Code, b: Code): Code => vector(0xeb, a, b);
  return [
    ...countDown(
      textsLeft,
      set(vectorsLeft, load(get(counts))),
      advance(counts, 4),
      set(best, vectorOfFloats(Number.NEGATIVE_INFINITY)),
      countDown(vectorsLeft, set(best, higherOf(get(best), loadRepeated(get(at), 0))), advance(at, 4)),
      storeFloat(get(out), [...get(best), 0xfd, 0x1f, 0]),
      advance(out, 4),
    ),
    ...number(0),
  ];
}

const factorBytes = 4;
/** Scale, lift, addend and base of a coded query precede its tables. */
const queryHeadBytes = 16;
