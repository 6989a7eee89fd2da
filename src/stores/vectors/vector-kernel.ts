import {
  add,
  advance,
  assemble,
  type Code,
  countDown,
  f32,
  float,
  get,
  higher,
  i32,
  instantiate,
  load,
  loadBytes,
  loadFloat,
  loadVector,
  lower,
  multiplyFloats,
  number,
  repeatBelow,
  set,
  storeFloat,
  toFloat,
  v128,
  vector,
  vectorOf,
  type WasmMemory,
} from "../../wasm-code.ts";

/**
 * The inner loop of a vector search over `bytes`, in WebAssembly: as fast at its first call as JavaScript at its
 * hundredth, and a search from the command line has no second one. Assembled here, because a compiler for these loops
 * would be larger than all of them. `vector-block-kernel.ts` has those for signs.
 */
export interface Kernel {
  readonly memory: WasmMemory;
  /**
   * Writes the similarity of each of `count` texts to `out`: that of its best vector to the query at `query`. All are
   * memory addresses. `vector-codes.ts` defines the format of a text, with `width` bytes per vector.
   */
  readonly score: (texts: number, count: number, out: number, width: number, query: number) => number;
}

/** The bytes come from `assembleKernel`, now or at build time. */
export function compileKernel(bytes: Uint8Array): Kernel {
  return instantiate(bytes, ["score"]);
}

export function assembleKernel(): Uint8Array {
  const locals = [[3, i32] as const, [2, f32] as const, [1, v128] as const];
  return assemble([{ parameters: 5, locals, body: [...eachText(), ...number(0)] }]);
}

const [at, textsLeft, out, width, query] = [0, 1, 2, 3, 4] as const;
const [vectorsLeft, end, step, best, sum, sums] = [5, 6, 7, 8, 9, 10] as const;

/** Works on four 32-bit integers at a time; each is the sum of two products of 16-bit integers. */
const multiplyPairs = (a: Code, b: Code): Code => vector(0xba, a, b);
const addIntegers = (a: Code, b: Code): Code => vector(0xae, a, b);
const lane = (index: number): Code => [...get(sums), 0xfd, 0x1b, index];

function eachText(): Code {
  const similarity = lower(higher(get(sum), float(-1)), float(1));
  return countDown(
    textsLeft,
    set(vectorsLeft, load(get(at))),
    advance(at, 4),
    set(best, float(Number.NEGATIVE_INFINITY)),
    countDown(vectorsLeft, scoreVector(), set(best, higher(get(best), similarity))),
    storeFloat(get(out), get(best)),
    advance(out, 4),
  );
}

/**
 * Sums up one vector into `sum` and advances `at`: 8-bit integers times the query's 16-bit ones, eight at a time. The
 * factors of both precede them.
 */
function scoreVector(): Code {
  return [
    ...set(sum, multiplyFloats(loadFloat(get(at)), loadFloat(get(query)))),
    ...set(sums, vectorOf(0)),
    ...set(step, add(get(query), number(16))),
    ...set(end, add(get(at), get(width))),
    ...advance(at, 4),
    ...repeatBelow(
      at,
      end,
      set(sums, addIntegers(get(sums), multiplyPairs(loadBytes(get(at)), loadVector(get(step))))),
      advance(step, 16),
      advance(at, 8),
    ),
    ...set(sum, multiplyFloats(get(sum), toFloat([1, 2, 3].map(lane).reduce(add, lane(0))))),
  ];
}
